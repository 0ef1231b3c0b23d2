"""What the pictures and the captions say, each as log-odds.

Pictures: a two-covariance (PLDA) model. Faces of person k are ``y ~ N(mu_k, I)``, persons are ``mu_k ~ N(0, diag psi)``,
in a basis that whitens the scatter within persons. Captions: a visible person c is named with the chance rho_c, an absent
one with the chance beta_c. All of it is estimated from the current answer: *members*, a sparse table (faces × persons) of
how much each face belongs to each person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln

from core.corrections import Bound
from core.members import Sparse, entries, places, size_of, sparse, table
from core.problem import BoolArray, FloatArray, IntArray, Problem
from core.scatter import scatter_basis

PAIRS = 16384  # (face, person) pairs scored at once
NARROW = 1e-14  # of what narrow tables leave out, squared
FAINT = 1e-3  # a membership below this does not move its person


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
    def of(picture: Picture, members: Sparse, face: IntArray | None = None) -> Looks:
        """Of all faces, or of a few, which are counted anew then."""
        size, total = size_of(members).astype(np.float32), np.asarray(members.T @ picture.y, np.float32)
        precision = 1 / picture.psi + size[:, None]
        v, m = 1 + 1 / precision, total / precision
        if face is None:
            few, (narrow, axes), own = picture, _factors(1 / v), members
        else:
            few, narrow, own = Picture(picture.y[face], picture.psi), 1 / v, members[face]
            axes = np.eye(len(picture.psi), dtype=np.float32)
        y = few.y
        left = np.c_[y, -0.5 * (y**2) @ axes, few.new, np.ones(len(y), np.float32)]
        right = np.r_[(m / v).T, narrow.T, np.ones((1, len(size))), -0.5 * (m**2 / v + np.log(v)).sum(1)[None]]
        return Looks(np.asarray(left, np.float32), np.asarray(right, np.float32), _left_out(few, own, size, total))

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


def left_out(picture: Picture, members: Sparse) -> Sparse:
    """The log-odds that each member is one of its person's other faces rather than somebody new."""
    return _left_out(picture, members, size_of(members).astype(np.float32), np.asarray(members.T @ picture.y, np.float32))


def _left_out(picture: Picture, members: Sparse, size: FloatArray, total: FloatArray) -> Sparse:
    """The same for some faces, where ``size`` and ``total`` are the number and the sum of all faces of each person."""
    y, psi, new = picture.y, picture.psi, picture.new
    face, person, share = entries(members)
    belongs = share > FAINT
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
    """``said`` (faces × names) is 1 where a face's own caption holds the name; ``mentions`` counts a name's captions.

    ``unheard`` are names that people gave and no caption ever holds: captions cannot tell anything of them.
    """

    said: Sparse
    mentions: FloatArray
    groups: int
    unheard: BoolArray

    @staticmethod
    def of(problem: Problem, bound: Bound) -> Captions:
        """What captions really hold: a name that people brought into a frame tells nothing of how captions name."""
        key = problem.mention_group * max(len(problem.names), 1) + problem.mention_name
        held = ~np.isin(key, bound.brought)
        group, name = problem.mention_group[held], problem.mention_name[held]
        said = table(np.ones(len(name), np.float32), group, name, (problem.groups, len(problem.names)))
        mentions, given = size_of(said), np.bincount(bound.fixed[bound.fixed >= 0], minlength=len(problem.names))
        return Captions(said[problem.group], mentions, problem.groups, (mentions == 0) & (given > 0))


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
    size, hit = size_of(members) * ~captions.unheard, size_of(members.multiply(captions.said))
    common = float(np.clip((hit.sum() + 1) / (size.sum() + 2), 0.05, 0.995))
    rho = np.clip((hit + strength * common) / (size + strength), 0.02, 0.998)
    absent = np.maximum(groups - size, 0.1 * groups + 1) + 2  # one caption alone must not make absence the rule
    beta = np.clip((captions.mentions - hit + 0.5) / absent, 0.2 / groups, 0.9)
    return Rates(np.where(captions.unheard, beta, np.maximum(rho, beta)), beta, common)


def caption_fit(
    hit: FloatArray, size: FloatArray, mentions: FloatArray, groups: int, common: float, strength: float
) -> FloatArray:
    """log P(all captions | a person is c) - log P(all captions | is not c), rho and beta integrated out.

    The person is seen ``size`` times, ``hit`` times beside one of c's ``mentions``; rho ~ Beta(strength common, strength
    (1 - common)), beta ~ Beta(1/2, 2). Of a name that is never mentioned they tell nothing.
    """
    hit = np.minimum(hit, size)
    rest = np.maximum(mentions - hit, 0)
    yes, no = strength * common, strength * (1 - common)
    seen = betaln(yes + hit, no + size - hit) - betaln(yes, no)
    absent = betaln(0.5 + rest, 2 + np.maximum(groups - size, rest) - rest)
    fit = seen + absent - betaln(0.5 + mentions, 2 + np.maximum(groups - mentions, 0))
    return np.where(mentions > 0, fit, 0.0)
