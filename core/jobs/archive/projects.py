"""Lets the projects of an archive be named, each when all of its films are in."""

from __future__ import annotations

from collections.abc import Callable

from core.jobs.archive.flights import Flight, Settings
from core.jobs.archive.messages import Ask, Asked, Keep, Kept, Solution, Solve
from core.store.archives.archive import Archive


class Naming:
    """A project is made a problem where it lies, solved by a worker, and the answer kept where it lies."""

    def __init__(self, archive: Archive, settings: Settings, add: Callable[[Flight], None]) -> None:
        self.archive, self.states, self.settings, self.add = archive, archive.states, settings, add
        self._questions: dict[str, tuple[int, int]] = {}  # by project, the log's version and the faces that were asked about

    def settle(self, name: str) -> None:
        """Lets a project be named when all of its films are in or have failed."""
        films = self.states.of_project(name)
        ready = all(film.state in ("done", "failed") for film in films) and any(film.state == "done" for film in films)
        if ready and self.states.project(name).state == "waiting":
            self.states.set_project(name, "running")
            self.add(Flight(Ask(str(self.archive.project_folder(name))), project=name))

    def asked(self, flight: Flight, answer: Asked) -> None:
        solve = Solve(self.settings.method, self.settings.seed, answer.corrections, answer.problem)
        self._questions[flight.project] = (answer.version, answer.faces)
        self.add(Flight(solve, project=flight.project))

    def solved(self, flight: Flight, answer: Solution) -> None:
        version, faces = self._questions.pop(flight.project)
        keep = Keep(
            str(self.archive.project_folder(flight.project)), self.settings.method, self.settings.seed, answer.seconds,
            version, faces, answer.names, answer.prediction, answer.checkpoint,
        )  # fmt: skip
        self.add(Flight(keep, project=flight.project))

    def kept(self, flight: Flight, answer: Kept) -> None:
        if answer.changed:
            self.add(Flight(Ask(str(self.archive.project_folder(flight.project))), project=flight.project))
        else:
            self.states.set_project(flight.project, "done", answer.text)
