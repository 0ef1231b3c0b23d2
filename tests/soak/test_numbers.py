"""Problems at the edge of what there can be: every method gives a valid answer. The large ones are in ``make soak``."""

from __future__ import annotations

import numpy as np
import pytest

from core import solve
from core.prediction import Prediction, Scores
from core.solve import METHODS
from tests.soak import numbers
from tests.soak.numbers import TRAINED, attempt, check, crowd, large, many_names, settings, small

CASES = dict(small())
# the other cases are among the odd problems of tests/core/test_solve.py
MORE = ["duplicate faces", "one name everywhere", "all nobody", "huge and tiny features", "captions without faces"]
QUICK = [method for method in METHODS if method not in TRAINED and not method.startswith("rollcall-")]
WHOLE = [method for method in TRAINED if "-no-" not in method]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("case", MORE)
def test_every_quick_method_answers(case: str) -> None:
    for method in QUICK:
        check(CASES[case], solve(CASES[case], method))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("case", ["huge and tiny features", "captions without faces"])
def test_the_autoencoder_answers(case: str) -> None:
    """A few epochs: what can go wrong with the numbers goes wrong in the first ones."""
    for method in WHOLE:
        check(CASES[case], solve(CASES[case], method, settings=settings(method, 6)))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("method", [*QUICK, *WHOLE])
def test_many_more_names_than_faces_are_solved(method: str) -> None:
    few = many_names(20, names=1000)
    assert len(few.names) == 1000
    check(few, solve(few, method, settings=settings(method, 2)))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_features_of_thousands_of_dimensions_are_solved() -> None:
    wide = dict(large())["4,096 dimensions"]
    assert wide.features.shape[1] == 4096
    for method in (*QUICK, *WHOLE):
        check(wide, solve(wide, method, settings=settings(method, 2)))


def test_a_crowd_is_solved() -> None:
    one = crowd(24, 16)
    check(one, solve(one, "rollcall"))


def test_what_fails_or_takes_too_much_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    one = CASES["one face"]
    assert attempt(one, "pair-clustering", 2)[0] == "ok"
    assert "no method" in attempt(one, "no such method", 2)[0]
    monkeypatch.setattr(numbers, "MEMORY", 1 << 20)
    assert attempt(many_names(2000), "pair-clustering", 2)[0] != "ok"


@pytest.mark.parametrize(
    ("name", "confidence"), [([7], [0.5]), ([-2], [0.5]), ([0], [np.nan]), ([0], [1.5]), ([0, 0], [0.5, 0.5])]
)
def test_an_invalid_answer_is_noticed(name: list[int], confidence: list[float]) -> None:
    none = Scores(np.zeros(0, int), np.zeros(0, int), np.zeros(0))
    with pytest.raises(AssertionError):
        check(CASES["one face"], Prediction(("A",), np.array(name), np.array(confidence), none))
