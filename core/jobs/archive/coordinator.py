"""Takes an archive's films in: deals tasks out to an engine's workers, and is the only one who notes what is done.

A film is scanned, looked at in pieces, and written into its project; a project whose films are all in is then solved. What
workers find lies in the archive's ``incoming`` until the film is in its project, and every step is noted when its files are
on the disk. So whatever ends the coordinator, the next one goes on from there: a piece that was noted is not looked at
again, and one that was not leaves nothing behind that counts.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from pathlib import Path

from core.errors import BadInput
from core.formats import whole_file
from core.jobs.archive import messages
from core.jobs.archive.engine import KILLS, Ended, Engine
from core.jobs.archive.films import kind_of_cache
from core.jobs.archive.messages import (
    Answer,
    Ask,
    Asked,
    Keep,
    Kept,
    Look,
    Looked,
    Missing,
    Put,
    Scan,
    Scanned,
    Solution,
    Solve,
    Spans,
    Task,
    Write,
    Written,
    Wrong,
)  # fmt: skip
from core.media.cache import FOLDER, Cache
from core.media.captions.sources import read_captions
from core.media.found import captions_beside
from core.media.names.cast import read_cast
from core.media.video.sampling import parts
from core.progress import Progress, silent
from core.store.archives.archive import Archive, Film

PIECE = 600.0  # seconds of film in one task
TRIES = 4  # workers that may be short of disk or memory, or projects busy, before a task is given up
BLOCK = 8 << 20  # bytes of a film that are sent at once
WAIT = 0.5  # seconds to wait for the next answer before looking around
NAME = re.compile(r"[0-9a-f]{64}\.npz")
PLAN = "plan.json"  # in a film's incoming folder: what its scan said


@dataclass(frozen=True)
class Settings:
    """How an archive is taken in."""

    method: str = "rollcall"
    seed: int = 0
    gpu: bool = False  # faces are looked for by workers with a GPU alone
    piece: float = PIECE


@dataclass(frozen=True)
class Tally:
    """How an archive stands."""

    done: int
    failed: int
    left: int
    projects: int  # that have been named


@dataclass(frozen=True)
class _Flight:
    """A task that is under way, or waits for its turn."""

    task: Task
    film: int = 0
    project: str = ""
    tries: int = 0
    where: str = ""
    avoid: frozenset[str] = frozenset()
    alone: bool = False  # a suspect, tried when nothing else is under way
    then: Task | None = None  # of a block of a film: what it is sent for


@dataclass
class _Running:
    """A film that is being taken in."""

    film: Film
    place: messages.Place
    captioned: bool
    spoken: Spans = ()
    left: set[int] = field(default_factory=set)  # pieces to look at
    where: str = ""  # the worker that the film was sent to
    sent_to: str = ""  # ... and is being sent to
    held: list[_Flight] = field(default_factory=list)  # what waits for that


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
        self._flights: dict[int, _Flight] = {}
        self._ready: list[tuple[int, int, _Flight]] = []  # a heap: films that began earlier come first
        self._running: dict[int, _Running] = {}
        self._questions: dict[str, tuple[int, int]] = {}  # by project, the log's version and the faces that were asked about
        self._suspects: list[_Flight] = []
        self._kind = kind_of_cache()
        self._last = 0  # the film that was begun last

    def run(self, retry: bool = False) -> Tally:
        """Does what is left to do, until all is done or somebody stops it."""
        self.states.begin(retry)
        for one in self.states.projects():
            self._settle(one.name)
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

    def _add(self, flight: _Flight) -> None:
        order = flight.film or 0  # naming a project comes first: it is the end of something
        heapq.heappush(self._ready, (order, next(self._numbers), flight))

    def _launch(self, flight: _Flight) -> None:
        number = next(self._numbers)
        self._flights[number] = flight
        message = messages.encode(flight.task)
        if isinstance(flight.task, Write | Ask | Keep):
            self.writer.submit(number, message)
        else:
            gpu = self.settings.gpu and isinstance(flight.task, Look)
            here = self._running[flight.film].where if flight.film in self._running else ""
            self.engine.submit(number, message, gpu, flight.where or here, flight.avoid)

    def _begin_next(self) -> bool:
        """Begins the next film that waits; False where there is none."""
        for film in self._waiting():
            try:
                self._begin(film)
                return True
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

    def _begin(self, film: Film) -> None:
        """What can be told at once is told at once: a film or captions that cannot be read."""
        about = film.path.stat()
        key = sha256(f"{film.path} {about.st_size} {about.st_mtime_ns}".encode(errors="surrogatepass")).hexdigest()
        captions = film.captions or captions_beside(film.path)
        lines = read_captions(captions) if captions else []
        if film.cast:
            read_cast(film.cast)
        running = _Running(film, messages.Place(str(film.path), about.st_size, key), captions is not None)
        running.spoken = tuple((line.start, line.stop) for line in lines)
        self._running[film.id] = running
        self.states.set_state(film.id, "running")
        if not self._resume(running):
            self._add(_Flight(Scan(str(film.path), about.st_size, key, running.captioned), film.id))

    def _resume(self, running: _Running) -> bool:
        """Goes on with a film that was scanned before, if it is still the same."""
        folder = self.archive.incoming(running.film.id)
        try:
            plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
            if (plan["key"], plan["kind"], plan["piece"]) != (running.place.key, self._kind, self.settings.piece):
                return False
            if not running.captioned:
                running.spoken = tuple((float(start), float(stop)) for start, stop in plan["spoken"])
            return self._plan(running, str(plan["content"]))
        except (OSError, ValueError, KeyError, TypeError):
            return False

    # --- What comes back ------------------------------------------------------------------------------------------------

    def _take(self, ended: Ended) -> None:
        flight = self._flights.pop(ended.number, None)
        if flight is None or (flight.film and flight.film not in self._running):
            return  # its film has failed meanwhile
        if ended.fate == "lost":
            self._again(replace(flight, avoid=frozenset()))
            return
        if ended.fate == "killed":
            self._killed(flight)
            return
        try:
            answer = messages.decode(ended.answer)
        except BadInput as error:
            self._give_up(flight, str(error))
            return
        self._answered(flight, answer, ended.worker)  # type: ignore[arg-type]  # a task is no answer, see there

    def _killed(self, flight: _Flight) -> None:
        """A task that ends its workers is given up. Where the engine may blame the wrong one, it is tried alone at the end,
        when nothing else can have done it."""
        if self.engine.exact or flight.alone:
            self._give_up(flight, f"{_what(flight.task)} ended its worker {KILLS} times, perhaps for lack of memory")
        else:
            self._suspects.append(replace(flight, alone=True, where="", avoid=frozenset()))

    def _answered(self, flight: _Flight, answer: Answer, worker: str) -> None:
        try:
            match flight.task, answer:
                case Scan(), Scanned():
                    self._scanned(self._running[flight.film], answer)
                case Look(piece=piece), Looked():
                    self._looked(self._running[flight.film], piece, answer)
                case Write(), Written():
                    self._written(self._running.pop(flight.film).film, answer)
                case Ask(), Asked():
                    self._asked(flight, answer)
                case Solve(), Solution():
                    self._solved(flight, answer)
                case Keep(), Kept():
                    self._kept(flight, answer)
                case ((Scan() | Look() | Put()), Missing()):
                    self._send(flight, answer.have, worker)
                case _, Wrong():
                    self._wrong(flight, answer, worker)
                case _:
                    raise BadInput(messages.WRONG)
        except BadInput as error:
            self._give_up(flight, str(error))

    def _wrong(self, flight: _Flight, answer: Wrong, worker: str) -> None:
        if answer.fault == "film" or flight.tries + 1 >= TRIES:
            self._give_up(flight, answer.sentence)
            return
        avoid = flight.avoid | {worker} if answer.fault == "worker" else flight.avoid
        self._again(replace(flight, tries=flight.tries + 1, avoid=avoid))

    def _again(self, flight: _Flight) -> None:
        """Does a task once more; a film that was on its way to a worker is sent anew, perhaps to another one."""
        if flight.then is not None:
            running = self._running[flight.film]
            running.held = [replace(one, avoid=one.avoid | flight.avoid) for one in running.held]
            self._release(running)
        else:
            self._add(replace(flight, where=""))

    def _give_up(self, flight: _Flight, sentence: str) -> None:
        if flight.film:
            self._fail(flight.film, sentence)
        else:
            self.states.set_project(flight.project, "failed", sentence)

    def _fail(self, film: int, sentence: str) -> None:
        self._running.pop(film, None)
        self.states.set_state(film, "failed", sentence)
        self.archive.forget_incoming(film)
        self._settle(self.states.film(film).project)

    # --- A film ---------------------------------------------------------------------------------------------------------

    def _scanned(self, running: _Running, answer: Scanned) -> None:
        self._check(answer.kind)
        self._store(running.film.id, answer)
        if not running.captioned:
            running.spoken = answer.spoken
        plan = {"key": running.place.key, "kind": self._kind, "piece": self.settings.piece, "content": answer.content}
        text = json.dumps(plan | {"spoken": running.spoken})
        whole_file(self.archive.incoming(running.film.id) / PLAN, lambda file: file.write(text.encode()))
        if not self._plan(running, answer.content):
            raise BadInput(messages.WRONG)

    def _plan(self, running: _Running, content: str) -> bool:
        """Deals out the pieces of a film that were not looked at yet; False where its timeline is not there."""
        film, place = running.film, running.place
        folder = self.archive.incoming(film.id)
        cache = Cache(folder, "")
        timeline = cache.timeline(content)
        if timeline is None:
            return False
        spans = parts(timeline, self.settings.piece)
        self.states.scanned(film.id, content, timeline.duration, len(spans))
        running.left = set(range(len(spans))) - self.states.pieces(film.id)
        name = cache.timeline_name(content)
        known = (cache.folder / name).read_bytes()
        for piece in sorted(running.left):
            where = (place.path, place.size, place.key)
            self._add(_Flight(Look(*where, content, piece, spans[piece], running.spoken, name, known), film.id))
        if not running.left:
            self._write(running)
        return True

    def _looked(self, running: _Running, piece: int, answer: Looked) -> None:
        self._check(answer.kind)
        self._store(running.film.id, answer)
        self.states.looked_at(running.film.id, piece)
        running.left.discard(piece)
        if not running.left:
            self._write(running)

    def _store(self, film: int, answer: Scanned | Looked) -> None:
        """Puts what a worker found where the ingest looks for it. A frame that two pieces saw is kept with its picture."""
        folder = self.archive.incoming(film) / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in zip(answer.names, answer.files, strict=True):
            if not NAME.fullmatch(name):
                raise BadInput(messages.WRONG)
            path = folder / name
            if not path.is_file() or path.stat().st_size < len(content):
                beside = path.with_suffix(".part")
                beside.write_bytes(content)
                beside.replace(path)

    def _check(self, kind: str) -> None:
        if kind != self._kind:
            raise BadInput(f"a worker has {kind} where the coordinator has {self._kind}; run the same version everywhere")

    def _write(self, running: _Running) -> None:
        film = running.film
        captions, cast = ("" if path is None else str(path) for path in (film.captions, film.cast))
        project, title = self.archive.project_folder(film.project), self.states.project(film.project).title
        cache = str(self.archive.incoming(film.id))
        self._add(_Flight(Write(str(project), title, str(film.path), captions, cast, cache), film.id))

    def _written(self, film: Film, answer: Written) -> None:
        self.states.set_state(film.id, "done", answer.text)
        self.archive.forget_incoming(film.id)
        self._settle(film.project)

    # --- A film that workers cannot reach -------------------------------------------------------------------------------

    def _send(self, flight: _Flight, have: int, worker: str) -> None:
        """Sends the next block of a film to a worker that cannot reach it; after the last one its tasks follow."""
        running = self._running[flight.film]
        if flight.then is None:  # a task that cannot be done yet
            running.held.append(flight)
            if running.sent_to:
                return  # the film is on its way
            if flight.tries + 1 >= TRIES:
                raise BadInput(f"{running.place.path}: workers cannot reach the film, and sending it did not help")
            running.sent_to = worker
        if have >= running.place.size:
            self._release(running, worker)
            return
        with Path(running.place.path).open("rb") as file:
            file.seek(have)
            block = file.read(BLOCK)
        put = Put(running.place.key, have, running.place.size, block)
        self._add(_Flight(put, flight.film, where=worker, then=running.held[0].task, avoid=flight.avoid))

    def _release(self, running: _Running, worker: str = "") -> None:
        """Lets the tasks go on that waited for their film; by the worker that has it now, where there is one."""
        held, running.held, running.sent_to, running.where = running.held, [], "", worker
        for flight in held:
            self._add(replace(flight, tries=flight.tries + 1, where=worker))

    # --- A project ------------------------------------------------------------------------------------------------------

    def _settle(self, name: str) -> None:
        """Lets a project be named when all of its films are in or have failed."""
        films = self.states.of_project(name)
        ready = all(film.state in ("done", "failed") for film in films) and any(film.state == "done" for film in films)
        if ready and self.states.project(name).state == "waiting":
            self.states.set_project(name, "running")
            self._add(_Flight(Ask(str(self.archive.project_folder(name))), project=name))

    def _asked(self, flight: _Flight, answer: Asked) -> None:
        solve = Solve(self.settings.method, self.settings.seed, answer.corrections, answer.problem)
        self._questions[flight.project] = (answer.version, answer.faces)
        self._add(_Flight(solve, project=flight.project))

    def _solved(self, flight: _Flight, answer: Solution) -> None:
        version, faces = self._questions.pop(flight.project)
        keep = Keep(
            str(self.archive.project_folder(flight.project)), self.settings.method, self.settings.seed, answer.seconds,
            version, faces, answer.names, answer.prediction, answer.checkpoint,
        )  # fmt: skip
        self._add(_Flight(keep, project=flight.project))

    def _kept(self, flight: _Flight, answer: Kept) -> None:
        if answer.changed:
            self._add(_Flight(Ask(str(self.archive.project_folder(flight.project))), project=flight.project))
        else:
            self.states.set_project(flight.project, "done", answer.text)


def _what(task: Task) -> str:
    return {"Scan": "reading the film", "Look": "looking for faces", "Solve": "naming the faces"}.get(
        type(task).__name__, "taking it in"
    )
