"""A problem in terms of units: tracks, and faces that are in no track."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import sums
from core.corrections import OPEN, Constraints
from core.problem import NO_TRACK, BoolArray, FloatArray, IntArray, Problem
from core.solvers.identity.appearance import PldaSpace
from core.solvers.identity.config import DEFAULTS, Config
from core.solvers.identity.state import Data

UNKNOWN = -1  # of a film


@dataclass(frozen=True, eq=False)
class Units:
    """Which unit each face is of, and the ragged tables of ``Data``."""

    unit: IntArray  # by face
    weight: FloatArray  # by face: its share of its unit's vector
    groups: tuple[IntArray, IntArray]  # the groups of each unit
    units: tuple[IntArray, IntArray]  # the units of each group
    mentions: tuple[IntArray, IntArray]  # the mentions of each group: names,
    kinds: IntArray  # and kinds as bits
    counts: IntArray  # names × kinds: groups with a mention
    many_groups: int
    fixed: IntArray
    refused: tuple[IntArray, IntArray]
    evidence: tuple[IntArray, IntArray]
    evidence_value: FloatArray
    usable_names: int
    film: IntArray
    occasions: IntArray
    film_cost: FloatArray

    @property
    def many(self) -> int:
        return len(self.fixed)

    def work(self, crowd: float) -> float:
        """What a sweep costs, in units: in a crowd every unit is weighed against all others and all names."""
        units, mentions = np.diff(self.units[0]), np.diff(self.mentions[0])
        return max(self.many, float((units * (units + mentions)).sum()) / crowd, 1.0)

    @property
    def films(self) -> float:
        """The effective number of films: e to the entropy of a unit's film; units of no known film do not count."""
        share = np.bincount(self.film[self.film >= 0]) / max((self.film >= 0).sum(), 1)
        share = share[share > 0]
        return float(np.exp(-(share * np.log(share)).sum()))

    def mean(self, rows: FloatArray) -> FloatArray:
        """The weighted mean of the faces' rows, by unit."""
        return sums(rows * self.weight[:, None], self.unit, self.many)

    def data(self, space: PldaSpace, neighbours: IntArray, edges: tuple[IntArray, IntArray, FloatArray]) -> Data:
        half_logdet = np.zeros(self.many + 2)
        for psi in space.psi:
            half_logdet += 0.5 * np.log1p(np.arange(self.many + 2) * psi)
        return Data(
            y=space.y,
            psi=space.psi,
            half_logdet=half_logdet,
            gain=space.psi / (1 + np.arange(1, self.many + 3)[:, None] * space.psi),
            alone=0.5 * np.cumsum(space.y * space.y * space.psi / (1 + space.psi), 1)[:, -1],
            unit_start=self.groups[0],
            unit_group=self.groups[1],
            group_start=self.units[0],
            group_unit=self.units[1],
            mention_start=self.mentions[0],
            mention_name=self.mentions[1],
            mention_kinds=self.kinds,
            mentions=self.counts,
            groups=self.many_groups,
            neighbours=neighbours,
            edge_start=edges[0],
            edge_unit=edges[1],
            edge_weight=edges[2],
            fixed=self.fixed,
            refused_start=self.refused[0],
            refused_name=self.refused[1],
            evidence_start=self.evidence[0],
            evidence_name=self.evidence[1],
            evidence_value=self.evidence_value,
            usable_names=self.usable_names,
            unit_film=self.film,
            occasions=self.occasions,
            film_cost=self.film_cost,
        )


