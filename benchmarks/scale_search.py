"""Search in the index of an archive: vectors of people who are made up, as far apart as those of our own embedder are."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.jobs.archive.search import ASKED
from core.solvers.embeddings import FACENET
from core.solvers.identity.prior import mean_face, offline_prior
from core.store.archives.vectors import FaceVectors

ROOT = Path(__file__).resolve().parents[1]
BATCH = 250_000  # vectors that are made at once
DIMENSION = 512
EACH = 25  # tracks of a person
MANY = 50  # that are wanted; the app asks for more, as some rows may have been replaced
Vectors = NDArray[np.float32]


def build(folder: Path, many: int) -> None:
    """The vectors and their index; what was kept of an earlier run counts."""
    index = FaceVectors(folder, DIMENSION)
    while (at := len(index)) < many:
        index.add(people(at // BATCH, min(BATCH, many - at)), at)
        print(f"{len(index):,} vectors", flush=True)
    used = time.process_time()
    index.index()
    print(f"{time.process_time() - used:.0f} s of processor for what was not in the index", flush=True)


def search(folder: Path, many: int, queries: int) -> None:
    """Further tracks of people who are there; in a process of its own, whose memory is that of searching."""
    subprocess.run(
        [sys.executable, "-m", "benchmarks.scale_search", str(folder), str(many), str(queries)], cwd=ROOT, check=True
    )


def measure(folder: Path, many: int, queries: int) -> None:
    index = FaceVectors(folder, DIMENSION)
    spread = np.linspace(0, many - 1, queries).astype(np.int64)
    asked = np.concatenate([people(row // BATCH, BATCH, of=row % BATCH) for row in spread.tolist()])
    index.search(asked[0], ASKED * MANY)
    spent, found = [], []
    for query in asked:
        began, used = time.perf_counter(), time.process_time()
        found.append(index.search(query, ASKED * MANY)[0][:MANY])
        spent.append((time.process_time() - used, time.perf_counter() - began))
    import resource  # only Unix has it

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    taken = np.percentile(np.array(spent), 95, axis=0)
    size = sum(path.stat().st_size for path in folder.glob("index-*.faiss")) / 2**30
    person, places = spread // EACH, [rows // EACH for rows in found]
    same = np.mean([(rows == who).sum() / EACH for rows, who in zip(places, person, strict=True)])
    first = np.mean([rows[0] == who for rows, who in zip(places, person, strict=True)])
    print(f"{len(index):,} vectors of {DIMENSION} numbers, index {size:.2f} GB; {queries} queries")
    print(
        f"p95 {1000 * taken[0]:.0f} ms of processor, {1000 * taken[1]:.0f} ms on the clock; at most {peak:.2f} GB of memory"
    )
    print(f"the first hit is the same person in {first:.0%}; {same:.0%} of a person's {EACH} tracks are among {MANY} hits")
    exact = nearest(index, asked)
    shared = np.mean([np.isin(rows, best).mean() for rows, best in zip(exact, found, strict=True)])
    same = np.mean([(rows // EACH == who).sum() / EACH for rows, who in zip(exact, person, strict=True)])
    print(f"exactly compared: {same:.0%}; {shared:.0%} of those hits are found by the index")


def nearest(index: FaceVectors, asked: Vectors) -> NDArray[np.int64]:
    """The rows most alike to each query, all compared."""
    best, rows = np.zeros((len(asked), 0), np.float32), np.zeros((len(asked), 0), np.int64)
    for start in range(0, len(index), BATCH):
        part = np.asarray(index.vectors()[start : start + BATCH], np.float32)
        best = np.hstack([best, asked @ part.T])
        here = np.broadcast_to(np.arange(start, start + len(part)), (len(asked), len(part)))
        rows = np.hstack([rows, here])
        order = np.argpartition(-best, MANY - 1, axis=1)[:, :MANY]
        best, rows = np.take_along_axis(best, order, 1), np.take_along_axis(rows, order, 1)
    return rows


@cache
def _drawn() -> tuple[Vectors, Vectors, Vectors]:
    """What makes a person, and a track of somebody, out of independent numbers; and the mean face."""
    prior, mean = offline_prior(FACENET, DIMENSION), mean_face(FACENET, DIMENSION)
    assert prior is not None
    assert mean is not None
    directions, within, between = prior
    one, other = (directions @ np.linalg.cholesky(part + 1e-9 * np.eye(len(part))) for part in (between, within))
    return one.T.astype(np.float32), other.T.astype(np.float32), mean.astype(np.float32)


def people(number: int, many: int, of: int = -1) -> Vectors:
    """``many`` tracks of people whom no other batch has; with ``of``, one further track of the person of that row."""
    random = np.random.default_rng(number)
    person, track, mean = _drawn()
    centres = random.standard_normal((-(-BATCH // EACH), len(person)), np.float32) @ person
    if of >= 0:
        random, wanted = np.random.default_rng([number, of]), np.array([of // EACH])
    else:
        wanted = np.arange(many) // EACH
    rows = mean + centres[wanted] + random.standard_normal((len(wanted), len(track)), np.float32) @ track
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


if __name__ == "__main__":
    measure(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
