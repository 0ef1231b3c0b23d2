"""Scatters learned offline, one file for each kind of embedder: ``python -m benchmarks.train_prior`` makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from core.problem import FloatArray

PRIORS = Path(__file__).with_name("priors")


@cache
def offline_prior(embedder: str, dimensions: int) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Directions (features × dimensions), W and B that were learned for such vectors; None if there are none."""
    stored = _stored(embedder)
    prior = (stored["directions"], stored["within"], stored["between"]) if stored else None
    return prior if prior is not None and len(prior[0]) == dimensions else None


@cache
def mean_face(embedder: str, dimensions: int) -> FloatArray | None:
    """The mean vector of many people's faces; None for embedders of which it is not known."""
    mean = _stored(embedder).get("mean")
    return None if mean is None or len(mean) != dimensions else np.asarray(mean, np.float64)


def _stored(embedder: str) -> dict[str, FloatArray]:
    path = PRIORS / f"{embedder}.npz"
    if not embedder or "/" in embedder or not path.is_file():
        return {}
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files if name != "about"}
