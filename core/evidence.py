"""What the pictures and the captions say, each as log-odds.

Pictures: a two-covariance (PLDA) model. Faces of person k are ``y ~ N(mu_k, I)``, persons are ``mu_k ~ N(0, diag psi)``,
in a basis that whitens the scatter within persons. Captions: a visible person c is named with the chance rho_c, an absent
one with the chance beta_c. All of it is estimated from the current answer: *members*, a sparse table (faces × persons) of
how much each face belongs to each person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, hstack
from scipy.special import betaln

from core.problem import BoolArray, FloatArray, IntArray, Problem

Sparse: TypeAlias = csr_array[Any, tuple[int, int]]

PAIRS = 16384  # (face, person) pairs scored at once
NARROW = 1e-14  # of what narrow tables leave out, squared
FAINT = 1e-3  # a membership below this does not move its person
SURE_MEAN = 2.0  # a person of this many faces counts half when persons are compared
BALL = 1.5  # how many directions one person tells of the scatter between persons
FACES_A_DIMENSION = 4.0  # with fewer faces than this for each dimension, directions of scatter are hardly believed
HANDFUL = 30.0  # with fewer faces than this, the scatter of all of them is hardly believed either: see ``handful``


# --- Tables of members -------------------------------------------------------------------------------------------------


def table(value: FloatArray, row: IntArray, column: IntArray, shape: tuple[int, int]) -> Sparse:
    """The sparse table with these values at these places."""
    return sparse(coo_array((value, (row, column)), shape=shape))


def sparse(rows: Any) -> Sparse:
    """Any table as a sparse one."""
    result: Sparse = csr_array(rows, dtype=np.float32)
    return result


def size_of(members: Sparse | coo_array[Any, tuple[int, int]]) -> FloatArray:
    """How many faces each person has."""
    return np.asarray(members.sum(0), np.float64)


def entries(values: Sparse) -> tuple[IntArray, IntArray, FloatArray]:
    """The places and values of what a table holds, row by row."""
    rows = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    return rows, values.indices.astype(np.int64), values.data


def value_at(values: Sparse, row: IntArray, column: IntArray) -> FloatArray:
    """The values at these places, 0 where the table has none."""
    place, found = places(values, row, column)
    return np.where(found, values.data[place], np.float32(0)) if values.nnz else np.zeros(len(row), np.float32)


def places(values: Sparse, row: IntArray, column: IntArray) -> tuple[IntArray, BoolArray]:
    """Where in the table's data these places are, and whether they are there at all."""
    values.sort_indices()
    many, (rows, columns, _) = max(values.shape[1], 1), entries(values)
    key, wanted = rows * many + columns, row * many + column
    place = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    return place, key[place] == wanted if len(key) else np.zeros(len(wanted), bool)


def beside(*tables: Sparse) -> Sparse:
    """Tables of the same faces as one."""
    return sparse(hstack(tables))


def times(weight: FloatArray, members: Sparse) -> Sparse:
    """Every face's memberships times its weight."""
    return sparse(diags_array(weight) @ members)


# --- Pictures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Picture:
    """The faces as the model sees them: ``y`` with scatter I within persons, ``psi`` between them."""

    y: FloatArray
    psi: FloatArray

    @property
    def new(self) -> FloatArray:
        """How unusual a face is: ``- log N(y; 0, 1 + psi)``, without the terms that never change."""
        return np.asarray(0.5 * (self.y**2 / (1 + self.psi)).sum(1) + 0.5 * np.log1p(self.psi).sum())


def see(faces: FloatArray, members: Sparse, shrink: float, typical: float) -> Picture:
    """The faces in the basis that their ``members`` give."""
    basis, psi = scatter_basis(faces, members, shrink, typical)
    return Picture(np.asarray(faces @ basis), psi)


