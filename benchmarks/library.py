"""A second episode by the people library: ``python -m benchmarks.library``.

The films of the test data (``films/*.truth.json``) are taken in without captions, twice each: once people confirm, by the
truth, whom it shows, with the library on; once the library is asked about each track. Asked are films whose people are in
the library from another film, from the first half of the film itself, and films none of whose people are there. Prints how
many tracks are named, and how many of those rightly.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.film_truth import Film, Truth, films, most, scored
from benchmarks.measure import RESULTS
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.problem import IntArray
from core.store.library.shelf import Library
from core.store.project import Change, Project
from core.store.tables import track_table


@dataclass(frozen=True, eq=False)
class Seen:
    """A track of a film: who it truly is ("" is nobody whom the truth names), in which half, and its faces."""

    name: str
    first_half: bool
    faces: IntArray


@dataclass
class Told:
    """What a question came to: tracks of people whom the library knows, of others, how many were named, and how rightly."""

    known: int = 0
    strangers: int = 0
    named: int = 0
    right: int = 0

    def add(self, one: Told) -> None:
        for key, value in asdict(one).items():
            setattr(self, key, getattr(self, key) + value)


def taken_in(film: Film, folder: Path) -> tuple[Project, list[Seen]]:
    """The film as a project without captions, and its tracks whose people the truth knows."""
    project = Project.create(folder, film.name)
    ingest(project, IngestVideo(film.video, screen=False))
    tracks, truth = track_table.read(project.database), Truth(film)
    faces = scored(tracks, truth)
    shown: dict[int, list[int]] = {}
    for face in project.faces():
        if face.track is not None:
            shown.setdefault(face.track, []).append(face.id)
    middle = (project.sources()[0].duration or 0.0) / 2
    found = []
    for k, track in enumerate(tracks):
        name = most([faces.name[row] for row in np.flatnonzero(faces.track == k)])
        if name is not None and track.id in shown:
            found.append(Seen(name, (track.start + track.stop) / 2 < middle, np.array(shown[track.id])))
    return project, found


def confirm(project: Project, seen: Sequence[Seen]) -> set[str]:
    """Somebody confirms these tracks, and the library has them, and nothing else; the names."""
    Library().empty()
    project.decide("benchmark", *[Change("is", face=int(one.faces[0]), name=one.name) for one in seen if one.name])
    project.library.give()
    return {one.name for one in seen if one.name}


def asked(project: Project, seen: Sequence[Seen], known: set[str]) -> Told:
    found = project.library.ask([one.faces for one in seen])
    sure = [likely.name if likely is not None and likely.sure else "" for likely in found]
    in_library = sum(one.name in known for one in seen)
    right = sum(bool(name) and name == one.name for name, one in zip(sure, seen, strict=True))
    return Told(in_library, len(seen) - in_library, sum(map(bool, sure)), right)


def measured(some: Sequence[Film], place: Path) -> dict[str, Told]:
    told = {kind: Told() for kind in ("another film with its people", "its second half", "a film without its people")}
    later = {film.name: taken_in(film, place / f"{film.name} later") for film in some}
    for film in some:
        project, seen = taken_in(film, place / film.name)
        with project:
            known = confirm(project, [one for one in seen if one.first_half])
            second, there = later[film.name]
            told["its second half"].add(asked(second, [one for one in there if not one.first_half], known))
            known = confirm(project, seen)
            for name, (other, there) in later.items():
                shares = known & {one.name for one in there}
                kind = "another film with its people" if shares else "a film without its people"
                if name != film.name:
                    told[kind].add(asked(other, there, known))
    for project, _ in later.values():
        project.close()
    return told


def main() -> None:
    folder = os.environ.get("ROLLCALL_TEST_DATA")
    if not folder:
        raise SystemExit("set ROLLCALL_TEST_DATA to the folder with the test data")
    with tempfile.TemporaryDirectory() as place:
        os.environ["ROLLCALL_LIBRARY"] = str(Path(place) / "library")
        Library().turn(True)
        told = measured([film for film in films(Path(folder)) if film.truth], Path(place))
    for kind, result in told.items():
        print(
            f"{kind}: named {result.named} of {result.known} tracks of people whom the library knows "
            f"(and {result.strangers} of others), {result.right} rightly",
            flush=True,
        )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "library.json").write_text(json.dumps({kind: asdict(one) for kind, one in told.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
