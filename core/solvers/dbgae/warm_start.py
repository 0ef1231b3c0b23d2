"""Warm starts of the autoencoder: what a training run without corrections leaves, as plain arrays.

A rerun takes up each round where that round ended, so it begins near what the same links taught before. The weights know
names and dimensions, not faces: faces and tracks may come apart under corrections.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.problem import Problem
from core.solvers.dbgae.links import Distances
from core.solvers.dbgae.model import DBGAE
from core.solvers.dbgae.settings import Settings

FORMAT = 1  # format version: increased when the arrays or the method change


@dataclass(frozen=True, eq=False)
class Round:
    """The end of one round: the weights by which its links were decoded, and the loss of its last epoch."""

    weights: Mapping[str, NDArray[Any]]  # by parameter
    loss: float


@dataclass(frozen=True, eq=False)
class Trained:
    """A training run without corrections."""

    names: tuple[str, ...]
    distances: Distances
    rounds: tuple[Round, ...]

    def load(self, number: int, model: DBGAE, names: tuple[str, ...]) -> None:
        """Gives ``model`` the weights of a round; the rows of names that were not there stay as they are."""
        index = {name: k for k, name in enumerate(names)}
        place = [index[name] for name in self.names]
        with torch.no_grad():
            for key, parameter in model.named_parameters():
                weight = torch.as_tensor(self.rounds[number].weights[key], device=parameter.device)
                if weight.shape == parameter.shape:
                    parameter.copy_(weight)
                else:  # a table with a row a name
                    parameter[place] = weight

    def goal(self, number: int, loss: float, tolerance: float) -> float:
        """The loss at which a round of a rerun that began with ``loss`` has settled: all but a share of ``tolerance`` of
        what the corrections added is gone."""
        ended = self.rounds[number].loss
        return ended + tolerance * max(loss - ended, 0.0)

    def pack(self) -> dict[str, NDArray[Any]]:
        """The arrays of a checkpoint. The names are not among them: its key is of a problem with the same names."""
        arrays: dict[str, NDArray[Any]] = {
            f"{k}.{key}": w for k, r in enumerate(self.rounds) for key, w in r.weights.items()
        }
        arrays |= {"format": np.array(FORMAT), "loss": np.array([r.loss for r in self.rounds])}
        return arrays | {"distances": np.array([self.distances.pair, self.distances.neighbour])}


def unpack(arrays: Mapping[str, NDArray[Any]] | None, problem: Problem, settings: Settings) -> Trained | None:
    """What ``pack`` packed; None if there is nothing, or nothing that this network can take up.

    ``problem`` is the one without corrections.
    """
    if arrays is None:
        return None
    with torch.device("meta"):  # shapes only
        shapes = {
            key: p.shape for key, p in DBGAE(settings, problem.features.shape[1], len(problem.names)).named_parameters()
        }
    expected = {f"{k}.{key}": tuple(shape) for k in range(settings.rounds) for key, shape in shapes.items()}
    expected |= {"format": (), "loss": (settings.rounds,), "distances": (2,)}
    if {key: array.shape for key, array in arrays.items()} != expected or arrays["format"] != FORMAT:
        return None
    if not all(array.dtype.kind in "fi" and np.isfinite(array).all() for array in arrays.values()):
        return None
    rounds = (Round({key: arrays[f"{k}.{key}"] for key in shapes}, float(arrays["loss"][k])) for k in range(settings.rounds))
    return Trained(problem.names, Distances(*arrays["distances"].tolist()), tuple(rounds))
