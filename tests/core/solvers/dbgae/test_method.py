"""The paper's method as a whole: settings, progress, corrections as observed links."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core import METHODS, Correction, Problem, solve
from core.evaluation.generate import films
from core.solvers.dbgae.links import Links
from tests.core.solvers.solving import SMALL, named


def test_settings_reach_the_network() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    told = [solve(problem, "dbgae", settings=replace(SMALL, epochs=epochs)).confidence for epochs in (2, 40)]
    assert not np.array_equal(*told)


def test_progress_tells_of_all_epochs() -> None:
    told: list[tuple[object, ...]] = []
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    solve(problem, "dbgae", progress=lambda *step: told.append(step), settings=SMALL)
    assert told[0][:3] == ("autoencoder", 1, 8)
    assert told[-1][:3] == ("autoencoder", 8, 8)


@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("dbgae") and m != "dbgae-no-autoencoder"])
def test_a_correction_enters_the_graph_as_observed(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the rounds without it, all links that the autoencoder learns from hold 1 for a given name and 0 for all that
    contradict it."""
    from core.solvers.dbgae.training import Autoencoder

    seen: list[tuple[Problem, Links]] = []

    class Watched(Autoencoder):
        def refine(self, links: Links) -> Any:
            seen.append((self.problem, links))
            return super().refine(links)

    monkeypatch.setattr("core.solvers.dbgae.training.Autoencoder", Watched)
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    named(problem, method, [Correction(0, "is", "A")])
    assert len(seen) == 2 * SMALL.rounds
    for solved, links in seen[SMALL.rounds :]:
        face = int(np.flatnonzero((solved.features == [1, 0, 0]).all(axis=1))[0])
        other = int(np.flatnonzero((solved.features == [0, 1, 0]).all(axis=1))[0])
        name = [solved.names[k] for k in solved.mention_name[links.within_mention]]
        weight = dict(zip(zip(links.within_face.tolist(), name, strict=True), links.within_weight, strict=True))
        assert (weight[face, "A"], weight[face, "B"], weight[other, "A"]) == (1, 0, 0)
