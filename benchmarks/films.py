"""How real films fare: ``python -m benchmarks.films [FILM...] [--method NAME] [--keep FOLDER] [--no-answers]``.

Films are those of the test data (``films/*.truth.json``, see its README) and the demo. Each is taken in as a new user would,
with its captions and nothing else, named once, and scored against the truth. Then a simulated person answers what the queue
asks until 95 % of the known screen time is right. Prints a table and saves JSON in ``benchmarks/results/``.

A found face is scored by the true track that it overlaps most, within a moment. ``false`` counts found faces where the truth
has none at all, so faces that nobody marked count as false. Faces of people who are not known are not scored.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from assets.demo.film import who_is
from core.corrections import Correction
from core.errors import BadInput
from core.evaluation.metrics import calibration_error
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.media.faces.suppress import overlaps
from core.prediction import Prediction
from core.problem import BoolArray, FloatArray, IntArray, Problem
from core.records import Box, Track
from core.review.queue import next_faces
from core.solve import METHODS, solve
from core.store.project import Project
from core.store.tables import track_table

RESULTS = Path(__file__).parent / "results" / "films.json"
DEMO = Path(__file__).parents[1] / "assets" / "demo" / "project" / "uploads"
SAME = 0.3  # intersection over union of a found face and a true one
NEAR = 0.16  # seconds between the two
OFTEN = 0.5  # seconds from one moment to the next at which faces are counted
ENOUGH = 0.95  # of the known screen time
SURE, NAMED = 0.95, 0.8  # confidence
NOT_KNOWN = None


@dataclass(frozen=True)
class Film:
    name: str
    video: Path
    captions: Path
    truth: Path | None  # None: the demo, which knows who it drew where


@dataclass(frozen=True)
class Told:
    """What one film comes to. Shares are of what the truth knows; an answer with a confidence below a half is *unknown*."""

    film: str
    seconds: float  # of processor a minute of film, to find and follow the faces
    faces: int  # that the truth has at two moments a second
    found: int
    false: int
    tracks: int
    purity: float
    pieces: float  # found tracks a true track
    neighbour: float  # the most similar track of another shot is the same person's
    right_faces: float
    right_time: float
    unknown_time: float
    nobody_sure: float  # of people whom captions name: said to be nobody, by more than NAMED
    named_right: float  # of names given by more than NAMED
    error: float  # expected calibration error
    sure_right: float  # of answers above SURE
    people: int
    answers: int  # until ENOUGH of the known screen time is right; -1 where it is never


# --- The truth ---------------------------------------------------------------------------------------------------------


def films(folder: Path | None) -> list[Film]:
    """All films there are."""
    found = [Film("demo", next(DEMO.glob("*.mp4")), next(DEMO.glob("*.srt")), None)]
    if folder is None:
        return found
    for truth in sorted((folder / "films").glob("*.truth.json")):
        name = truth.name.removesuffix(".truth.json")
        video = next(path for where in ("films", "clip") if (path := folder / where / f"{name}.mp4").exists())
        found.append(Film(name, video, video.with_suffix(".srt"), truth))
    return found


class Truth:
    """Who is where: ``who`` gives, for a found face, the true track's number (-1: none) and its name (None: not known)."""

    def __init__(self, film: Film) -> None:
        listed = json.loads(film.truth.read_text()) if film.truth else []
        self.names = [track["name"] if track["known"] else NOT_KNOWN for track in listed]
        rows = [(*face, number) for number, track in enumerate(listed) for face in track["faces"]]
        table = np.array(rows, np.float64).reshape(-1, 6)
        table = table[np.argsort(table[:, 0], kind="stable")]
        self.time, self.box, self.track = table[:, 0], table[:, 1:5], table[:, 5].astype(np.int64)
        self.drawn = film.truth is None
        self.shown: dict[str, int] = {}

    def who(self, moment: float, box: Box) -> tuple[int, str | None]:
        if self.drawn:
            name = who_is(moment, box)
            return (-1, "") if name is None else (self.shown.setdefault(name, len(self.shown)), name)
        rows = self.at(moment)
        overlap = overlaps(np.array([[box.left, box.top, box.right, box.bottom]]), self.box[rows])[0]
        if not len(rows) or overlap.max() < SAME:
            return -1, NOT_KNOWN
        track = int(self.track[rows[overlap.argmax()]])
        return track, self.names[track]

    def at(self, moment: float) -> IntArray:
        """The rows of the true moment that is nearest, if it is near."""
        if not len(self.time):
            return np.zeros(0, np.int64)
        nearest = self.time[np.argmin(np.abs(self.time - moment))]
        return np.flatnonzero(self.time == nearest) if abs(nearest - moment) <= NEAR else np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Faces:
    """All faces of all tracks, one row each, with who they are."""

    track: IntArray  # index into the list of tracks
    time: FloatArray
    box: FloatArray
    true: IntArray  # number of the true track, -1: none
    name: list[str | None]


