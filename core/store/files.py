"""A project's files beside its database: crops and frames as JPEG, and the embeddings as one memory-mapped table.

Face ``i`` is row ``i`` of the table. No link in a project's folder is followed: a project that somebody else made must not
lead out of it. Files are written before the transaction that tells of them, so whatever a crash leaves
behind is unknown to the database and overwritten by the next.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import numpy as np

from core.errors import BadInput
from core.problem import FloatArray
from core.records import Box

EMBEDDINGS = "embeddings.f32"
CROPS, FRAMES, RUNS, CACHE = "crops", "frames", "runs", "cache"
CAST = "cast"  # a picture of each name, where somebody made a sheet of them
UPLOADS = "uploads"  # films, pictures and captions that came through the browser
LOCK, GATE = "job.lock", "job.gate"  # of the process that works on the project, and of who begins it: see job_table.py
JOB_LOG = "job.log"  # in the cache: what the last job's process had to say
PLAIN_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)  # no link is followed, no byte is changed
A_FOLDER = 1000  # files in one folder


def crop_path(folder: Path, face: int) -> Path:
    return _shelf(folder, CROPS, face // A_FOLDER) / f"{face:07}.jpg"


def frame_path(folder: Path, frame: int) -> Path:
    return _shelf(folder, FRAMES, frame // A_FOLDER) / f"{frame:07}.jpg"


@lru_cache(maxsize=1000)  # joining paths is slow, and a project of 20,000 faces asks for each
def _shelf(folder: Path, kind: str, number: int) -> Path:
    return folder / kind / f"{number:04}"


def run_path(folder: Path, run: int) -> Path:
    return folder / RUNS / f"{run:06}.npz"


def check_links(folder: Path) -> None:
    """Refuses a project whose own files or folders are links; pictures are looked at when they are read and written."""
    for place in (folder, *(folder / inner for inner in (CROPS, FRAMES, RUNS, CACHE))):
        try:
            with os.scandir(place) as entries:
                link = next((entry.name for entry in entries if entry.is_symlink()), None)
        except OSError:  # there is none yet
            continue
        if link is not None:
            raise BadInput(f"{place / link}: this is a link, which may lead anywhere; put what it stands for in its place")


def cast_path(folder: Path, name: str) -> Path:
    """Where the cast sheet's picture of a name lies."""
    return folder / CAST / f"{quote(name, safe=' ')}.jpg"


def write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | PLAIN_FILE, 0o600)
    with open(file, "wb") as out:
        out.write(content)


def read_file(path: Path) -> bytes:
    """A picture's content; an OSError where it is gone, or a link."""
    with open(os.open(path, os.O_RDONLY | PLAIN_FILE), "rb") as file:
        return file.read()


def read_embeddings(folder: Path, faces: int, dimension: int) -> FloatArray:
    """The table of all faces, mapped: only the rows that are looked at are read."""
    if not faces or not dimension:
        return np.zeros((0, dimension), np.float32)
    try:
        return np.memmap(folder / EMBEDDINGS, np.float32, mode="r", shape=(faces, dimension))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            raise MemoryError from error  # the file is there
        raise BadInput(
            f"{folder / EMBEDDINGS}: the faces' vectors are lost or cut short; restore this file from a backup"
        ) from error


def append_embeddings(folder: Path, faces: int, rows: FloatArray) -> None:
    """Puts ``rows`` behind the ``faces`` rows that count; what a crash left behind those is overwritten."""
    with (folder / EMBEDDINGS).open("ab") as file:
        file.truncate(faces * rows.shape[1] * 4)
        file.seek(0, os.SEEK_END)
        file.write(np.ascontiguousarray(rows, np.float32).tobytes())
        file.flush()
        os.fsync(file.fileno())


def blank_embeddings(folder: Path, faces: Sequence[int], dimension: int) -> None:
    """Overwrites the rows of ``faces`` with zeros."""
    with (folder / EMBEDDINGS).open("r+b") as file:
        for face in faces:
            file.seek(face * dimension * 4)
            file.write(bytes(dimension * 4))
        file.flush()
        os.fsync(file.fileno())


def cut_embeddings(folder: Path, faces: int, dimension: int) -> None:
    """Cuts off what lies behind the rows that count."""
    with (folder / EMBEDDINGS).open("r+b") as file:
        if file.seek(0, os.SEEK_END) > faces * dimension * 4:
            file.truncate(faces * dimension * 4)
            os.fsync(file.fileno())


def blank_box(path: Path, box: Box, width: int) -> None:
    """Paints over one face in a frame's picture. ``width`` is that of the full-size frame that ``box`` speaks of."""
    from PIL import Image, ImageDraw

    if not path.exists():
        return
    with Image.open(BytesIO(read_file(path))) as picture:
        image = picture.convert("RGB")
    scale = image.width / max(width, 1)
    grow_x, grow_y = 0.3 * (box.right - box.left), 0.3 * (box.bottom - box.top)  # hair and chin tell, too
    area = (box.left - grow_x, box.top - grow_y, box.right + grow_x, box.bottom + grow_y)
    ImageDraw.Draw(image).rectangle(tuple(value * scale for value in area), fill=(128, 128, 128))
    out = BytesIO()
    image.save(out, "JPEG", quality=85)
    write_file(path, out.getvalue())


def erase(path: Path) -> None:
    """Removes a file or a folder; whether it was there does not matter."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