def scatter_basis(faces: FloatArray, members: Sparse, shrink: float, typical: float) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag psi``: W the scatter within persons, B between them.

    ``shrink`` is the pull of W towards ``a I + b T``, T the scatter of all faces: 1 learns nothing about directions.
    A few hundred faces cannot tell what varies within persons: then both scatters are ``_guessed`` from that of all faces
    and from ``typical``, the cosine of the usual faces of one person. A handful cannot tell even that: then both are balls.
    """
    n, d = faces.shape
    everything = (faces.T @ faces / n).astype(np.float64)
    everything += np.eye(d) * 1e-3 * np.trace(everything) / d
    size = size_of(members)
    members, size = members[:, size > 1.0], size[size > 1.0]
    total = np.asarray(members.T @ faces, np.float64)
    member = np.asarray(members.sum(1), np.float64)
    freedom = max(float(member.sum() - (size_of(members.multiply(members)) / size).sum()), 0.0)
    within = 0.6 * everything
    if freedom > 1:
        within = ((faces * member[:, None]).T @ faces - (total / size[:, None]).T @ total) / freedom
    within = _plain(everything, within, shrink)
    between = _between(size, total, within) if len(size) else everything - within
    few = 1 / (1 + (freedom / (FACES_A_DIMENSION * d)) ** 4)
    flat, rest = _guessed(_shrunk(everything, n), _sure(size).sum(), typical)
    ball = handful(n) * np.eye(d) * np.trace(everything) / d
    within = (1 - few) * within + few * ((1 - handful(n)) * flat + (1 - typical) * ball)
    between = (1 - few) * between + few * ((1 - handful(n)) * rest + typical * ball)
    e, v = np.linalg.eigh(within)
    floor = 1e-3 * max(e.max(), 1e-3 * np.trace(everything) / d)  # without it, faces of persons without scatter fly apart
    whiten = v / np.sqrt(np.maximum(e, floor))
    psi, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return (whiten @ turn).astype(np.float32), np.maximum(psi, 1e-3).astype(np.float32)


def handful(faces: int) -> float:
    """How far so many faces are too few to tell even how they scatter as a whole: 1 for none, 0 for very many."""
    return HANDFUL / (HANDFUL + faces)


def _guessed(everything: FloatArray, persons: float, typical: float) -> tuple[FloatArray, FloatArray]:
    """W and B from T alone: W the same in all directions, B what it leaves of T.

    Faces of unit length whose cosine is c have the share 1 - c of their scatter within persons. Persons differ in fewer
    directions than there are, and T shows in which; taken for differing in all of them, look-alikes would seem one person.
    Few ``persons`` do not show it: then B is pulled towards ``b W``.
    """
    e, v = np.linalg.eigh(everything)
    within = np.minimum((1 - typical) * e.mean(), 0.95 * e)
    between = e - within
    pull = _pull(len(e), persons)
    between = (1 - pull) * between + pull * within * between.sum() / within.sum()
    return (v * within) @ v.T, (v * between) @ v.T


def _shrunk(everything: FloatArray, faces: int) -> FloatArray:
    """T pulled towards a ball by as much as so few ``faces`` overstate its directions (OAS, Chen et al. 2010)."""
    d, trace, square = len(everything), np.trace(everything), (everything**2).sum()
    uneven = (faces + 1 - 2 / d) * (square - trace**2 / d)
    pull = min(((1 - 2 / d) * square + trace**2) / max(uneven, 1e-12 * square), 1.0)
    return np.asarray((1 - pull) * everything + pull * np.eye(d) * trace / d)


def _plain(everything: FloatArray, within: FloatArray, shrink: float) -> FloatArray:
    """W pulled towards the ``a I + b T`` that fits it best along the axes of T."""
    e, v = np.linalg.eigh(everything)
    w = np.einsum("ij,ij->j", v, within @ v)
    line = np.stack([np.ones(len(e)), e], 1)
    plain = np.maximum(line @ np.linalg.lstsq(line, w, rcond=None)[0], 0.05 * max(w.mean(), 1e-6))
    return np.asarray((1 - shrink) * within + shrink * (v * plain) @ v.T)


def _between(size: FloatArray, total: FloatArray, within: FloatArray) -> FloatArray:
    """How unlike persons are, each person counting once and not by faces; with few persons pulled towards ``b W``."""
    d = len(within)
    weight = _sure(size)
    persons = weight.sum()
    weight = weight / persons
    mean = total / size[:, None]
    between = (mean * weight[:, None]).T @ mean - (weight / size).sum() * within
    ball = within * max(np.trace(np.linalg.solve(within, between)) / d, 1e-3)
    pull = _pull(d, persons)
    return np.asarray((1 - pull) * between + pull * ball)


def _sure(size: FloatArray) -> FloatArray:
    """How much persons of this many faces count when persons are compared."""
    return np.asarray(size / (size + SURE_MEAN))


def _pull(dimensions: int, persons: float) -> float:
    """How little so many persons tell of the directions in which persons differ: 1 nothing, 0 all."""
    return dimensions / (dimensions + BALL * persons)


def one_person(size: FloatArray, total: FloatArray, psi: FloatArray) -> FloatArray:
    """log P(``size`` faces with the sum ``total`` | they are one person), without the terms that never change.

    ``1/2 sum_d [psi total^2 / (1 + size psi) - log(1 + size psi)]``
    """
    spread = 1 + size[:, None] * psi
    return np.asarray(0.5 * (total**2 * psi / spread - np.log(spread)).sum(1))


@dataclass(frozen=True, eq=False)
class Looks:
    """Log-odds that a face looks like person k rather than like somebody new, itself left out of k.

    ``L_ik = log N(y_i; m_k, v_k) - log N(y_i; 0, 1 + psi)`` with ``v = 1 + psi/(1 + n psi)`` and ``m = s psi/(1 + n psi)``,
    n and s the number and sum of k's other faces. Faces × persons are never held at once: what is kept is ``left`` and
    ``right``, whose product they are, and the values of ``own``, the members of a person, who are left out of it.
    """

    left: FloatArray  # faces × factors
    right: FloatArray  # factors × persons
    own: Sparse  # faces × persons

    @staticmethod
    def of(picture: Picture, members: Sparse) -> Looks:
        y, psi = picture.y, picture.psi
        size, total = size_of(members).astype(np.float32), np.asarray(members.T @ y, np.float32)
        precision = 1 / psi + size[:, None]
        v, m = 1 + 1 / precision, total / precision
        narrow, axes = _factors(1 / v)
        left = np.c_[y, -0.5 * (y**2) @ axes, picture.new, np.ones(len(y), np.float32)]
        right = np.r_[(m / v).T, narrow.T, np.ones((1, len(size))), -0.5 * (m**2 / v + np.log(v)).sum(1)[None]]
        return Looks(np.asarray(left, np.float32), np.asarray(right, np.float32), left_out(picture, members))

    def rows(self, face: IntArray | slice) -> FloatArray:
        """Those of a few faces, for all persons."""
        block: FloatArray = self.left[face] @ self.right
        own = self.own[face].tocoo()
        block[own.coords] = own.data
        return block

    def at(self, face: IntArray, person: IntArray) -> FloatArray:
        """Those of single pairs."""
        value = self._product(face, person)
        place, mine = places(self.own, face, person)
        value[mine] = self.own.data[place[mine]]
        return value

    def by_person(self, members: Sparse) -> Callable[[slice], FloatArray]:
        """For a few persons at a time, the sums over their ``members``, for all persons (persons × persons)."""
        face, person, value = entries(self.own)
        apart = table(value - self._product(face, person), face, person, self.own.shape)
        sums, mend = np.asarray(members.T @ self.left, np.float32), sparse(members.T @ apart)
        return lambda part: np.asarray(sums[part] @ self.right + mend[part].toarray())

    def _product(self, face: IntArray, person: IntArray) -> FloatArray:
        right, value = np.ascontiguousarray(self.right.T), np.empty(len(face), np.float32)
        for start in range(0, len(face), PAIRS):
            part = slice(start, start + PAIRS)
            value[part] = np.einsum("ij,ij->i", self.left[face[part]], right[person[part]])
        return value


def _factors(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two narrow tables whose product are these rows, which hardly differ: a few numbers each tell them apart."""
    value, axes = np.linalg.eigh(rows.T.astype(np.float64) @ rows)
    axes = axes[:, value > NARROW * value.max(initial=1e-30)].astype(np.float32)
    return rows @ axes, axes


