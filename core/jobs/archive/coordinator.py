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
from dataclasses import replace
from hashlib import sha256
from itertools import count

from core.errors import BadInput
from core.formats import whole_file
from core.jobs.archive import messages
from core.jobs.archive.engine import KILLS, Ended, Engine
from core.jobs.archive.films import kind_of_cache
from core.jobs.archive.flights import TRIES, Flight, Running, Settings, Tally, what_of
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
    Write,
    Written,
    Wrong,
)  # fmt: skip
from core.jobs.archive.projects import Naming
from core.jobs.archive.sending import release, send
from core.media.cache import FOLDER, Cache
from core.media.captions.sources import read_captions
from core.media.found import captions_beside
from core.media.names.cast import read_cast
from core.media.video.sampling import parts
from core.progress import Progress, silent
from core.store.archives.archive import Archive, Film, Unusable

WAIT = 0.5  # seconds to wait for the next answer before looking around
NAME = re.compile(r"[0-9a-f]{64}\.npz")
PLAN = "plan.json"  # in a film's incoming folder: what its scan said


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
        self._running: dict[int, Running] = {}
        self._naming = Naming(archive, settings, self._add)
        self._suspects: list[Flight] = []
        self._kind = kind_of_cache()
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

    def _begin(self, film: Film) -> None:
        """What can be told at once is told at once: a film or captions that cannot be read."""
        about = film.path.stat()
        key = sha256(f"{film.path} {about.st_size} {about.st_mtime_ns}".encode(errors="surrogatepass")).hexdigest()
        captions = film.captions or captions_beside(film.path)
        lines = read_captions(captions) if captions else []
        if film.cast:
            read_cast(film.cast)
        running = Running(film, messages.Place(str(film.path), about.st_size, key), captions is not None)
        running.spoken = tuple((line.start, line.stop) for line in lines)
        self._running[film.id] = running
        self.states.set_state(film.id, "running")
        if not self._resume(running):
            self._add(Flight(Scan(str(film.path), about.st_size, key, running.captioned), film.id))

    def _resume(self, running: Running) -> bool:
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

    def _killed(self, flight: Flight) -> None:
        """A task that ended its workers may have done so because of others: for the memory that they took, or because
        somebody ended the machine. So it is tried once more at the end, alone, and only then given up."""
        if flight.alone:
            self._give_up(flight, f"{what_of(flight.task)} ended its worker {KILLS} times, perhaps for lack of memory")
        else:
            self._suspects.append(replace(flight, alone=True, where="", avoid=frozenset()))

    def _answered(self, flight: Flight, answer: Answer, worker: str) -> None:
        try:
            match flight.task, answer:
                case Scan(), Scanned():
                    self._scanned(self._running[flight.film], answer)
                case Look(piece=piece), Looked():
                    self._looked(self._running[flight.film], piece, answer)
                case Write(), Written():
                    self._written(self._running.pop(flight.film).film, answer)
                case Ask(), Asked():
                    self._naming.asked(flight, answer)
                case Solve(), Solution():
                    self._naming.solved(flight, answer)
                case Keep(), Kept():
                    self._naming.kept(flight, answer)
                case ((Scan() | Look() | Put()), Missing()):
                    send(self._add, self._running[flight.film], flight, answer.have, worker)
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
            self._give_up(flight, answer.sentence)
            return
        avoid = flight.avoid | {worker} if answer.fault == "worker" else flight.avoid
        self._again(replace(flight, tries=flight.tries + 1, avoid=avoid))

    def _again(self, flight: Flight) -> None:
        """Does a task once more; a film that was on its way to a worker is sent anew, perhaps to another one."""
        if flight.then is not None:
            running = self._running[flight.film]
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
        self._running.pop(film, None)
        self.states.set_state(film, "failed", sentence)
        self.archive.forget_incoming(film)
        self._naming.settle(self.states.film(film).project)

    # --- A film ---------------------------------------------------------------------------------------------------------

    def _scanned(self, running: Running, answer: Scanned) -> None:
        self._check(answer.kind)
        self._store(running.film.id, answer)
        if not running.captioned:
            running.spoken = answer.spoken
        plan = {"key": running.place.key, "kind": self._kind, "piece": self.settings.piece, "content": answer.content}
        text = json.dumps(plan | {"spoken": running.spoken})
        whole_file(self.archive.incoming(running.film.id) / PLAN, lambda file: file.write(text.encode()))
        if not self._plan(running, answer.content):
            raise BadInput(messages.WRONG)

    def _plan(self, running: Running, content: str) -> bool:
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
            self._add(Flight(Look(*where, content, piece, spans[piece], running.spoken, name, known), film.id))
        if not running.left:
            self._write(running)
        return True

    def _looked(self, running: Running, piece: int, answer: Looked) -> None:
        self._check(answer.kind)
        self._store(running.film.id, answer)
        self.states.looked_at(running.film.id, piece)
        running.left.discard(piece)
        if not running.left:
            self._write(running)

    def _store(self, film: int, answer: Scanned | Looked) -> None:
        """Puts what a worker found where the ingest looks for it. A frame that two pieces saw is kept with its picture."""
        folder = self.archive.incoming(film) / FOLDER
        if any(not NAME.fullmatch(name) for name in answer.names):
            raise BadInput(messages.WRONG)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name, content in zip(answer.names, answer.files, strict=True):
                path = folder / name
                if not path.is_file() or path.stat().st_size < len(content):
                    beside = path.with_suffix(".part")
                    beside.write_bytes(content)
                    beside.replace(path)
        except OSError as error:
            what = f"cannot be written ({error.strerror}); free some space, then give the same command again"
            raise Unusable(f"{self.archive.folder}: {what}") from error

    def _check(self, kind: str) -> None:
        if kind != self._kind:
            raise BadInput(f"a worker has {kind} where the coordinator has {self._kind}; run the same version everywhere")

    def _write(self, running: Running) -> None:
        film = running.film
        captions, cast = ("" if path is None else str(path) for path in (film.captions, film.cast))
        project, title = self.archive.project_folder(film.project), self.states.project(film.project).title
        cache = str(self.archive.incoming(film.id))
        self._add(Flight(Write(str(project), title, str(film.path), captions, cast, cache), film.id))

    def _written(self, film: Film, answer: Written) -> None:
        self.states.set_state(film.id, "done", answer.text)
        self.archive.forget_incoming(film.id)
        self._naming.settle(film.project)
