"""Takes an archive's films in: deals tasks out to an engine's workers, and is the only one who notes what is done.

What the tasks of a film are, and of a project, is in ``steps.py`` and ``projects.py``; here is what becomes of a task that
goes wrong.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from core.errors import BadInput
from core.jobs.archive import messages, wire
from core.jobs.archive.engine import KILLS, Ended, Engine
from core.jobs.archive.flights import ALONE, TRIES, Flight, Settings, Tally, what_of
from core.jobs.archive.messages import (
    Answer,
    Ask,
    Asked,
    Hint,
    Hinted,
    Keep,
    Kept,
    Listen,
    Look,
    Looked,
    Missing,
    Put,
    Scan,
    Scanned,
    Solution,
    Solve,
    Write,
    Written,
    Wrong,
)  # fmt: skip
from core.jobs.archive.projects import Naming
from core.jobs.archive.sending import release, send
from core.jobs.archive.steps import Steps
from core.progress import Progress, silent
from core.store.archives.archive import Archive, Film, Unusable

WAIT = 0.5  # seconds to wait for the next answer before looking around


class Coordinator:
    """``engine`` carries what workers do, ``writer`` what is done where the projects lie; both may be the same."""

    def __init__(
        self,
        archive: Archive,
        engine: Engine,
        writer: Engine,
        settings: Settings = Settings(),  # noqa: B008  # frozen
        progress: Progress = silent,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.archive, self.states, self.engine, self.writer = archive, archive.states, engine, writer
        self.settings, self.progress, self.stop = settings, progress, stop
        self._numbers = count(1)
        self._flights: dict[int, Flight] = {}
        self._ready: list[tuple[int, int, Flight]] = []  # a heap: films that began earlier come first
        self._steps = Steps(archive, settings, self._add)
        self._naming = Naming(archive, settings, self._add)
        self._suspects: list[Flight] = []
        self._last = 0  # the film that was begun last

    def run(self, retry: bool = False) -> Tally:
        """Does what is left to do, until all is done or somebody stops it."""
        self.states.begin(retry)
        for one in self.states.projects():
            self._naming.settle(one.name)
        while not self.stop():
            self._fill()
            if not self._flights:
                break
            self._tell()
            for engine in dict.fromkeys((self.engine, self.writer)):
                for ended in engine.ended(WAIT if engine is self.engine else 0.0):
                    self._take(ended)
        self._tell()
        return self.tally()

    def tally(self) -> Tally:
        counts = self.states.counts()
        solved = sum(one.state == "done" for one in self.states.projects())
        return Tally(counts["done"], counts["failed"], counts["waiting"] + counts["running"], solved)

    def _tell(self) -> None:
        counts = self.states.counts()
        self.progress("films", counts["done"] + counts["failed"], sum(counts.values()))

    # --- Dealing out ----------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Keeps all workers busy, and no more: what is found waits on the disk until it is written."""
        slots = max(1, self.engine.slots())
        most = slots + max(2, slots // 4)
        while len(self._flights) < most:
            if self._ready:
                self._launch(heapq.heappop(self._ready)[2])
            elif not self._begin_next():
                break
        if self._suspects and not self._flights:
            self._launch(self._suspects.pop())

    def _add(self, flight: Flight) -> None:
        order = flight.film or 0  # naming a project comes first: it is the end of something
        heapq.heappush(self._ready, (order, next(self._numbers), flight))

    def _launch(self, flight: Flight) -> None:
        number = next(self._numbers)
        self._flights[number] = flight
        message = wire.encode(flight.task)
        if isinstance(flight.task, Write | Hint | Ask | Keep):
            self.writer.submit(number, message)
        else:
            gpu = self.settings.gpu and isinstance(flight.task, Look)
            running = self._steps.running.get(flight.film)
            here = running.where if running else ""
            self.engine.submit(number, message, gpu, flight.where or here, flight.avoid)

    def _begin_next(self) -> bool:
        """Begins the next film that waits; False where there is none."""
        for film in self._waiting():
            try:
                self._steps.begin(film)
                return True
            except Unusable:
                raise
            except BadInput as error:
                self._fail(film.id, str(error))
            except OSError as error:
                self._fail(film.id, f"{film.path}: cannot be read ({error.strerror}); check the path")
        return False

    def _waiting(self) -> Iterator[Film]:
        while True:
            found = self.states.films_after(self._last, "waiting", 50)
            if not found:
                return
            for film in found:
                self._last = film.id
                yield film

    # --- What comes back ------------------------------------------------------------------------------------------------

    def _take(self, ended: Ended) -> None:
        flight = self._flights.pop(ended.number, None)
        if flight is None or (flight.film and flight.film not in self._steps.running):
            return  # its film has failed meanwhile
        if ended.fate == "lost":
            self._again(replace(flight, avoid=frozenset()))
            return
        if ended.fate == "killed":
            self._killed(flight)
            return
        try:
            answer = wire.decode(ended.answer)
        except BadInput as error:
            self._give_up(flight, str(error))
            return
        self._answered(flight, answer, ended.worker)  # type: ignore[arg-type]  # a task is no answer, see there

    def _killed(self, flight: Flight) -> None:
        """A task that ended its workers may have done so because of others: for the memory that they took, or because
        somebody ended the machine. So it is tried again at the end, alone, others in turn, and only then given up."""
        if flight.alone < ALONE:
            self._suspects.insert(0, replace(flight, alone=flight.alone + 1, where="", avoid=frozenset()))
        else:
            many = KILLS * (1 + ALONE)
            self._give_up(flight, f"{what_of(flight.task)} ended its worker {many} times, perhaps for lack of memory")

    def _answered(self, flight: Flight, answer: Answer, worker: str) -> None:
        try:
            match flight.task, answer:
                case Scan(), Scanned():
                    self._steps.scanned(flight.film, answer)
                case Look(), Looked():
                    self._steps.looked(flight.film, flight.task, answer)
                case Hint(), Hinted():
                    self._steps.hinted(flight.film, answer)
                case Listen(), Looked():
                    self._steps.listened(flight.film, answer)
                case Write(), Written():
                    self._naming.settle(self._steps.written(flight.film, answer))
                case Ask(), Asked():
                    self._naming.asked(flight, answer)
                case Solve(), Solution():
                    self._naming.solved(flight, answer)
                case Keep(), Kept():
                    self._naming.kept(flight, answer)
                case ((Scan() | Look() | Listen() | Put()), Missing()):
                    send(self._add, self._steps.running[flight.film], flight, answer.have, worker)
                case _, Wrong():
                    self._wrong(flight, answer, worker)
                case _:
                    raise BadInput(messages.WRONG)
        except Unusable:
            raise
        except BadInput as error:
            self._give_up(flight, str(error))
        except OSError as error:
            self._give_up(flight, f"{getattr(flight.task, 'path', '')}: cannot be read ({error.strerror}); check the path")

    def _wrong(self, flight: Flight, answer: Wrong, worker: str) -> None:
        if answer.fault == "film" or flight.tries + 1 >= TRIES:
            sentence, what = answer.sentence, getattr(flight.task, "path", "") or flight.project
            if answer.fault == "worker":
                sentence = f"{what}: {sentence} (at last worker {worker})"
            self._give_up(flight, sentence)
            return
        avoid = flight.avoid | {worker} if answer.fault == "worker" else flight.avoid
        self._again(replace(flight, tries=flight.tries + 1, avoid=avoid))

    def _again(self, flight: Flight) -> None:
        """Does a task once more; a film that was on its way to a worker is sent anew, perhaps to another one."""
        if flight.then is not None:
            running = self._steps.running[flight.film]
            running.held = [replace(one, avoid=one.avoid | flight.avoid) for one in running.held]
            release(self._add, running)
        else:
            self._add(replace(flight, where=""))

    def _give_up(self, flight: Flight, sentence: str) -> None:
        if flight.film:
            self._fail(flight.film, sentence)
        else:
            self.states.set_project(flight.project, "failed", sentence)

    def _fail(self, film: int, sentence: str) -> None:
        self._naming.settle(self._steps.fail(film, sentence))