def left_out(picture: Picture, members: Sparse, faces: BoolArray | None = None) -> Sparse:
    """The log-odds that each member (of some ``faces``) is one of its person's other faces rather than somebody new."""
    y, psi = picture.y, picture.psi
    size, total, new = size_of(members).astype(np.float32), np.asarray(members.T @ y, np.float32), picture.new
    face, person, share = entries(members)
    belongs = share > FAINT if faces is None else (share > FAINT) & faces[face]
    face, person, share = face[belongs], person[belongs], share[belongs][:, None]
    value = np.empty(len(face), np.float32)
    for start in range(0, len(face), PAIRS):
        part = slice(start, start + PAIRS)
        i, k, w = face[part], person[part], share[part]
        precision = 1 / psi + np.maximum(size[k][:, None] - w, 0)
        v = 1 + 1 / precision
        apart = y[i] - (total[k] - w * y[i]) / precision
        value[part] = new[i] - 0.5 * (apart**2 / v + np.log(v)).sum(1)
    return table(value, face, person, members.shape)


# --- Captions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Captions:
    """``said`` (faces × names) is 1 where a face's own caption holds the name; ``mentions`` counts a name's captions."""

    said: Sparse
    mentions: FloatArray
    groups: int

    @staticmethod
    def of(problem: Problem) -> Captions:
        one = np.ones(problem.mentions, np.float32)
        said = table(one, problem.mention_group, problem.mention_name, (problem.groups, len(problem.names)))
        return Captions(said[problem.group], size_of(said), problem.groups)


