"""The same answers on other processors and with other numbers of threads. ``make soak`` tries all
methods on a larger film, and all tests of solvers, so."""

import json
from functools import cache

import pytest

from tests.core.solvers.answers import Answers, answers, check_same
from tests.machines import Machine, every_machine

GROUPS = 30
QUICK = ("rollcall", "dbgae-no-autoencoder", "pair-clustering", "ipal", "sure")


@cache
def answers_here(methods: tuple[str, ...]) -> Answers:
    return answers(methods, GROUPS)


@pytest.mark.parametrize("machine", every_machine(), ids=str)
def test_answers_are_the_same_on_another_machine(machine: Machine) -> None:
    check_same_answers(machine, QUICK)


def test_the_autoencoder_learns_the_same_on_another_machine() -> None:
    check_same_answers(Machine("Nehalem", 1), ("dbgae",))


def check_same_answers(machine: Machine, methods: tuple[str, ...]) -> None:
    done = machine.run("-m", "tests.core.solvers.answers", str(GROUPS), *methods)
    if done is None:
        assert machine.processor != "Nehalem"  # this processor is older than that one; every processor can be a Nehalem
        return
    assert done.returncode == 0, done.stderr
    check_same(answers_here(methods), json.loads(done.stdout))
