"""The six methods the paper compares itself with. Each face takes the names of its group's caption as its candidates.

``LEARNERS`` are partial-label learners: ``fit(features, candidates)`` gives a ``confidence`` for the faces at hand and a
``predict`` for unseen ones. ``CLUSTERINGS`` need a distance: ``fit(features, candidates, distance)``, and know only
the faces at hand. A row of ``confidence`` without a positive entry means nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.problem import BoolArray, FloatArray
from core.solvers.baselines import cluster_voting, ipal, pair_clustering, pl_aggd, pl_leaf, sure


class Disambiguated(Protocol):
    """What every baseline returns: faces × names."""

    @property
    def confidence(self) -> FloatArray: ...


class Learned(Disambiguated, Protocol):
    def predict(self, features: FloatArray) -> FloatArray:
        """Scores (faces × names) of unseen faces; the largest is the answer."""
        ...


CLUSTERINGS: dict[str, Callable[[FloatArray, BoolArray, float], Disambiguated]] = {
    "pair-clustering": pair_clustering.fit,
    "cluster-voting": cluster_voting.fit,
}
LEARNERS: dict[str, Callable[[FloatArray, BoolArray], Learned]] = {
    "ipal": ipal.fit,
    "pl-leaf": pl_leaf.fit,
    "sure": sure.fit,
    "pl-aggd": pl_aggd.fit,
}
BASELINES: dict[str, Callable[..., Disambiguated]] = {**CLUSTERINGS, **LEARNERS}
