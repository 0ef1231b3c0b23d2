"""Does what requests ask for: in this process for the command line, as a job in the worker's."""

from __future__ import annotations

from contextlib import suppress

from core.errors import BadInput
from core.jobs.reporter import reported
from core.jobs.requests import CompareMethods, FindAgain, Recaption, Request, RunMethod, TakeLabels
from core.progress import Progress
from core.solve import METHODS
from core.store.project import Compared, Project, Run, system_user


def perform(project: Project, number: int, request: Request) -> None:
    """Does a request as job ``number`` of the project."""
    keeps = request.kind == "ingest"
    with reported(project.database, number, keeps) as reporter:
        match request:
            case RunMethod():
                run(project, request, reporter)
                reporter.message = said_of(project)
            case CompareMethods():
                compare(project, request, reporter)
            case FindAgain():
                from core.jobs.find_again import find_again

                reporter.message = find_again(project, reporter, reporter.stopped)
            case Recaption():
                from core.jobs.recaption import recaption

                reporter.message = recaption(project, request, reporter).text()
            case TakeLabels():
                from core.jobs.labels import take_labels

                reporter.message = take_labels(project, request.labels, request.who or system_user()).text()
            case _:
                from core.jobs.ingest import ingest  # loads the readers of films and pictures, which a run does not need

                reporter.message = ingest(project, request, reporter, reporter.stopped).text()


def run(project: Project, request: RunMethod, progress: Progress) -> Run:
    """Names the faces of a project and keeps the answer."""
    _check(request.method)
    with suppress(BadInput):  # a library that cannot be used is told on its own page
        project.library.give()
    made = project.run(request.method, request.seed, progress, request.cold)
    project.join_nicknames()
    return made


def said_of(project: Project) -> str:
    """What the last run came to, in words."""
    solved = project.solved()
    return "" if solved is None else solved.counts.text()


def compare(project: Project, request: CompareMethods, progress: Progress) -> list[Compared]:
    """Lets each method name the faces, and keeps what they say beside the runs."""
    return project.comparison.compare(request.methods, request.seed, progress)


def _check(method: str) -> None:
    if method not in METHODS:
        raise BadInput(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
