"""Search in an archive of many films: people who are made up, whose vectors are as far apart as those of our own embedder
are. The films are not there, but everything that a search looks at is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import ran
from core.jobs.archive import search as looking
from core.jobs.archive.search import ASKED
from core.solvers.embeddings import FACENET
from core.solvers.identity.prior import mean_face, offline_prior
from core.store.archives.archive import Archive, NewFilm
from core.store.archives.presence import Presence
from core.store.archives.vectors import FaceVectors

BATCH = 250_000  # vectors that are made at once
DIMENSION = 512
EACH = 25  # tracks of a person
MANY = 50  # that are wanted; the app asks for more, as some rows may have been replaced
TRACKS = 1000  # of a film
NAMED = 20  # people of a film who have a name, the most frequent ones of ...
NAMES = 20_000  # ... so many in all
TIMES = 30  # that each of them is on screen
Vectors = NDArray[np.float32]


def build(folder: Path, many: int) -> None:
    """The archive, its vectors and their index; what was kept of an earlier run counts."""
    with Archive.at(folder) as archive:
        films = -(-many // TRACKS)
        archive.states.add([NewFilm(f"film-{k:05}", f"Film {k}", Path(f"/films/{k:05}.mp4")) for k in range(films)])
        index = looking._vectors(archive, FACENET, DIMENSION)
        while (at := len(index)) < many:
            index.add(people(at // BATCH, min(BATCH, many - at)), at)
            print(f"{len(index):,} vectors", flush=True)
        used = time.process_time()
        index.index()
        print(f"{time.process_time() - used:.0f} s of processor for what was not in the index", flush=True)
        _fill(archive, films, many)


def _fill(archive: Archive, films: int, many: int) -> None:
    """Which rows are which film's, and who is on screen when."""
    presence = Presence(archive.search_folder())
    random = np.random.default_rng(0)
    for film in range(len(presence.fingerprints()), films):
        folder = archive.project_folder(f"film-{film:05}")
        folder.mkdir(exist_ok=True)
        (folder / "project.sqlite").write_bytes(b"0")  # its size and time are looked at, to see whether it has changed
        rows = [(k, f"{film:05}.mp4", float(k), "") for k in range(min(TRACKS, many - film * TRACKS))]
        names = np.unique((NAMES * random.random(NAMED) ** 3).astype(np.int64)).tolist()
        moments = random.uniform(0, 2700, (len(names), TIMES)).tolist()
        seen = [
            (f"{film:05}.mp4", f"Person {who}", at, at + 4, 3)
            for who, some in zip(names, moments, strict=True)
            for at in some
        ]
        where = FACENET, DIMENSION
        presence.replace(folder.name, f"Film {film}", looking._fingerprint(folder), where, film * TRACKS, rows, seen)
    presence.close()


def search(folder: Path, many: int, queries: int) -> None:
    """Further tracks of people who are there; in a process of its own, whose memory is that of searching."""
    ran("-m", "benchmarks.scale_search", folder, str(many), str(queries), echo=True)


def measure(folder: Path, many: int, queries: int) -> None:
    """As the app asks: the archive, its tables and the index are opened anew for each question."""
    archive = Archive.open(folder)
    index = looking._vectors(archive, FACENET, DIMENSION)
    spread = np.linspace(0, many - 1, queries).astype(np.int64)
    asked = np.concatenate([people(row // BATCH, BATCH, of=row % BATCH) for row in spread.tolist()])
    looking.find(archive, FACENET, asked[0], MANY)
    spent, found = [], []
    for query in asked:
        began, used = time.perf_counter(), time.process_time()
        looking.find(archive, FACENET, query, MANY)
        spent.append((time.process_time() - used, time.perf_counter() - began))
        found.append(index.search(query, ASKED * MANY)[0][:MANY])
    import resource  # only Unix has it

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    taken = np.percentile(np.array(spent), 95, axis=0)
    size = sum(path.stat().st_size for path in index.folder.glob("index-*.faiss")) / 2**30
    person, places = spread // EACH, [rows // EACH for rows in found]
    same = np.mean([(rows == who).sum() / EACH for rows, who in zip(places, person, strict=True)])
    first = np.mean([rows[0] == who for rows, who in zip(places, person, strict=True)])
    print(f"{len(index):,} vectors of {DIMENSION} numbers, index {size:.2f} GB; {queries} queries")
    print(
        f"p95 {1000 * taken[0]:.0f} ms of processor, {1000 * taken[1]:.0f} ms on the clock; at most {peak:.2f} GB of memory"
    )
    print(f"the first hit is the same person in {first:.0%}; {same:.0%} of a person's {EACH} tracks are among {MANY} hits")
    asks: dict[str, Callable[[], object]] = {
        "what has changed": lambda: looking.changed(archive),
        "who is in it": lambda: looking.names(archive, "", 200),
        "names with a text": lambda: looking.names(archive, "person 12", 200),
        "when somebody is on screen": lambda: looking.on_screen(archive, "Person 0"),
    }
    for what, ask in asks.items():
        used = time.process_time()
        ask()
        print(f"{what}: {1000 * (time.process_time() - used):.0f} ms of processor")
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
