"""Learns how faces vary, for the product's own embedders: ``python -m benchmarks.train_prior [GALLERY] [--vectors FOLDER]``.

GALLERY has a folder of photographs a person (the test data's by default). For each embedder the parameters go into
``core/solvers/identity/priors/``: principal directions, covariances within and between persons, how they were made and how
they do on people who were held out. Neither pictures nor vectors of single faces are in them. ``--vectors`` keeps the
vectors in a folder, and takes those that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.prior.learn import (
    BETWEEN_SHRUNK,
    WITHIN_SHRUNK,
    Plda,
    best_temperature,
    calibration_error,
    cost,
    equal_error,
    learn,
    log_ratios,
)
from benchmarks.prior.photos import COPIES, KINDS, Kind, Vectors, vectors
from core.errors import BadInput
from core.problem import BoolArray, FloatArray, IntArray

PRIORS = Path(__file__).parents[1] / "core" / "solvers" / "identity" / "priors"
FOLDS = 4  # each person is held out in one
SEED = 17
TESTED = 12  # photographs a person at the most, so that nobody weighs too much

Pairs = tuple[FloatArray, BoolArray, IntArray, IntArray]  # log-likelihood ratio, whether one person, and the two copies


def held_out_pairs(found: Vectors) -> Pairs:
    """All pairs of different photographs of people, by parameters that were learned from other people."""
    random = np.random.default_rng(SEED)
    fold = random.permutation(np.unique(found.person).size) % FOLDS
    shuffled = random.permutation(found.photo.max() + 1)
    tested = np.zeros(len(shuffled), bool)
    for person in np.unique(found.person):
        mine = np.unique(found.photo[found.person == person])
        tested[mine[np.argsort(shuffled[mine])][:TESTED]] = True
    parts = []
    for number in range(FOLDS):
        out = fold[found.person] == number
        plda = learn(found.features[~out], found.person[~out])
        parts.append(_pairs(plda, found, np.flatnonzero(out & tested[found.photo])))
    return tuple(np.concatenate(values) for values in zip(*parts, strict=True))  # type: ignore[return-value]


def _pairs(plda: Plda, found: Vectors, faces: IntArray) -> Pairs:
    rows = found.features[faces].astype(np.float64)
    person, photo, copy = found.person[faces], found.photo[faces], found.copy[faces]
    centre = np.mean([rows[person == who].mean(axis=0) for who in np.unique(person)], axis=0)
    one, other = np.triu_indices(len(faces), 1)
    apart = photo[one] != photo[other]
    one, other = one[apart], other[apart]
    return log_ratios(plda, rows - centre)[one, other], person[one] == person[other], copy[one], copy[other]


def figures(pairs: Pairs) -> dict[str, Any]:
    """Equal error rate, cost and calibration of same and different, copy by copy and over all of them."""
    ratio, same, one, other = pairs
    temperature = best_temperature(ratio, same)
    chosen = {copy.what: (one == place) & (other == place) for place, copy in enumerate(COPIES)}
    chosen["all of these mixed"] = np.ones(len(ratio), bool)
    table = {}
    for what, pair in chosen.items():
        told, truth = ratio[pair], same[pair]
        table[what] = {
            "pairs": int(pair.sum()),
            "equal error rate": round(equal_error(told, truth), 4),
            "Cllr": round(cost(told, truth), 3),
            "Cllr at the temperature": round(cost(temperature * told, truth), 3),
            "ECE at the temperature": round(calibration_error(temperature * told, truth), 3),
        }
    return {"temperature": round(temperature, 2), "same and different people": table}


def mean_face(found: Vectors) -> FloatArray:
    """The mean of the people's means, as they are photographed."""
    plain, person = found.features[found.copy == 0].astype(np.float64), found.person[found.copy == 0]
    return np.asarray(np.mean([plain[person == who].mean(axis=0) for who in np.unique(person)], axis=0))


def write(path: Path, plda: Plda, mean: FloatArray, about: dict[str, Any]) -> None:
    """The parameters as one file of arrays, with what is to be known about them as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        directions=plda.directions.astype(np.float32),
        within=plda.within.astype(np.float32),
        between=plda.between.astype(np.float32),
        mean=mean.astype(np.float32),
        about=np.array(json.dumps(about, ensure_ascii=False)),
    )


def gathered(gallery: Path, kind: Kind, folder: Path | None) -> Vectors:
    """The vectors of a gallery; from the folder if they are there."""
    path = folder / f"{kind.embedder}.npz" if folder else None
    if path and path.is_file():
        with np.load(path, allow_pickle=False) as stored:
            return Vectors(**{name: stored[name] for name in ("features", "person", "photo", "copy")})
    found = vectors(gallery, kind, lambda text: print(text, flush=True))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, features=found.features, person=found.person, photo=found.photo, copy=found.copy)
    return found


def about(kind: Kind, found: Vectors) -> dict[str, Any]:
    """How the parameters were made, and how such parameters do on people held out."""
    return {
        "embedder": kind.embedder,
        "people": int(np.unique(found.person).size),
        "photographs": int(np.unique(found.photo).size),
        "copies of each": [copy.what for copy in COPIES],
        "shrunk": {"within": WITHIN_SHRUNK, "between": BETWEEN_SHRUNK},
        "held out": f"each person once, in {FOLDS} folds; at most {TESTED} photographs a person; seed {SEED}",
        **figures(held_out_pairs(found)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.train_prior")
    default = Path(os.environ.get("ROLLCALL_TEST_DATA", ".")) / "gallery"
    parser.add_argument(
        "gallery", nargs="?", type=Path, default=default, help="a folder with a folder of photographs a person"
    )
    parser.add_argument("--vectors", type=Path, help="a folder to keep the vectors in")
    chosen = parser.parse_args()
    for kind in KINDS:
        found = gathered(chosen.gallery, kind, chosen.vectors)
        told = about(kind, found)
        write(PRIORS / f"{kind.embedder}.npz", learn(found.features, found.person), mean_face(found), told)
        print(json.dumps(told, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        sys.exit(str(error))
