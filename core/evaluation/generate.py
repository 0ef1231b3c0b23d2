"""Made-up films with known truth, at the statistics of MPII-MD and M-VAD: for tests, benchmarks and the first page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import NOBODY, FloatArray, IntArray, Problem

FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "June", "Kit", "Lou", "Mia", "Ned", "Oona", "Pia")


@dataclass(frozen=True)
class Scatter:
    """How people differ from each other, and one face of a person from the next."""

    noise: float = 0.8  # length of a face's deviation from its person's unit vector, before it is scaled to unit length
    uneven: float = 0.0  # how much that length varies from face to face (standard deviation of its logarithm)
    directions: float = 0.0  # in how many directions people differ, as if by equal parts; 0: in all
    common: float = 0.0  # length of what all faces share
    film: float = 0.0  # length of what the faces of one film share: its light, its make-up


MEASURED = Scatter(noise=0.55, uneven=0.36, directions=36, common=0.18, film=0.34)  # as of real faces: docs/performance.md


def films(
    films: int = 13,
    groups: int = 558,
    names: int = 181,
    dimensions: int = 512,
    noise: float = 0.8,
    named: float = 0.55,
    extras: float = 0.2,
    seed: int = 0,
    faces: int | None = None,
    absent: float = 0.4,
    scatter: Scatter | None = None,
) -> Problem:
    """``films`` films with casts of their own, ``groups`` frames and ``names`` names in all.

    A frame shows one to four faces (or, with ``faces``, as many as make that sum): people of the film's cast, the leads more
    often, or extras who come once and are nobody. A visible person is named by the frame's caption with the chance
    ``named``; with the chance ``absent`` it names one of the cast who need not be there. ``scatter`` tells more about the
    vectors than ``noise``, and stands for it where given.
    """
    rng = np.random.default_rng(seed)
    scatter = scatter or Scatter(noise)
    cast = np.sort(rng.integers(films, size=max(names - films, 0)).tolist() + list(range(min(films, names))))
    scale = _scale(scatter, dimensions)
    person = _unit(rng.normal(size=(names, dimensions)) * scale)
    shared = _shared(scatter, films, scale, rng)
    many = None if faces is None else _spread(faces, np.bincount(cast, minlength=films)[_film(films, groups)], rng)
    features, group, truth, candidates = [], [], [], []
    for g, film in enumerate(_film(films, groups)):
        members = np.flatnonzero(cast == film)
        lead = 1.0 / np.arange(1, len(members) + 1)
        shown = rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1]) if many is None else many[g]
        visible = rng.choice(members, size=min(len(members), shown), replace=False, p=lead / lead.sum())
        mentioned = [int(p) for p in visible if rng.random() < named]
        if rng.random() < absent:
            mentioned.append(int(rng.choice(members, p=lead / lead.sum())))
        for p in visible:
            extra = rng.random() < extras
            direction = _unit(rng.normal(size=dimensions) * scale) if extra else person[p]
            length = scatter.noise * np.exp(scatter.uneven * rng.normal()) if scatter.uneven else scatter.noise
            face = direction + shared[film] + length * _unit(rng.normal(size=dimensions) * scale)
            features.append(_unit(face).astype(np.float32))
            group.append(g)
            truth.append(NOBODY if extra else int(p))
        candidates.append([_name(p) for p in dict.fromkeys(mentioned)])
    return Problem.build(
        features=np.array(features),
        group=group,
        names=[_name(p) for p in range(names)],
        candidates=candidates,
        truth=truth,
    )


def mpii_md(faces: int = 806, groups: int = 558, names: int = 181, seed: int = 0) -> Problem:
    """As the paper tells of MPII-MD: 13 films, a fifth of the faces nobody, names often those of other frames' faces."""
    return films(_films(13, names / 181), groups, names, extras=0.21, faces=faces, scatter=MEASURED, seed=seed)


def m_vad(faces: int = 22_258, groups: int = 17_533, names: int = 591, seed: int = 0) -> Problem:
    """As the paper tells of M-VAD: 55 films, every face's name in its own caption, little else in it."""
    count = _films(55, names / 591)
    return films(count, groups, names, named=1, extras=0, absent=0.15, faces=faces, scatter=MEASURED, seed=seed)


def _films(usual: int, share: float) -> int:
    """How many films hold this share of the usual names."""
    return max(1, round(usual * share))


def _film(films: int, groups: int) -> IntArray:
    """Which film each frame is of."""
    return np.arange(groups) * films // max(groups, 1)


def _spread(faces: int, most: IntArray, rng: np.random.Generator) -> IntArray:
    """How many faces each frame shows: at least one, at most its film's cast, ``faces`` in all where that is possible."""
    many = np.minimum(1, most)
    while (left := min(faces, int(most.sum())) - int(many.sum())) > 0:
        room = np.flatnonzero(many < most)
        many += np.bincount(rng.choice(room, size=left), minlength=len(most))
        many = np.minimum(many, most)
    return many


def _scale(scatter: Scatter, dimensions: int) -> FloatArray:
    """How far people differ in each dimension: less and less, as the spectrum of real face vectors falls."""
    return np.exp(-np.arange(dimensions) / scatter.directions) if scatter.directions else np.ones(dimensions)


def _shared(scatter: Scatter, films: int, scale: FloatArray, rng: np.random.Generator) -> FloatArray:
    """What the faces of each film have in common, in part with all other films."""
    shared = np.zeros((films, len(scale)))
    if scatter.film:
        shared += scatter.film * _unit(rng.normal(size=shared.shape) * scale)
    shared[:, -1] += scatter.common  # a direction in which people hardly differ
    return shared


def _name(person: int) -> str:
    turn = person // len(FIRST)
    return FIRST[person % len(FIRST)] + (f" {turn + 1}" if turn else "")


def _unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))