def scored(tracks: Sequence[Track], truth: Truth) -> Faces:
    rows = [(k, time, box, *truth.who(time, box)) for k, track in enumerate(tracks) for time, box in track.boxes]
    return Faces(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows]),
        np.array([(row[2].left, row[2].top, row[2].right, row[2].bottom) for row in rows]).reshape(-1, 4),
        np.array([row[3] for row in rows], np.int64),
        [row[4] for row in rows],
    )


def most(names: Sequence[str | None]) -> str | None:
    """Who a track is: the name of most of its known faces."""
    known = Counter(name for name in names if name is not None)
    return known.most_common(1)[0][0] if known else NOT_KNOWN


# --- What is measured --------------------------------------------------------------------------------------------------


def found_and_false(faces: Faces, truth: Truth, duration: float) -> tuple[int, int, int]:
    """True faces at two moments a second, those found, and found ones where there is none."""
    times = np.unique(faces.time)
    due = found = false = 0
    for moment in np.arange(0, duration, OFTEN).tolist():
        if not len(times):
            break
        here = np.flatnonzero(faces.time == times[np.argmin(np.abs(times - moment))])
        here = here[np.abs(faces.time[here] - moment) <= OFTEN / 2]
        rows = truth.at(moment)
        due += len(rows)
        if len(here) and len(rows):
            found += int((overlaps(truth.box[rows], faces.box[here]).max(axis=1) >= SAME).sum())
        false += int((faces.true[here] < 0).sum())
    return due, found, false


def purity_and_pieces(faces: Faces) -> tuple[float, float]:
    known = np.array([name is not None for name in faces.name], bool)
    same = sum(
        Counter(np.array(faces.name, object)[known & (faces.track == k)]).most_common(1)[0][1]
        for k in np.unique(faces.track[known])
    )
    pieces = [len(np.unique(faces.track[faces.true == k])) for k in np.unique(faces.true[known & (faces.true >= 0)])]
    return same / max(known.sum(), 1), float(np.mean(pieces)) if pieces else float("nan")


def neighbour(vectors: FloatArray, shot: IntArray, names: Sequence[str | None], weight: FloatArray) -> float:
    """How often, by screen time, the most similar known track of another shot is the same person's; of those who return."""
    use = np.array([bool(name) for name in names])
    likeness = np.where((shot[:, None] != shot) & use, vectors @ vectors.T, -2.0)
    named = np.array(names, object)
    same = (named[:, None] == named) & (shot[:, None] != shot)
    back = use & same.any(axis=1)
    right = named[likeness.argmax(axis=1)] == named
    return float((weight * right)[back].sum() / weight[back].sum()) if back.any() else float("nan")


def known_truth(problem: Problem, names: Sequence[str | None], track: IntArray) -> tuple[IntArray, BoolArray]:
    """By face of the problem, the index of the true name (NOBODY for nobody, and -2 for a name captions do not have), and
    whether it is known."""
    index = {"": -1} | {name: k for k, name in enumerate(problem.names)}
    mine = [names[k] for k in track.tolist()]
    return np.array([-2 if name is None else index.get(name, -2) for name in mine]), np.array([n is not None for n in mine])


def answers_needed(problem: Problem, method: str, names: Sequence[str | None], track: IntArray, weight: FloatArray) -> int:
    """How many tracks a person names, as the queue asks, until enough of the known screen time is right."""
    said: dict[int, Correction] = {}  # by track
    known = np.array([names[k] is not None for k in track.tolist()])
    total = sum(weight[k] for k in np.unique(track[known]))
    for many in range(len(np.unique(track[known])) + 1):
        prediction = solve(problem, method, said.values())
        called = np.array([*prediction.names, ""], object)[prediction.name]
        right = {k: called[track == k][0] == names[k] for k in np.unique(track[known]).tolist()}
        if sum(weight[k] for k, is_right in right.items() if is_right) >= ENOUGH * total:
            return many
        done = np.isin(track, list(said)) | ~known
        face = int(next_faces(prediction, done, 1)[0])
        name = names[int(track[face])]
        said[int(track[face])] = Correction(face, "is", name) if name else Correction(face, "nobody")
    return -1


