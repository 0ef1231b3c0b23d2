"""The same answers on other processors and with other numbers of threads. ``make soak`` tries all tests of solvers so."""

import json
from functools import cache

import numpy as np
import pytest

from core.problem import NOBODY
from tests.core.solvers.answers import Answers, answers
from tests.machines import Machine, every_machine

QUICK = ("rollcall", "dbgae-no-autoencoder", "pair-clustering", "ipal", "sure")


@cache
def answers_here(methods: tuple[str, ...]) -> Answers:
    return answers(methods)


@pytest.mark.parametrize("machine", every_machine(), ids=str)
def test_answers_are_the_same_on_another_machine(machine: Machine) -> None:
    check_same_answers(machine, QUICK)


def test_the_autoencoder_learns_the_same_on_another_machine() -> None:
    check_same_answers(Machine("Nehalem", 1), ("dbgae",))


def check_same_answers(machine: Machine, methods: tuple[str, ...]) -> None:
    done = machine.run("-m", "tests.core.solvers.answers", *methods)
    if done is None:
        assert machine.processor != "Nehalem"  # this processor is older than that one; every processor can be a Nehalem
        return
    assert done.returncode == 0, done.stderr
    there: Answers = json.loads(done.stdout)
    for method, here in answers_here(methods).items():
        (name, sure), (other, confidence) = np.array(here).T, np.array(there[method]).T
        assert (name != NOBODY).any(), method
        assert (name == other).mean() >= 0.97, method
        assert (name == other)[sure > 0.9].all(), method
        assert np.abs(sure - confidence).mean() < 0.02, method
