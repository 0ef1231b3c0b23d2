"""The same answers on other processors and with other numbers of threads. ``make soak`` tries all
methods on a larger film, every number of threads on every processor, and all tests of solvers, so."""

import json

import pytest

from tests.core.solvers.answers import Answers, answers, check_same
from tests.machines import Machine

GROUPS = 20
QUICK = ("rollcall", "dbgae-no-autoencoder", "pair-clustering", "ipal", "sure")
MACHINES = Machine("Nehalem", 1), Machine("Haswell", 2), Machine("SkylakeX", 1)


@pytest.fixture(scope="module")
def here() -> Answers:
    return answers(QUICK, GROUPS)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_answers_are_the_same_on_another_machine(machine: Machine, here: Answers) -> None:
    done = machine.run("-m", "tests.core.solvers.answers", str(GROUPS), *QUICK)
    if done is None:
        assert machine.processor != "Nehalem"  # this processor is older than that one; every processor can be a Nehalem
        return
    assert done.returncode == 0, done.stderr
    check_same(here, json.loads(done.stdout))