@dataclass(frozen=True, eq=False)
class Rates:
    """How often a visible (``rho``) and an absent (``beta``) person is named, by name; ``common`` is rho over all names."""

    rho: FloatArray
    beta: FloatArray
    common: float

    @property
    def said(self) -> FloatArray:
        """What a mention says for its name: ``log rho/beta``."""
        return np.asarray(np.log(self.rho / self.beta))

    @property
    def unsaid(self) -> FloatArray:
        """What a caption without the name says: ``log (1 - rho)/(1 - beta)``."""
        return np.asarray(np.log((1 - self.rho) / (1 - self.beta)))


def rates(members: Sparse, captions: Captions, strength: float) -> Rates:
    """rho and beta counted over ``members`` (faces × names), rho with ``strength`` faces of the common one added."""
    groups = captions.groups
    size, hit = size_of(members), size_of(members.multiply(captions.said))
    common = float(np.clip((hit.sum() + 1) / (size.sum() + 2), 0.05, 0.995))
    rho = np.clip((hit + strength * common) / (size + strength), 0.02, 0.998)
    absent = np.maximum(groups - size, 0.1 * groups + 1) + 2  # one caption alone must not make absence the rule
    beta = np.clip((captions.mentions - hit + 0.5) / absent, 0.2 / groups, 0.9)
    return Rates(np.maximum(rho, beta), beta, common)


def caption_fit(
    hit: FloatArray, size: FloatArray, mentions: FloatArray, groups: int, common: float, strength: float
) -> FloatArray:
    """log P(all captions | a person is c) - log P(all captions | is not c), rho and beta integrated out.

    The person is seen ``size`` times, ``hit`` times beside one of c's ``mentions``; rho ~ Beta(strength common, strength
    (1 - common)), beta ~ Beta(1/2, 2).
    """
    hit = np.minimum(hit, size)
    rest = np.maximum(mentions - hit, 0)
    yes, no = strength * common, strength * (1 - common)
    seen = betaln(yes + hit, no + size - hit) - betaln(yes, no)
    absent = betaln(0.5 + rest, 2 + np.maximum(groups - size, rest) - rest)
    return np.asarray(seen + absent - betaln(0.5 + mentions, 2 + np.maximum(groups - mentions, 0)))