def units_of(problem: Problem, constraints: Constraints, config: Config = DEFAULTS) -> Units:
    unit = _units(problem, constraints)
    many = int(unit.max(initial=-1)) + 1
    quality = np.ones(problem.faces) if problem.quality is None else np.maximum(problem.quality, 1e-3)
    names = max(len(problem.names), 1)
    pair = np.unique(unit * problem.groups + problem.group)
    fixed = np.full(many, OPEN, dtype=np.int64)
    answered = constraints.fixed != OPEN
    fixed[unit[answered]] = constraints.fixed[answered]
    face, name = constraints.ruled_out()
    refused = np.unique(unit[face] * names + name)
    refused = refused[fixed[refused // names] == OPEN]
    # what people gave is no caption: injected mentions do not count
    heard = ~np.isin(problem.mention_keys(), constraints.injected)
    group, said = problem.mention_group[heard], problem.mention_name[heard]
    kind = np.zeros(len(said), dtype=np.int64) if problem.mention_kind is None else problem.mention_kind[heard]
    used, kind = np.unique(kind, return_inverse=True)
    counts = np.zeros((len(problem.names), max(len(used), 1)), dtype=np.int64)
    np.add.at(counts, (said, kind), 1)
    key, at = np.unique(group * names + said, return_inverse=True)
    bits = np.zeros(len(key), dtype=np.int64)
    np.bitwise_or.at(bits, at, 1 << kind)
    link = np.lexsort((problem.evidence_name, unit[problem.evidence_face]))
    given = np.bincount(fixed[fixed >= 0], minlength=len(problem.names)) > 0
    film, at_home = films_of(problem, group, said, config.film_names)
    unit_film = np.full(many, UNKNOWN, dtype=np.int64)
    unit_film[unit] = film[problem.group]
    settled = np.flatnonzero((fixed >= 0) & (unit_film >= 0))
    at_home[unit_film[settled], fixed[settled]] = True
    return Units(
        unit=unit,
        weight=quality / np.bincount(unit, quality, minlength=many)[unit],
        groups=table(pair // problem.groups, pair % problem.groups, many),
        units=table(pair % problem.groups, pair // problem.groups, problem.groups),
        mentions=table(key // names, key % names, problem.groups),
        kinds=bits,
        counts=counts,
        many_groups=problem.groups,
        fixed=fixed,
        refused=table(refused // names, refused % names, many),
        evidence=table(unit[problem.evidence_face][link], problem.evidence_name[link], many),
        evidence_value=problem.evidence_logodds[link].astype(np.float64),
        usable_names=max(int((counts.any(1) | given).sum()), 1),
        film=unit_film,
        occasions=occasions_of(problem.groups, film, at_home),
        film_cost=config.other_film * ~at_home,
    )


def films_of(problem: Problem, group: IntArray, said: IntArray, film_names: int) -> tuple[IntArray, BoolArray]:
    """The film of each group (-1: not known), and the names that belong to each film (films × names).

    Where the problem does not say, a film is a connected component of captions and the names in them, if it has at least
    ``film_names`` names.
    A name that no film's captions mention belongs to all of them.
    """
    names = len(problem.names)
    if problem.film is not None:
        film = problem.film.copy()
    else:
        nodes = problem.groups + names
        part = components(group, problem.groups + said, nodes)
        film = np.where(np.bincount(part[problem.groups :], minlength=nodes)[part] >= film_names, part, UNKNOWN)[
            : problem.groups
        ]
    used, place = np.unique(film[film >= 0], return_inverse=True)
    film[film >= 0] = place
    at_home = np.zeros((len(used), names), dtype=np.bool_)
    at_home[film[group][film[group] >= 0], said[film[group] >= 0]] = True
    at_home[:, ~at_home.any(0)] = True
    at_home[:, said[film[group] < 0]] = True
    return film, at_home


def components(one: IntArray, other: IntArray, nodes: int) -> IntArray:
    """Of each node of a graph, the least node to which links lead; ``one`` and ``other`` are the links' ends."""
    part = np.arange(nodes)
    while True:
        least = part.copy()
        np.minimum.at(least, one, part[other])
        np.minimum.at(least, other, part[one])
        least = least[least]
        if np.array_equal(least, part):
            return part
        part = least


def occasions_of(groups: int, film: IntArray, at_home: BoolArray) -> IntArray:
    """By name, the groups of its films; groups of no known film are shared out as the others are."""
    size = np.bincount(film[film >= 0], minlength=len(at_home))
    if not size.sum():
        return np.full(at_home.shape[1], groups)
    return np.asarray(np.ceil(groups * (size @ at_home) / size.sum()), dtype=np.int64)


def _units(problem: Problem, constraints: Constraints) -> IntArray:
    """Tracks, but people may have given the faces of one track different answers: then each answer is a unit."""
    if problem.track is None:
        return np.arange(problem.faces)
    alone = problem.track == NO_TRACK
    track = np.where(alone, problem.track.max(initial=0) + 1 + np.arange(problem.faces), problem.track)
    answer = constraints.fixed.copy()
    for label in np.unique(track[answer != OPEN]).tolist():  # open faces of a track follow its answer, if there is one
        mine = track == label
        said = np.unique(answer[mine & (answer != OPEN)])
        if len(said) == 1:
            answer[mine] = said[0]
    _, unit = np.unique(track * (len(problem.names) + 3) + answer + 2, return_inverse=True)
    return np.asarray(unit, dtype=np.int64)


def table(row: IntArray, entry: IntArray, rows: int) -> tuple[IntArray, IntArray]:
    """A ragged table: (start, entries)."""
    start = np.zeros(rows + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=rows), out=start[1:])
    return start, np.ascontiguousarray(entry[np.argsort(row, kind="stable")], dtype=np.int64)
