"""How real films fare: ``python -m benchmarks.films [FILM...] [--method NAME] [--without PART] [--keep FOLDER]``.

Films are those of the test data (``films/*.truth.json``, see its README) and the demo. Each is taken in as a new user would,
with its captions and nothing else, named once, and scored against the truth. Then a simulated person answers what the queue
asks until 95 % of the known screen time is right. Prints a table and saves JSON in ``benchmarks/results/``.

``--without`` takes a part out: ``crop`` (faces are cut by a square around the box), ``detector`` (MTCNN instead), ``tracks``
(every face is by itself), ``kinds`` (all mentions are alike), ``speaking`` (neither mouths nor the order of
a description tell anything). ``--write`` puts the table
into docs/films.md.

A found face is scored by the true track that it overlaps most, within a moment. ``false`` counts found faces where the truth
has none at all, so faces that nobody marked count as false. Faces of people who are not known are not scored: of a track the
time counts in which it overlaps somebody known.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.film_scores import (
    answered,
    answers_needed,
    caption_bound,
    found_and_false,
    known_looks,
    known_truth,
    neighbour,
    purity_and_pieces,
)
from benchmarks.film_truth import Film, Truth, films, most, scored
from core.errors import BadInput
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.media.faces.finder import FaceFinder
from core.media.faces.kinds import Detections, Picture
from core.media.faces.mtcnn import Mtcnn
from core.media.faces.yunet import YuNet
from core.problem import Problem
from core.solve import METHODS, solve
from core.store.project import Project
from core.store.tables import track_table

RESULTS = Path(__file__).parent / "results" / "films.json"
PAGE = Path(__file__).parents[1] / "docs" / "films.md"
MARKERS = "<!-- table -->", "<!-- /table -->"
PARTS = ("crop", "detector", "tracks", "kinds", "speaking")
HEAD = {  # what a column of the page is called
    "film": "film", "without": "without", "seconds": "s/min", "found": "found", "false": "false", "purity": "purity",
    "pieces": "pieces", "neighbour": "neighbour", "bound": "bound", "right_faces": "right by face",
    "right_time": "by time", "unknown_time": "unknown", "named_right": "above .8", "nobody_sure": "nobody above .8",
    "error": "ECE", "answers": "answers",
}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """What one film comes to. Shares are of what the truth knows; an answer with a confidence below a half is *unknown*."""

    film: str
    without: str
    seconds: float  # of processor a minute of film, to find and follow the faces
    faces: int  # that the truth has at two moments a second
    found: int
    false: int
    tracks: int
    purity: float
    pieces: float  # found tracks a true track
    neighbour: float  # the most similar track of another shot is the same person's
    bound: float  # right by screen time with perfect clusters and captions alone, and with those before and after
    bound_near: float
    right_faces: float
    right_time: float
    unknown_time: float
    nobody_sure: float  # of people whom captions name: said to be nobody, by more than NAMED
    named_right: float  # of names given by more than NAMED
    error: float  # expected calibration error
    sure_right: float  # of answers above SURE
    people: int
    answers: int  # until ENOUGH of the known screen time is right; -1 where it is never


class _Bare(YuNet):
    """Finds no landmarks, so that faces are cut by their boxes."""

    kind = "yunet-bare"

    def detect(self, picture: Picture) -> Detections:
        found = super().detect(picture)
        return replace(found, landmarks=np.full_like(found.landmarks, np.nan))


def _finder(without: str) -> FaceFinder | None:
    """The finder that lacks a part; None for the product's own."""
    if without not in ("crop", "detector"):
        return None
    return FaceFinder(detector=_Bare() if without == "crop" else Mtcnn())


def _lacking(problem: Problem, without: str) -> Problem:
    """The problem that lacks a part."""
    if without == "tracks":
        return replace(problem, track=None)
    if without == "kinds":
        return replace(problem, mention_kind=None)
    if without == "speaking":
        none = np.zeros(0, np.int64)
        return replace(problem, evidence_face=none, evidence_name=none, evidence_logodds=np.zeros(0))
    return problem


