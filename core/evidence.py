"""What the pictures and the captions say, each as log-odds.

Pictures: a two-covariance (PLDA) model. Faces of person k are ``y ~ N(mu_k, I)``, persons are ``mu_k ~ N(0, diag psi)``,
in a basis that whitens the scatter within persons. Captions: a visible person c is named with the chance rho_c, an absent
one with the chance beta_c. All of it is estimated from the current answer: *members*, a sparse table (faces × persons) of
how much each face belongs to each person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, hstack
from scipy.special import betaln

from core.problem import FloatArray, IntArray, Problem

Sparse: TypeAlias = csr_array[Any, tuple[int, int]]

BLOCK = 2048  # faces compared with all others at once
PAIRS = 16384  # (face, person) pairs scored at once
ROUNDING = 1e-9  # a smaller difference from the mean face is none
FAINT = 1e-3  # a membership below this does not move its person
SURE_MEAN = 2.0  # a person of this many faces counts half when persons are compared
BALL = 1.5  # how many directions one person tells of the scatter between persons
FACES_A_DIMENSION = 3.0  # with fewer faces than this for each dimension, directions of scatter are hardly believed


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


def beside(*tables: Sparse) -> Sparse:
    """Tables of the same faces as one."""
    return sparse(hstack(tables))


def times(weight: FloatArray, members: Sparse) -> Sparse:
    """Every face's memberships times its weight."""
    return sparse(diags_array(weight) @ members)


# --- Pictures ----------------------------------------------------------------------------------------------------------


def unit(rows: FloatArray) -> FloatArray:
    """Every row at length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def prepare(features: FloatArray, dimensions: int) -> FloatArray:
    """Unit length, centred, unit length again, on the leading principal directions. All zero if all faces are the same."""
    rows = unit(features.astype(np.float64))
    if len(rows) > 2:  # the difference of two faces would be all that is left of them
        rows = rows - rows.mean(0)
        rows = unit(np.where(np.abs(rows) < ROUNDING, 0.0, rows))
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions], np.float32)


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The nearest faces in other groups: ``index`` and ``cosine``, nearest first, and ``weight`` (faces × faces, 0 to 1)."""

    index: IntArray
    cosine: FloatArray
    weight: Sparse

    @property
    def typical(self) -> float:
        """The cosine of a face and its nearest look-alike, usually."""
        return float(np.clip(np.median(self.cosine[:, 0]), 0.05, 0.5))


