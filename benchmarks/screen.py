"""Names on the screen: ``python -m benchmarks.screen [--programme tuning|testing] [--high 360,720] [--people N]``.

Renders a news programme (``news.py``), takes it in as a new user would, without any captions, and compares what was read
with what was written. Prints for each size: lower thirds whose name was found, names that nobody bears (``false``), how many
of the faces the right name was linked to by its place, how many faces a run then names rightly, names in the credits, and
what reading costs against finding faces, in seconds of processor. Thresholds were chosen on ``tuning``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks.measure import RESULTS
from benchmarks.news import RATE, SHOT, render
from benchmarks.programmes import PROGRAMMES, Programme, name_of
from core.errors import BadInput
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.media.screen.texts import Screen
from core.media.video.reader import Pixels
from core.store.project import Project
from core.store.runs.screen_evidence import screen_evidence
from core.store.tables import track_table


def starts(programme: Programme, people: int) -> list[float]:
    """When each person's shot begins: behind every third comes one without a person."""
    return [number * round(SHOT * RATE) / RATE + number // 3 * round(2.5 * RATE) / RATE for number in range(people)]


def measured(film: Path, programme: Programme, people: int, place: Path) -> dict[str, object]:
    """Takes the film in without and with reading, and scores what was read."""
    plain, seconds = _taken_in(film, place / "plain", screen=False)
    plain.close()
    with _Clock() as clock:
        project, both = _taken_in(film, place / "read", screen=True)
    with project:
        lines, tracks = project.lines(), track_table.read(project.database)
        wanted = [name_of(name) for name, _ in programme.people[:people]]
        crew = [name for _, name in programme.crew]
        shown = [line for line in lines if line.name and line.kind == "screen"]
        begins = starts(programme, people)
        found = [
            any(line.name == name and at < (line.start + line.stop) / 2 < at + SHOT for line in shown)
            for name, at in zip(wanted, begins, strict=True)
        ]
        names = {line.name for line in lines if line.name} | set(project.names())
        false = sorted(names - set(wanted) - set(crew))
        links = screen_evidence(lines, tracks, ())
        middles = {track.id: (track.start + track.stop) / 2 for track in tracks}
        right = sum(_shot(begins, middles[track]) == wanted.index(name) for track, name in links if name in wanted)
        project.run()
        labels = project.labels()
        named = [
            face.name == wanted[who]
            for frame in labels.frames
            for face in frame.faces
            if (who := _shot(begins, frame.frame.time or 0.0)) is not None
        ]
    return {
        "people": people,
        "found": sum(found),
        "missed": [name for name, there in zip(wanted, found, strict=True) if not there],
        "false": false,
        "names": len(names),
        "linked": len(links),
        "linked_right": right,
        "faces": len(named),
        "faces_right": sum(named),
        "credits": len({line.name for line in lines if line.kind == "credits"} & set(crew)),
        "crew": len(crew),
        "faces_processor": round(seconds, 2),
        "read_processor": round(clock.seconds, 2),
        "all_processor": round(both, 2),
    }


def _shot(begins: Sequence[float], at: float) -> int | None:
    """Whose shot a moment is in."""
    return next((k for k, start in enumerate(begins) if start <= at < start + SHOT), None)


def _taken_in(film: Path, folder: Path, screen: bool) -> tuple[Project, float]:
    """The project, and the processor time of taking the film in."""
    project = Project.create(folder)
    before = time.process_time()
    ingest(project, IngestVideo(film, screen=screen))
    return project, time.process_time() - before


class _Clock:
    """Adds up the processor time of watching and reading; each look is seen in one thread, and read in it, too."""

    def __init__(self) -> None:
        self.seconds, self._see = 0.0, Screen.see

    def __enter__(self) -> _Clock:
        def see(screen: Screen, place: int, pixels: Pixels, wanted: Collection[int]) -> None:
            before = time.thread_time()
            self._see(screen, place, pixels, wanted)
            self.seconds += time.thread_time() - before

        setattr(Screen, "see", see)  # noqa: B010
        return self

    def __exit__(self, *_: object) -> None:
        setattr(Screen, "see", self._see)  # noqa: B010


def line(name: str, high: int, told: dict[str, object]) -> str:
    false, missed = told["false"], told["missed"]
    assert isinstance(false, list)
    assert isinstance(missed, list)
    cost = float(str(told["read_processor"])) / max(float(str(told["faces_processor"])), 0.01)
    return (
        f"{name} {high}p: found {told['found']} of {told['people']}, false {len(false)} of {told['names']} names, "
        f"linked {told['linked_right']} of {told['linked']} rightly, faces named {told['faces_right']} of {told['faces']}, "
        f"credits {told['credits']} of {told['crew']}, reading {told['read_processor']} s against "
        f"{told['faces_processor']} s for faces ({cost:.2f})"
        + (f"; missed {', '.join(missed)}" if missed else "")
        + (f"; false {', '.join(false)}" if false else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programme", choices=list(PROGRAMMES), default="testing")
    parser.add_argument("--high", default="360,720", help="of the pictures, in pixels")
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--keep", type=Path, help="a folder for the films, so that they are rendered once")
    parsed = parser.parse_args()
    programme = PROGRAMMES[parsed.programme]
    people = min(parsed.people, len(programme.people))
    told = {}
    for high in map(int, parsed.high.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            film = (parsed.keep or place) / f"{parsed.programme}-{high}-{people}.mp4"
            if not film.exists():
                render(film.with_suffix(".part.mp4"), programme, high, people).replace(film)
            told[high] = measured(film, programme, people, place)
            print(line(parsed.programme, high, told[high]), flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"screen-{parsed.programme}.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        raise SystemExit(str(error)) from error
