"""The same answers on other processors and with other numbers of threads. ``make soak`` tries all
methods on a larger film, every number of threads on every processor, and all tests of solvers, so."""

import json
from functools import cache

import pytest

from tests.core.solvers.answers import Answers, answers, check_same
from tests.machines import Machine

GROUPS = 20
QUICK = ("rollcall", "dbgae-no-autoencoder", "pair-clustering", "ipal", "sure")
MACHINES = {Machine("Nehalem", 1): (*QUICK, "dbgae"), Machine("Haswell", 2): QUICK, Machine("SkylakeX", 1): QUICK}


@cache
def answers_here(method: str) -> Answers:
    return answers([method], GROUPS)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_answers_are_the_same_on_another_machine(machine: Machine) -> None:
    methods = MACHINES[machine]
    done = machine.run("-m", "tests.core.solvers.answers", str(GROUPS), *methods)
    if done is None:
        assert machine.processor != "Nehalem"  # this processor is older than that one; every processor can be a Nehalem
        return
    assert done.returncode == 0, done.stderr
    here = {method: answer for one in methods for method, answer in answers_here(one).items()}
    check_same(here, json.loads(done.stdout))
