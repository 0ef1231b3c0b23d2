"""Every method, and every test of solvers, as on other processors and with other numbers of threads.

``python -m tests.soak.machines [--groups N]``
"""

from __future__ import annotations

import argparse
import json
import sys

from core.solve import METHODS
from tests.core.solvers.answers import answers, check_same
from tests.machines import every_machine

WHOLE = tuple(method for method in METHODS if "-no-" not in method)
TESTS = ("tests/core/test_solve.py", "tests/core/test_solve_default.py", "tests/core/solvers")


def main() -> int:
    parser = argparse.ArgumentParser(description="solvers as on other machines")
    parser.add_argument("--groups", type=int, default=300, help="of each of the two generated films (default: 300)")
    groups = parser.parse_args().groups
    here, failed = answers(WHOLE, groups), 0
    for machine in every_machine():
        done = machine.run("-m", "tests.core.solvers.answers", str(groups), *WHOLE)
        if done is None:
            print(f"{machine}: this processor cannot stand in for it", flush=True)
            continue
        assert done.returncode == 0, done.stderr
        check_same(here, json.loads(done.stdout))
        tests = machine.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
        assert tests is not None
        failed += tests.returncode != 0
        print(f"{machine}: the same answers; {tests.stdout.strip().splitlines()[-1]}", flush=True)
        if tests.returncode:
            print(tests.stdout[-4000:], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
