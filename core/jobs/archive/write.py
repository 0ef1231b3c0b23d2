"""What is done where the projects lie: a film is taken in, a project asked about, an answer kept.

There is one writer a project: whoever writes holds the project's lock, as the app's own jobs do.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import Timeout

from core.errors import BadInput
from core.formats.write.npz import write_problem
from core.jobs.archive.messages import Answer, Ask, Asked, Hint, Hinted, Keep, Kept, Write, Written, Wrong
from core.jobs.ingest import ingest, never, project_at
from core.jobs.recaption import known_film
from core.jobs.requests import IngestVideo
from core.media.gathering import names_read
from core.media.ingest import working
from core.media.looking import Finder
from core.media.names.cast import read_cast
from core.media.work import Held
from core.progress import silent
from core.solve import Solution
from core.solvers.checkpoint import read_checkpoint
from core.store.opening import sweep_unfinished
from core.store.project import Project
from core.store.runs.answers import read_prediction
from core.store.tables.job_table import work_lock

BUSY = "somebody else works on this project"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with work_lock(folder):
        yield


def write(task: Write) -> Answer:
    """Takes a film in, from what was found in it. A film that is there already is not added again."""
    folder = Path(task.project)
    film = Path(task.path)
    request = IngestVideo(film, _path(task.captions), _path(task.cast), screen=task.screen, speech=task.speech)
    sweep_unfinished(folder)
    try:
        with project_at(folder, task.title) as project, _alone(folder):
            known = known_film(project, request)
            if known is not None and known.title == film.name:  # the last coordinator came no further than this
                return Written(str(json.loads(known.summary or "{}").get("text", "")))
            return Written(ingest(project, request, cache=Path(task.cache)).text())
    except Timeout:
        return Wrong("later", BUSY)


def hint(task: Hint) -> Answer:
    """Whom somebody who listens to a film may hear of."""
    finder = Finder()
    work = working(Path(task.cache), Held, silent, never, finder)
    timeline = work.cache.timeline(task.content)
    cast = read_cast(Path(task.cast)) if task.cast else None
    return Hinted(tuple(names_read(work, task.content, timeline, cast)) if timeline else ())


def ask(task: Ask) -> Answer:
    """The project as it is now, for a method that runs elsewhere."""
    folder = Path(task.project)
    with Project.open(folder) as project, tempfile.TemporaryDirectory(dir=_cache(folder)) as place:
        asked = project.question()
        path = Path(place) / "problem.npz"
        write_problem(asked.problem, path)
        said = json.dumps([{"face": one.face, "kind": one.kind, "name": one.name} for one in asked.corrections])
        return Asked(asked.version, len(asked.face), said, path.read_bytes())


def keep(task: Keep) -> Answer:
    """Keeps an answer, unless people decided something since it was asked for."""
    folder = Path(task.project)
    try:
        with (
            Project.open(folder) as project,
            _alone(folder),
            tempfile.TemporaryDirectory(dir=_cache(folder)) as place,
        ):
            asked = project.question()
            if (asked.version, len(asked.face)) != (task.version, task.faces):
                return Kept("", True)
            answer, checkpoint = Path(place) / "answer.npz", Path(place) / "checkpoint.npz"
            answer.write_bytes(task.prediction)
            checkpoint.write_bytes(task.checkpoint)
            prediction = read_prediction(answer, task.names)
            if len(prediction.name) != task.faces:
                raise BadInput(f"{folder}: the answer is about other faces; start the archive again")
            solution = Solution(prediction, read_checkpoint(checkpoint) if task.checkpoint else None, False)
            project.keep_run(asked, solution, task.method, task.seed, task.seconds)
            solved = project.solved()
            return Kept("" if solved is None else solved.counts.text(), False)
    except Timeout:
        return Wrong("later", BUSY)


def _cache(folder: Path) -> Path:
    cache = folder / "cache"
    cache.mkdir(exist_ok=True)
    return cache


def _path(text: str) -> Path | None:
    return Path(text) if text else None
