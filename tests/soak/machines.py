"""Every method, and every test of solvers, as on other processors and with other numbers of threads.

``python -m tests.soak.machines [--groups N] [--tests PATH ...]``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from core.solve import METHODS
from tests.core.solvers.answers import answers, check_same
from tests.machines import Machine, every_machine

WHOLE = tuple(method for method in METHODS if "-no-" not in method)
TESTS = ("tests/core/test_solve.py", "tests/core/test_solve_default.py", "tests/core/solvers")


def main() -> int:
    parser = argparse.ArgumentParser(description="solvers as on other machines")
    parser.add_argument("--groups", type=int, default=300, help="of each of the two generated films (default: 300)")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="that are run on each (default: all of solvers)")
    chosen = parser.parse_args()
    groups, failed = chosen.groups, 0
    here = answers(WHOLE, groups)
    for machine in every_machine():
        done = machine.run("-m", "tests.core.solvers.answers", str(groups), *WHOLE)
        if done is None:
            print(f"{machine}: this processor cannot stand in for it", flush=True)
            continue
        assert done.returncode == 0, done.stderr
        check_same(here, json.loads(done.stdout))
        print(f"{machine}: the same answers", flush=True)
        if chosen.tests:
            failed += not passes(machine, chosen.tests)
    return 1 if failed else 0


def passes(machine: Machine, tests: Sequence[str]) -> bool:
    """Runs tests as on that machine."""
    done = machine.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert done is not None
    print(f"{machine}: {done.stdout.strip().splitlines()[-1]}", flush=True)
    if done.returncode:
        print(done.stdout[-4000:], flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