def measured(film: Film, folder: Path, method: str, without: str, answers: bool) -> Told:
    place = folder / (f"{film.name}-{without}" if _finder_differs(without) else film.name)
    began, cost = time.process_time(), place.with_suffix(".seconds")
    with Project.open(place) if place.exists() else Project.create(place, film.name) as project:
        if not project.sources():
            ingest(project, IngestVideo(film.video, film.captions), finder=_finder(without))
            cost.write_text(str(time.process_time() - began))
        tracks = track_table.read(project.database)
        problem, numbers = project.problem()
        duration = project.sources()[0].duration or 0.0
        shown = project.faces(ids=numbers)
        when = {frame.id: frame.time or 0.0 for frame in project.frames()}
        face_track = np.array([face.track for face in shown])
        shots = {face.track: frame.shot for face in project.faces() for frame in project.frames([face.frame])}
    problem, truth = _lacking(problem, without), Truth(film)
    scorable = np.array([truth.who(when[face.frame], face.box)[1] is not None for face in shown])
    order = {track.id: k for k, track in enumerate(tracks)}
    track = np.array([order[int(k)] for k in face_track])
    faces = scored(tracks, truth)
    names = [most([faces.name[row] for row in np.flatnonzero(faces.track == k)]) for k in range(len(tracks))]
    weight = np.array([sum(stop - start for start, stop in one.spans()) for one in tracks]) * known_looks(faces, len(tracks))
    vectors = np.zeros((len(tracks), problem.features.shape[1]))
    vectors[track] = problem.features
    due, found, false = found_and_false(faces, truth, duration)
    purity, pieces = purity_and_pieces(faces)
    true, known = known_truth(problem, names, track)
    share = weight[track] / np.bincount(track)[track] * known
    return Told(
        film=film.name,
        without=without,
        seconds=round(float(cost.read_text()) / duration * 60, 1),
        faces=due,
        found=found,
        false=false,
        tracks=len(tracks),
        purity=purity,
        pieces=pieces,
        neighbour=neighbour(vectors, np.array([shots.get(one.id, -1) for one in tracks]), names, weight),
        bound=caption_bound(problem, true, share),
        bound_near=caption_bound(problem, true, share, near=0.5),
        **answered(problem, solve(problem, method), names, track, weight, scorable),
        people=len({name for name in names if name}),
        answers=answers_needed(problem, method, names, track, weight) if answers else -1,
    )


def _finder_differs(without: str) -> bool:
    return without in ("crop", "detector")


def page(table: Sequence[Told], method: str) -> str:
    """The table as it stands in docs/films.md."""
    rows = [[_shown(key, row) for key in HEAD] for row in table]
    lines = [list(HEAD.values()), ["---"] * len(HEAD), *rows]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    return (
        "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\nMethod `{method}`. Commit `{commit.stdout.strip()}`."
    )


def _shown(key: str, row: Told) -> str:
    value = asdict(row)[key]
    if key == "found":
        return f"{row.found} of {row.faces}"
    if key == "answers":
        return f"{value if value >= 0 else '–'} ({row.people})"
    if isinstance(value, float):
        return "–" if np.isnan(value) else f"{value:.0f}" if key == "seconds" else f"{value:.2f}".removeprefix("0")
    return str(value) or "–"


def write(table: Sequence[Told], method: str) -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKERS[0])
    after = rest.split(MARKERS[1])[1]
    made = f"{before}{MARKERS[0]}\n{page(table, method)}\n{MARKERS[1]}{after}"
    PAGE.write_text(made, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.films")
    parser.add_argument("films", nargs="*", help="their names; all without")
    parser.add_argument("--method", default="rollcall", choices=list(METHODS))
    parser.add_argument("--without", action="append", default=[], choices=PARTS, help="take this part out; again for each")
    parser.add_argument("--keep", type=Path, help="a folder to keep the projects in, and to take those that are there")
    parser.add_argument("--no-answers", action="store_true", help="leave out the simulated person")
    parser.add_argument("--write", action="store_true", help="put the table into docs/films.md")
    chosen = parser.parse_args()
    data = os.environ.get("ROLLCALL_TEST_DATA")
    known = {film.name: film for film in films(Path(data) if data else None)}
    lacking = [name for name in chosen.films if name not in known]
    if lacking:
        raise BadInput(f"there is no film {lacking[0]}; choose from {', '.join(known)}")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for without in ["", *chosen.without]:
            for name in chosen.films or known:
                row = measured(known[name], chosen.keep or Path(folder), chosen.method, without, not chosen.no_answers)
                table.append(row)
                told = (
                    f"{key} {value:.3g}" if type(value) is float else f"{key} {value}" for key, value in asdict(row).items()
                )
                print("  ".join(told), flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([asdict(row) for row in table], indent=2) + "\n")
    if chosen.write:
        write(table, chosen.method)


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        sys.exit(str(error))
