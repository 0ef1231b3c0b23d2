"""The steps of a film: it is scanned, looked at in pieces, listened to if that is asked for, and written into its project.

What workers find lies in the archive's ``incoming`` until the film is in its project, and every step is noted when its files
are on the disk. So whatever ends the coordinator, the next one goes on from there: a piece that was noted is not looked at
again, and one that was not leaves nothing behind that counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.formats import whole_file
from core.jobs.archive import messages
from core.jobs.archive.films import kind_of_cache
from core.jobs.archive.flights import Flight, Running, Settings
from core.jobs.archive.messages import Hint, Hinted, Listen, Look, Looked, Scan, Scanned, Write, Written
from core.media.cache import FOLDER, Cache
from core.media.captions.sources import read_captions
from core.media.found import captions_beside
from core.media.names.cast import read_cast
from core.media.video.sampling import parts
from core.store.archives.archive import Archive, Film, Unusable

NAME = re.compile(r"[0-9a-f]{64}\.npz")
PLAN = "plan.json"  # in a film's incoming folder: what its scan said, and whether it was listened to


class Steps:
    """What comes of each answer about a film; ``add`` takes the tasks that follow."""

    def __init__(self, archive: Archive, settings: Settings, add: Callable[[Flight], None]) -> None:
        self.archive, self.states, self.settings, self.add = archive, archive.states, settings, add
        self.running: dict[int, Running] = {}
        self._kind = kind_of_cache()

    def begin(self, film: Film) -> None:
        """What can be told at once is told at once: a film or captions that cannot be read."""
        about = film.path.stat()
        key = sha256(f"{film.path} {about.st_size} {about.st_mtime_ns}".encode(errors="surrogatepass")).hexdigest()
        captions = film.captions or captions_beside(film.path)
        lines = read_captions(captions) if captions else []
        if film.cast:
            read_cast(film.cast)
        running = Running(film, messages.Place(str(film.path), about.st_size, key), captions is not None)
        running.spoken = tuple((line.start, line.stop) for line in lines)
        self.running[film.id] = running
        self.states.set_state(film.id, "running")
        if not self._resume(running):
            self.add(Flight(Scan(str(film.path), about.st_size, key, running.captioned, self.settings.screen), film.id))

    def _resume(self, running: Running) -> bool:
        """Goes on with a film that was scanned before, if it is still the same."""
        try:
            plan = json.loads((self.archive.incoming(running.film.id) / PLAN).read_text(encoding="utf-8"))
            if any(plan[name] != value for name, value in self._same(running).items()):
                return False
            if not running.captioned:
                running.spoken = tuple((float(start), float(stop)) for start, stop in plan["spoken"])
            running.content, running.heard = str(plan["content"]), bool(plan["heard"])
            return self._plan(running)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _same(self, running: Running) -> dict[str, Any]:
        """What has to be as it was, for a plan to hold."""
        return {"key": running.place.key, "kind": self._kind, "piece": self.settings.piece, "screen": self.settings.screen}

    def scanned(self, film: int, answer: Scanned) -> None:
        running = self.running[film]
        self._check(answer.kind)
        self.store(film, answer)
        if not running.captioned:
            running.spoken = answer.spoken
        running.content = answer.content
        self._note(running)
        if not self._plan(running):
            raise BadInput(messages.WRONG)

    def _note(self, running: Running) -> None:
        more = {"content": running.content, "spoken": running.spoken, "heard": running.heard}
        text = json.dumps(self._same(running) | more).encode()
        whole_file(self.archive.incoming(running.film.id) / PLAN, lambda file: file.write(text))

    def _plan(self, running: Running) -> bool:
        """Deals out the pieces of a film that were not looked at yet; False where its timeline is not there."""
        film, place = running.film, running.place
        cache = Cache(self.archive.incoming(film.id), "")
        timeline = cache.timeline(running.content)
        if timeline is None:
            return False
        spans = parts(timeline, self.settings.piece)
        running.duration = timeline.duration
        self.states.scanned(film.id, running.content, timeline.duration, len(spans))
        running.left = set(range(len(spans))) - self.states.pieces(film.id)
        name = cache.timeline_name(running.content)
        known = (cache.folder / name).read_bytes()
        for piece in sorted(running.left):
            where = (place.path, place.size, place.key, running.content, piece, spans[piece], running.spoken)
            self.add(Flight(Look(*where, self.settings.screen, name, known), film.id))
        if not running.left:
            self._go_on(running)
        return True

    def looked(self, film: int, task: Look, answer: Looked) -> None:
        running = self.running[film]
        self._check(answer.kind)
        self.store(film, answer)
        self.states.looked_at(film, task.piece)
        running.left.discard(task.piece)
        if not running.left:
            self._go_on(running)

    def _go_on(self, running: Running) -> None:
        """What follows when all has been looked at: somebody listens, if there are no captions, or the film is written."""
        film = running.film
        captions, cast = ("" if path is None else str(path) for path in (film.captions, film.cast))
        cache = str(self.archive.incoming(film.id))
        if self.settings.speech and not running.captioned and not running.spoken and not running.heard:
            self.add(Flight(Hint(running.content, cast, cache), film.id))
            return
        project, title = self.archive.project_folder(film.project), self.states.project(film.project).title
        what = (str(project), title, str(film.path), captions, cast, cache)
        self.add(Flight(Write(*what, self.settings.screen, self.settings.speech), film.id))

    def hinted(self, film: int, answer: Hinted) -> None:
        running = self.running[film]
        place = (running.place.path, running.place.size, running.place.key)
        self.add(Flight(Listen(*place, running.content, running.duration, answer.names), film))

    def listened(self, film: int, answer: Looked) -> None:
        running = self.running[film]
        self._check(answer.kind)
        self.store(film, answer)
        running.heard = True
        self._note(running)
        self._go_on(running)

    def written(self, film: int, answer: Written) -> str:
        """Gives the film's project."""
        running = self.running.pop(film)
        self.states.set_state(film, "done", answer.text)
        self.archive.forget_incoming(film)
        return running.film.project

    def fail(self, film: int, sentence: str) -> str:
        """Gives the film's project."""
        self.running.pop(film, None)
        self.states.set_state(film, "failed", sentence)
        self.archive.forget_incoming(film)
        return self.states.film(film).project

    def store(self, film: int, answer: Scanned | Looked) -> None:
        """Puts what a worker found where the ingest looks for it. A frame that two pieces saw is kept with its picture."""
        folder = self.archive.incoming(film) / FOLDER
        if any(not NAME.fullmatch(name) for name in answer.names):
            raise BadInput(messages.WRONG)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name, content in zip(answer.names, answer.files, strict=True):
                _keep_larger(folder / name, content)
        except OSError as error:
            what = f"cannot be written ({error.strerror}); free some space, then give the same command again"
            raise Unusable(f"{self.archive.folder}: {what}") from error

    def _check(self, kind: str) -> None:
        if kind != self._kind:
            raise BadInput(f"a worker has {kind} where the coordinator has {self._kind}; run the same version everywhere")


def _keep_larger(path: Path, content: bytes) -> None:
    if not path.is_file() or path.stat().st_size < len(content):
        beside = path.with_suffix(".part")
        beside.write_bytes(content)
        beside.replace(path)