# --- One film ----------------------------------------------------------------------------------------------------------


def measured(film: Film, folder: Path, method: str, answers: bool) -> Told:
    place = folder / film.name
    began = time.process_time()
    with Project.open(place) if place.exists() else Project.create(place, film.name) as project:
        if not project.sources():
            ingest(project, IngestVideo(film.video, film.captions))
        used = time.process_time() - began
        tracks = track_table.read(project.database)
        problem, numbers = project.problem()
        duration = project.sources()[0].duration or 0.0
        face_track = np.array([face.track for face in project.faces(ids=numbers)])
        shots = {face.track: frame.shot for face in project.faces() for frame in project.frames([face.frame])}
    truth = Truth(film)
    order = {track.id: k for k, track in enumerate(tracks)}
    track = np.array([order[int(k)] for k in face_track])
    faces = scored(tracks, truth)
    names = [most([faces.name[row] for row in np.flatnonzero(faces.track == k)]) for k in range(len(tracks))]
    weight = np.array([sum(stop - start for start, stop in one.spans()) for one in tracks])
    vectors = np.zeros((len(tracks), problem.features.shape[1]))
    vectors[track] = problem.features
    due, found, false = found_and_false(faces, truth, duration)
    purity, pieces = purity_and_pieces(faces)
    shot = np.array([shots.get(one.id, -1) for one in tracks])
    prediction = solve(problem, method)
    return Told(
        film=film.name,
        seconds=round(used / duration * 60, 1),
        faces=due,
        found=found,
        false=false,
        tracks=len(tracks),
        purity=purity,
        pieces=pieces,
        neighbour=neighbour(vectors, shot, names, weight),
        **answered(problem, prediction, names, track, weight),
        people=len({name for name in names if name}),
        answers=answers_needed(problem, method, names, track, weight) if answers else -1,
    )


def answered(
    problem: Problem, prediction: Prediction, names: Sequence[str | None], track: IntArray, weight: FloatArray
) -> dict[str, float]:
    """How right the answers are, and how sure."""
    truth, known = known_truth(problem, names, track)
    right, sure = prediction.name == truth, prediction.confidence
    told = sure >= 0.5
    share = weight[track] / np.bincount(track)[track] * known  # of screen time, by face
    mentioned = known & (truth >= 0)
    named = known & (prediction.name >= 0) & (sure > NAMED)

    def mean(values: BoolArray, of: BoolArray) -> float:
        return float(values[of].mean()) if of.any() else float("nan")

    return {
        "right_faces": mean(right & told, known),
        "right_time": float(share[right & told].sum() / max(share.sum(), 1e-9)),
        "unknown_time": float(share[~told].sum() / max(share.sum(), 1e-9)),
        "nobody_sure": mean((prediction.name < 0) & (sure > NAMED), mentioned),
        "named_right": mean(right, named),
        "error": calibration_error(sure[known], right[known]),
        "sure_right": mean(right, known & (sure > SURE)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.films")
    parser.add_argument("films", nargs="*", help="their names; all without")
    parser.add_argument("--method", default="rollcall", choices=list(METHODS))
    parser.add_argument("--keep", type=Path, help="a folder to keep the projects in, and to take those that are there")
    parser.add_argument("--no-answers", action="store_true", help="leave out the simulated person")
    chosen = parser.parse_args()
    data = os.environ.get("ROLLCALL_TEST_DATA")
    known = {film.name: film for film in films(Path(data) if data else None)}
    lacking = [name for name in chosen.films if name not in known]
    if lacking:
        raise BadInput(f"there is no film {lacking[0]}; choose from {', '.join(known)}")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.films or known:
            table.append(measured(known[name], chosen.keep or Path(folder), chosen.method, not chosen.no_answers))
            print(
                "  ".join(
                    f"{key} {value:.3g}" if type(value) is float else f"{key} {value}"
                    for key, value in asdict(table[-1]).items()
                ),
                flush=True,
            )
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([asdict(row) for row in table], indent=2) + "\n")


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        sys.exit(str(error))