def look_alikes(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> LookAlikes:
    """The ``many`` nearest faces of other groups.

    The weight is 0 at two standard deviations above the cosine of unrelated faces, and 1 at that of the typical nearest.
    """
    index, cosine = _nearest(faces, group, many)
    unrelated = np.einsum("ij,ij->i", faces, faces[rng.permutation(len(faces))])
    middle = np.median(unrelated)  # most pairs are different people
    low = middle + 2 * 1.48 * np.median(np.abs(unrelated - middle))
    high = max(np.median(cosine[:, :3]), low + 1e-3)
    weight = np.clip((cosine - low) / (high - low), 0, 1)
    row = np.repeat(np.arange(len(faces)), index.shape[1])
    return LookAlikes(index, cosine, table(weight.ravel(), row, index.ravel(), (len(faces), len(faces))))


def _nearest(faces: FloatArray, group: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    n = len(faces)
    many = max(min(many, n - 1), 1)
    index, cosine = np.zeros((n, many), np.int64), np.full((n, many), -2.0, np.float32)
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        similarity = faces[part] @ faces.T
        similarity[group[part][:, None] == group[None]] = -2.0
        near = np.argpartition(-similarity, many - 1, axis=1)[:, :many]
        value = np.take_along_axis(similarity, near, 1)
        order = np.argsort(-value, axis=1, kind="stable")
        index[part], cosine[part] = np.take_along_axis(near, order, 1), np.take_along_axis(value, order, 1)
    return index, cosine


@dataclass(frozen=True, eq=False)
class Picture:
    """The faces as the model sees them: ``y`` with scatter I within persons, ``psi`` between them."""

    y: FloatArray
    psi: FloatArray


def see(faces: FloatArray, members: Sparse, shrink: float, typical: float) -> Picture:
    """The faces in the basis that their ``members`` give."""
    basis, psi = scatter_basis(faces, members, shrink, typical)
    return Picture(np.asarray(faces @ basis), psi)


def scatter_basis(faces: FloatArray, members: Sparse, shrink: float, typical: float) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag psi``: W the scatter within persons, B between them.

    ``shrink`` is the pull of W towards ``a I + b T``, T the scatter of all faces: 1 learns nothing about directions.
    A few dozen faces cannot tell directions at all: then both scatters are balls, sized by ``typical``, the cosine of the
    usual look-alikes (faces of unit length whose cosine is c have the share 1 - c of their scatter within).
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
    few = 1 / (1 + (freedom / (FACES_A_DIMENSION * d)) ** 3)
    ball = few * np.eye(d) * np.trace(everything) / d
    within = (1 - few) * within + (1 - typical) * ball
    between = (1 - few) * between + typical * ball
    e, v = np.linalg.eigh(within)
    floor = 1e-3 * max(e.max(), 1e-3 * np.trace(everything) / d)  # without it, faces of persons without scatter fly apart
    whiten = v / np.sqrt(np.maximum(e, floor))
    psi, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return (whiten @ turn).astype(np.float32), np.maximum(psi, 1e-3).astype(np.float32)


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
    weight = size / (size + SURE_MEAN)
    persons = weight.sum()
    weight = weight / persons
    mean = total / size[:, None]
    between = (mean * weight[:, None]).T @ mean - (weight / size).sum() * within
    ball = within * max(np.trace(np.linalg.solve(within, between)) / d, 1e-3)
    pull = d / (d + BALL * persons)
    return np.asarray((1 - pull) * between + pull * ball)


def one_person(size: FloatArray, total: FloatArray, psi: FloatArray) -> FloatArray:
    """log P(``size`` faces with the sum ``total`` | they are one person), without the terms that never change.

    ``1/2 sum_d [psi total^2 / (1 + size psi) - log(1 + size psi)]``
    """
    spread = 1 + size[:, None] * psi
    return np.asarray(0.5 * (total**2 * psi / spread - np.log(spread)).sum(1))


def picture_evidence(picture: Picture, members: Sparse) -> FloatArray:
    """Log-odds that a face looks like person k rather than like somebody new (faces × persons), itself left out of k.

    ``L_ik = log N(y_i; m_k, v_k) - log N(y_i; 0, 1 + psi)`` with ``v = 1 + psi/(1 + n psi)`` and ``m = s psi/(1 + n psi)``,
    n and s the number and sum of k's other faces.
    """
    y, psi = picture.y, picture.psi
    size, total = size_of(members).astype(np.float32), np.asarray(members.T @ y, np.float32)
    precision = 1 / psi + size[:, None]
    v, m = 1 + 1 / precision, total / precision
    new = 0.5 * (y**2 / (1 + psi)).sum(1) + 0.5 * np.log1p(psi).sum()
    evidence = y @ (m / v).T
    evidence -= 0.5 * (y**2) @ (1 / v).T
    evidence += new[:, None]
    evidence -= 0.5 * (m**2 / v + np.log(v)).sum(1)
    pairs = members.tocoo()
    belongs = pairs.data > FAINT
    face, person = pairs.coords[0][belongs], pairs.coords[1][belongs]
    share = pairs.data[belongs].astype(np.float32)[:, None]
    for start in range(0, len(face), PAIRS):
        part = slice(start, start + PAIRS)
        i, k, w = face[part], person[part], share[part]
        precision = 1 / psi + np.maximum(size[k][:, None] - w, 0)
        v = 1 + 1 / precision
        apart = y[i] - (total[k] - w * y[i]) / precision
        evidence[i, k] = new[i] - 0.5 * (apart**2 / v + np.log(v)).sum(1)
    return np.asarray(evidence)


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
