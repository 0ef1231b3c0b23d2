"""Made-up films with known truth, at the statistics of MPII-MD: for tests, benchmarks and the first page."""

from __future__ import annotations

import numpy as np

from core.problem import NOBODY, FloatArray, Problem

FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "June", "Kit", "Lou", "Mia", "Ned", "Oona", "Pia")


def films(
    films: int = 13,
    groups: int = 558,
    names: int = 181,
    dimensions: int = 512,
    noise: float = 0.8,
    named: float = 0.55,
    extras: float = 0.2,
    seed: int = 0,
) -> Problem:
    """``films`` films with casts of their own, ``groups`` frames and ``names`` names in all.

    A frame shows one to four faces: people of the film's cast, the leads more often, or extras who come once and are nobody.
    A visible person is named by the frame's caption with the chance ``named``; a caption may name absent people too.
    ``noise`` is the length of a face's deviation from its person's unit vector before it is scaled to unit length.
    """
    rng = np.random.default_rng(seed)
    cast = np.sort(rng.integers(films, size=max(names - films, 0)).tolist() + list(range(min(films, names))))
    person = _unit(rng.normal(size=(names, dimensions)))
    features, group, truth, candidates = [], [], [], []
    for g in range(groups):
        members = np.flatnonzero(cast == g * films // groups)
        lead = 1.0 / np.arange(1, len(members) + 1)
        visible = rng.choice(members, size=min(len(members), rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1])),
                             replace=False, p=lead / lead.sum())  # fmt: skip
        mentioned = [int(p) for p in visible if rng.random() < named]
        if rng.random() < 0.4:
            mentioned.append(int(rng.choice(members, p=lead / lead.sum())))
        for p in visible:
            extra = rng.random() < extras
            direction = _unit(rng.normal(size=dimensions)) if extra else person[p]
            features.append(direction + noise * _unit(rng.normal(size=dimensions)))
            group.append(g)
            truth.append(NOBODY if extra else int(p))
        candidates.append([_name(p) for p in dict.fromkeys(mentioned)])
    return Problem.build(
        features=_unit(np.array(features)),
        group=group,
        names=[_name(p) for p in range(names)],
        candidates=candidates,
        truth=truth,
    )


def _name(person: int) -> str:
    turn = person // len(FIRST)
    return FIRST[person % len(FIRST)] + (f" {turn + 1}" if turn else "")


def _unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))
