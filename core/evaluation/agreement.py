"""How far two people agree beyond chance."""

from __future__ import annotations

import numpy as np

from core.problem import IntArray


def cohen_kappa(one: IntArray, other: IntArray) -> float | None:
    """Cohen's kappa of two people's answers to the same questions; None where it is not defined: no answers, or only one
    that both always give.

    >>> cohen_kappa(np.array([1, 1, 2, 2]), np.array([1, 1, 2, 1]))
    0.5
    """
    if not len(one):
        return None
    values = np.unique(np.r_[one, other])
    chance = float(sum(np.mean(one == value) * np.mean(other == value) for value in values))
    return None if chance == 1.0 else (float(np.mean(one == other)) - chance) / (1 - chance)
