"""Whether faces are somebody's whom the library knows: PLDA with the covariances that were learned offline.

A face is ``x = mean + person + noise`` with ``person ~ N(0, B)`` and ``noise ~ N(0, W)``. For somebody with some faces in
the library and some faces of one person here, the log-likelihood ratio says how much likelier all are one person's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.problem import FloatArray, IntArray
from core.solvers.identity.appearance import diagonalise, unit_length
from core.solvers.identity.prior import mean_face, offline_prior
from core.store.library.shelf import Known

# Chosen on the people of a gallery of photographs that are in alphabetical order before the middle, see docs/names.md.
ENOUGH = 14.0  # the least log-likelihood ratio of somebody who is known
APART = 6.0  # and by how much it must be larger than anybody else's
OTHERS = 20.0  # people whom the mean of many others counts for
MOST = 4.0  # faces of one person count as so many independent ones at the most: they are of one day, and one light


@dataclass(frozen=True)
class Likely:
    """Who somebody may be: a name of the library, the log-likelihood ratio, how many faces speak for it, from where."""

    name: str
    score: float
    faces: int
    titles: tuple[str, ...]
    sure: bool  # enough to suggest it

    @property
    def reason(self) -> str:
        """What speaks for it, in a few words."""
        faces = "a face" if self.faces == 1 else f"{self.faces} faces"
        more = f" and {len(self.titles) - 1} more" if len(self.titles) > 1 else ""
        return f"like {faces} in {self.titles[0]}{more}"


@dataclass(frozen=True, eq=False)
class Likeness:
    """What compares faces of a project with the library's, both of one embedder."""

    known: Known
    embedder: str

    @cached_property
    def _space(self) -> tuple[FloatArray, FloatArray] | None:
        """A map into a space in which W is one and B diagonal, and that diagonal; None for unknown embedders."""
        prior = offline_prior(self.embedder, self.known.vectors.shape[1]) if len(self.known.vectors) else None
        if prior is None:
            return None
        directions, within, between = prior
        basis, spread = diagonalise(within.astype(np.float64), between.astype(np.float64))
        return np.asarray(directions @ basis), spread

    @property
    def can(self) -> bool:
        """Whether there is anything to compare with."""
        return self._space is not None

    @cached_property
    def _people(self) -> tuple[list[str], IntArray]:
        names = list(dict.fromkeys(self.known.names))
        return names, np.array([names.index(name) for name in self.known.names], np.int64)

    def ask(self, groups: Sequence[FloatArray]) -> list[Likely | None]:
        """For each group of faces, the most likely person of the library; None where there is nobody to compare with."""
        if self._space is None:
            return [None] * len(groups)
        ratios = self.ratios(groups)
        names, number = self._people
        found: list[Likely | None] = []
        for row in ratios:
            best = int(np.argmax(row))
            second = float(np.partition(row, -2)[-2]) if len(row) > 1 else -np.inf
            titles = tuple(dict.fromkeys(t for t, n in zip(self.known.titles, number, strict=True) if n == best))
            sure = bool(row[best] >= ENOUGH and row[best] - second >= APART)
            found.append(Likely(names[best], float(row[best]), int((number == best).sum()), titles, sure))
        return found

    def ratios(self, groups: Sequence[FloatArray]) -> FloatArray:
        """Log-likelihood ratios (groups × people) of being one person or two."""
        assert self._space is not None
        names, number = self._people
        mapped, spread = self._space
        library = self.known.vectors.astype(np.float64) @ mapped
        rows = [unit_length(group.astype(np.float64)) @ mapped for group in groups]
        people = np.stack([library[number == k].mean(axis=0) for k in range(len(names))])
        centre = self._centre(people, np.stack([row.mean(axis=0) for row in rows]), mapped)
        many = np.minimum(np.bincount(number, minlength=len(names)), MOST)[:, None]
        ratio = np.zeros((len(groups), len(names)))
        for k, row in enumerate(rows):
            q, here = row.mean(axis=0) - centre, min(float(len(row)), MOST)
            after = spread / (many * spread + 1.0)  # what is left unknown of a person
            mean = after * many * (people - centre)
            one, two = after + 1.0 / here, spread + 1.0 / here
            ratio[k] = 0.5 * (np.log(two / one) + q**2 / two - (q - mean) ** 2 / one).sum(axis=1)
        return ratio

    def _centre(self, people: FloatArray, groups: FloatArray, mapped: FloatArray) -> FloatArray:
        """The mean of everybody there is, each person counted once, and drawn to that of many others."""
        everybody = np.concatenate([people, groups])
        usual = mean_face(self.embedder, mapped.shape[0])
        if usual is None:
            return np.asarray(everybody.mean(axis=0))
        return np.asarray((everybody.sum(axis=0) + OTHERS * (usual @ mapped)) / (len(everybody) + OTHERS))
