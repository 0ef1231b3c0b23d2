"""What was found in frames and pictures, kept by their content, so that nothing is computed twice.

A second ingest of the same film, with other captions or other moments, finds here what the first one saw; so does one that
goes on after a stop or a crash. One file a frame, picture or timeline, in the project's cache folder, each written whole or
not at all; all of it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.read.arrays import Arrays
from core.media.faces.kinds import Found
from core.media.video.reader import Timeline
from core.records import Box, Mark

FOLDER = "media-5"  # with the version of what is in it; other versions are removed
MARKS: tuple[Mark, ...] = get_args(Mark)


@dataclass(frozen=True, eq=False)
class Seen:
    """A frame or picture that was looked at: the size of the upright full one, its faces, and a JPEG to show, which is empty
    where nobody will see it."""

    width: int
    height: int
    faces: Sequence[Found]
    picture: bytes


class Cache:
    """Takes the project's cache folder and the kinds of the detector and the embedder whose results are wanted.

    One that ``remembers`` has the faces that were put into it at hand, without their crops: 20 MB for ten minutes of film.
    """

    def __init__(self, folder: Path, finder: str, remembers: bool = False) -> None:
        self.folder, self.finder, self.remembers = folder / FOLDER, finder, remembers
        self._remembered: dict[str, Sequence[Found]] = {}
        with self._said():
            for old in folder.glob("media*"):
                if old != self.folder:
                    shutil.rmtree(old) if old.is_dir() else old.unlink()
            self.folder.mkdir(parents=True, exist_ok=True)

    # --- Frames and pictures ---

    def has(self, content: str, shown: bool = True) -> bool:
        """Whether this was looked at before; and, where it is to be ``shown``, kept with its picture.

        What a crash of the machine cut short does not count.
        """
        path = self._path(self.finder, content)
        if not zipfile.is_zipfile(path):
            return False
        if not shown:
            return True  # each look at a film is asked for several times
        with self._read(path) as arrays:
            return bool(arrays["picture"].size)

    def put(self, seen: Iterable[tuple[str, Seen]]) -> None:
        """Keeps some, one after the other."""
        for content, one in seen:
            whole = {"size": np.array([one.width, one.height]), "picture": np.frombuffer(one.picture, np.uint8)}
            faces = _faces(one.faces)
            self._write(self._path(self.finder, content), whole | faces | _crops(one.faces))
            if self.remembers:
                self._remembered[content] = _found(faces, with_crops=False)  # as they would be read

    def get(self, content: str) -> Seen:
        """What was found there; it must have been looked at."""
        with self._read(self._path(self.finder, content)) as arrays:
            width, height = arrays["size"].tolist()
            return Seen(width, height, _found(arrays, with_crops=True), arrays["picture"].tobytes())

    def faces(self, content: str) -> Sequence[Found]:
        """The faces alone, without their crops: quick, and small enough to have those of a whole film at once."""
        if content in self._remembered:
            return self._remembered[content]
        with self._read(self._path(self.finder, content)) as arrays:
            return _found(arrays, with_crops=False)

    # --- Timelines ---

    def timeline(self, content: str) -> Timeline | None:
        """The timeline of a video, if it was scanned before."""
        path = self._path("timeline", content)
        if not zipfile.is_zipfile(path):
            return None
        with self._read(path) as arrays:
            duration, damaged, counted = arrays["whole"].tolist()
            stamps, times, keys, cuts = (arrays[name] for name in ("stamps", "times", "keys", "cuts"))
        return Timeline(stamps, times, keys, cuts, duration, int(damaged), bool(counted))

    def timeline_name(self, content: str) -> str:
        """The name of the file that holds a timeline."""
        return self._path("timeline", content).name

    def put_timeline(self, content: str, timeline: Timeline) -> None:
        whole = np.array([timeline.duration, timeline.damaged, timeline.counted], dtype=np.float64)
        arrays = {"stamps": timeline.stamps, "times": timeline.times, "keys": timeline.keys, "cuts": timeline.cuts}
        self._write(self._path("timeline", content), {**arrays, "whole": whole})

    # --- Notes ---

    def note(self, kind: str, content: str) -> str | None:
        """A text that was kept about a part of a film; None if there is none."""
        path = self._path(kind, content)
        if not zipfile.is_zipfile(path):
            return None
        with self._read(path) as arrays:
            return arrays["note"].tobytes().decode()

    def put_note(self, kind: str, content: str, note: str) -> None:
        self._write(self._path(kind, content), {"note": np.frombuffer(note.encode(), np.uint8)})

    # --- Files ---

    def _path(self, kind: str, content: str) -> Path:
        return self.folder / f"{hashlib.sha256(f'{kind} {content}'.encode()).hexdigest()}.npz"

    def _write(self, path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
        beside = path.with_name(f".{os.getpid()}-{threading.get_ident()}.part")  # faces and texts come from two threads
        with self._said():
            try:
                beside.unlink(missing_ok=True)
                with beside.open("xb") as file:  # never through a link that somebody put there
                    np.savez(file, allow_pickle=False, **arrays)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)

    @contextmanager
    def _read(self, path: Path) -> Iterator[Arrays]:
        try:
            with Arrays(path) as arrays:
                yield arrays
        except (ValueError, KeyError) as error:
            path.unlink(missing_ok=True)  # it holds nothing that cannot be computed again
            raise BadInput(f"{path}: what was kept here is damaged and was removed; start the work again") from error

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Says in one sentence what the disk refuses."""
        try:
            yield
        except OSError as error:
            what = f"cannot be written ({error.strerror}); free some space or make the folder writable, and try again"
            raise BadInput(f"{self.folder.parent}: {what}") from error


def _faces(faces: Sequence[Found]) -> dict[str, NDArray[Any]]:
    box = [[face.box.left, face.box.top, face.box.right, face.box.bottom] for face in faces]
    return {
        "box": np.array(box, dtype=np.float32).reshape(-1, 4),
        "score": np.array([face.score for face in faces], dtype=np.float32),
        "landmarks": np.array([face.landmarks for face in faces], dtype=np.float32).reshape(-1, 5, 2),
        "mark": np.array([MARKS.index(face.mark) for face in faces], dtype=np.int8),
        "quality": np.array([face.quality for face in faces], dtype=np.float32),
        "small": np.array([face.small for face in faces], dtype=np.uint8),
        "embedding": np.array([face.embedding for face in faces], dtype=np.float32),
        "chain": np.array([(face.follows, face.since) for face in faces], dtype=np.int32).reshape(-1, 2),
        "known": np.array([face.known for face in faces], dtype=np.float32),
    }


def _crops(faces: Sequence[Found]) -> dict[str, NDArray[Any]]:
    return {f"crop{k}": np.frombuffer(face.crop, dtype=np.uint8) for k, face in enumerate(faces)}


def _found(arrays: Mapping[str, NDArray[Any]], with_crops: bool) -> list[Found]:
    names = ("box", "score", "landmarks", "mark", "quality", "embedding", "small", "chain", "known")
    columns = (arrays[name] for name in names)
    return [
        Found(
            box=Box(*box.tolist()),
            score=float(score),
            landmarks=landmarks,
            mark=MARKS[mark],
            quality=float(quality),
            embedding=embedding,
            small=small,
            crop=arrays[f"crop{k}"].tobytes() if with_crops else b"",
            follows=int(chain[0]),
            since=int(chain[1]),
            known=float(known),
        )
        for k, (box, score, landmarks, mark, quality, embedding, small, chain, known) in enumerate(
            zip(*columns, strict=True)
        )
    ]
