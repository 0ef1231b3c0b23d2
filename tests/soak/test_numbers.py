"""Problems at the edge of what there can be: every method gives a valid answer. The large ones are in ``make soak``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core import solve
from core.dbgae import AUTHORS, Settings
from core.solve import METHODS
from tests.soak.numbers import check, large, small

CASES = dict(small())
TRAINED = [method for method in METHODS if method.startswith("dbgae") and method != "dbgae-no-autoencoder"]
QUICK = [method for method in METHODS if method not in TRAINED and not method.startswith("rollcall-")]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("case", CASES)
def test_every_quick_method_answers(case: str) -> None:
    for method in QUICK:
        check(CASES[case], solve(CASES[case], method))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("case", ["one face", "one group", "no names at all", "identical features", "one dimension"])
def test_the_autoencoder_answers(case: str) -> None:
    """A few epochs: what can go wrong with the numbers goes wrong in the first ones."""
    for method in TRAINED:
        settings = replace(AUTHORS if method == "dbgae-authors" else Settings(), epochs=5, rounds=1)
        check(CASES[case], solve(CASES[case], method, settings=settings))


def test_a_crowd_of_500_is_solved() -> None:
    crowd = dict(large())["a group of 500 faces"]
    check(crowd, solve(crowd, "rollcall"))
