"""The pipeline: one thread decodes while the others find and describe faces; what is found goes into the cache at once."""

from __future__ import annotations

import ctypes
import gc
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.media.cache import Cache, Seen
from core.media.faces.finder import Before, FaceFinder, with_crops
from core.media.faces.kinds import Found
from core.media.faces.registry import DETECTOR, DETECTORS, EMBEDDER, EMBEDDERS
from core.media.pictures import encode
from core.media.video.reader import Pixels
from core.progress import Progress
from core.records import Box

BATCH = max(16, 4 * (os.cpu_count() or 1))  # pictures at the most, so that all cores have work ...
BATCH_PIXELS = 24_000_000  # ... and pixels about, so that large ones do not fill the memory
AHEAD = 1  # batches decoded in advance


def release_memory() -> None:
    """Gives memory that is free back to the system, where its library can."""
    gc.collect()
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Finder:
    """A face finder that is made when it is first needed: loading the networks takes longer than reading the cache.

    ``embedder`` is the kind that made the project's vectors. If it has no row in the registry, the first one is taken.
    """

    def __init__(self, made: FaceFinder | None = None, embedder: str = "") -> None:
        self._made, self._given = made, made
        self.embedder = made.embedder.kind if made else embedder if embedder in EMBEDDERS else EMBEDDER
        self.detector = made.detector.kind if made else DETECTOR

    @property
    def sure(self) -> float:
        """The detector's score of a face."""
        return DETECTORS[self.detector].sure if self._made is None else self._made.detector.sure

    def find(self, pictures: Sequence[Pixels]) -> list[list[Found]]:
        """The faces of each picture."""
        return self._finder().find(pictures) if pictures else []

    def follow(self, pictures: Sequence[Pixels], shown: Sequence[bool], before: Sequence[Before]) -> list[list[Found]]:
        """The faces of looks at a film; see ``FaceFinder.follow``."""
        return self._finder().follow(pictures, shown, before) if pictures else []

    def _finder(self) -> FaceFinder:
        self._made = self._made or FaceFinder(EMBEDDERS[self.embedder]())
        return self._made

    def rest(self) -> None:
        """Lets go of the networks that were loaded here; what follows, such as the language model, needs their memory. They
        are loaded again when they are needed again."""
        self._made = self._given
        release_memory()

    def embed_box(self, picture: Pixels, box: Box) -> Found:
        """A face that somebody marked and the detector did not find."""
        self._made = self._made or FaceFinder(EMBEDDERS[self.embedder]())
        return self._made.embed_box(picture, box)


@dataclass(frozen=True, eq=False)
class View:
    """Something to look at: its content key, its pixels unless the cache has it, and whether people will see it; in a film
    also the content key of the look before it in its shot."""

    content: str
    pixels: Pixels | None
    shown: bool = True
    before: str = ""


def look(
    finder: Finder,
    cache: Cache,
    views: Iterator[View],
    total: int,
    progress: Progress,
    stop: Callable[[], bool],
    film: bool = False,
) -> bool:
    """Finds the faces of all views; False if it was told to stop before the end. ``views`` runs in a thread of its own."""
    batches: queue.Queue[list[tuple[View, bytes]] | BaseException | None] = queue.Queue(AHEAD)
    stopped = threading.Event()
    thread = threading.Thread(target=_decode, args=(views, batches, stopped), name="decode", daemon=True)
    thread.start()
    done = 0
    progress("faces", done, total)
    try:
        while True:
            batch = batches.get()
            if isinstance(batch, BaseException):
                raise batch
            if batch is None:
                progress("faces", total, total)
                return True
            _find(finder, cache, batch, film)
            done += len(batch)
            progress("faces", min(done, total), total)
            if stop():
                return False
    finally:
        stopped.set()
        thread.join()


def _find(finder: Finder, cache: Cache, batch: Sequence[tuple[View, bytes]], film: bool) -> None:
    new = [(view, view.pixels, picture) for view, picture in batch if view.pixels is not None]
    if film:
        there = {view.content for view, *_ in new if cache.has(view.content, shown=False)}
        seen = [one for one in new if one[0].content in there]
        new = [one for one in new if one[0].content not in there]
        found = [with_crops(pixels, cache.faces(view.content)) for view, pixels, _ in seen]
        found += finder.follow([one for _, one, _ in new], [one.shown for one, *_ in new], _before(cache, new))
        new = seen + new
    else:
        found = finder.find([pixels for _, pixels, _ in new])
    cache.put(
        (view.content, Seen(pixels.shape[1], pixels.shape[0], faces, picture))
        for (view, pixels, picture), faces in zip(new, found, strict=True)
    )


def _before(cache: Cache, new: Sequence[tuple[View, Pixels, bytes]]) -> list[Before]:
    """For each look the one before it: its index where it is among these, else its faces, as far as they are known."""
    place = {view.content: k for k, (view, *_) in enumerate(new)}
    found: list[Before] = []
    for k, (view, *_) in enumerate(new):
        here = place.get(view.before, k)
        known = here >= k and bool(view.before) and cache.has(view.before, shown=False)
        found.append(here if here < k else cache.faces(view.before) if known else None)
    return found


def _decode(
    views: Iterator[View],
    batches: queue.Queue[list[tuple[View, bytes]] | BaseException | None],
    stopped: threading.Event,
) -> None:
    """Decodes ahead; whatever goes wrong is handed over, too."""

    def hand_over(batch: list[tuple[View, bytes]] | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                batches.put(batch, timeout=0.1)
                return
            except queue.Full:
                continue

    try:
        batch: list[tuple[View, bytes]] = []
        pixels = 0
        for view in views:
            batch.append((view, encode(view.pixels) if view.pixels is not None and view.shown else b""))
            pixels += 0 if view.pixels is None else view.pixels.size // 3
            if len(batch) >= BATCH or pixels >= BATCH_PIXELS:
                hand_over(batch)
                batch, pixels = [], 0
            if stopped.is_set():
                return
        if batch:
            hand_over(batch)
        hand_over(None)
    except BaseException as error:
        hand_over(error)
    finally:
        close = getattr(views, "close", None)
        if close is not None:
            close()
