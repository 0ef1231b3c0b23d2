"""Cost: small cases by hand, and real methods timed."""

import numpy as np
import pytest

from core.evaluation import cost
from core.evaluation.cost import Timed
from core.evaluation.generate import films
from core.problem import Problem


def film() -> Problem:
    return films(films=2, groups=40, names=8, dimensions=8)


def timed(method: str, grows: str, size: int, seconds: float) -> Timed:
    return Timed(method, grows, **{"faces": 1, "links": 1, "names": 1, grows: size}, seconds=seconds)


def test_exponents_by_hand() -> None:
    assert cost.exponent([timed("m", "faces", n, 3e-6 * n**2) for n in (10, 20, 40)]) == pytest.approx(2)
    assert cost.exponent([timed("m", "links", n, 0.5) for n in (10, 20)]) == pytest.approx(0)
    assert np.isnan(cost.exponent([timed("m", "names", 10, 0.5)]))


def test_cost_table_by_hand() -> None:
    rows = [timed("m", "faces", n, n / 100) for n in (100, 1000)] + [timed("m", "names", n, 2.0) for n in (5, 10)]
    assert cost.cost_table(rows).splitlines() == [
        "| method | faces 100 → 1,000 | exponent | names 5 → 10 | exponent |",
        "| --- | --- | --- | --- | --- |",
        "| m | 1 → 10 s | 1.0 | 2 → 2 s | 0.0 |",
    ]


def test_what_grows_grows_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "_seconds", lambda problem, method: 1.0)
    found = cost.time_growth(["m"])
    for grows, other in (("faces", None), ("links", "faces"), ("names", "faces")):
        rows = [row for row in found if row.grows == grows]
        assert len(rows) == 4
        assert (np.diff([row.size for row in rows]) > 0).all()
        if other:
            same = [getattr(row, other) for row in rows]
            assert max(same) < 1.15 * min(same)


def test_real_methods_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cost.SERIES, "faces", (film,))
    (row,) = cost.time_growth(["pair-clustering"], ["faces"], repeats=1)
    assert row.faces == film().faces
    assert row.names == 8
    assert row.links > 0
    assert row.seconds > 0
