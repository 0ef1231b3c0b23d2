"""Real deletion: a person, or a whole project. Nothing of them is left in any file of the project's folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core.errors import BadInput, shown
from core.formats.read.photo_names import photos_of
from core.records import Face
from core.store import files, nicknames
from core.store.add_source import STAGED
from core.store.decisions.log import REMOVED
from core.store.library.shelf import Library
from core.store.reader import Reader
from core.store.runs.comparison import forget_compared
from core.store.tables import (
    decision_table,
    face_table,
    frame_table,
    job_table,
    line_table,
    name_table,
    project_table,
    track_table,
)
from core.store.tables.database import FILE
from core.store.tables.job_table import active
from core.store.views.labels import labelled

LARGEST_TEXT = 50 << 20  # bytes of a captions file at the most
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "latin-1")  # of such a file
KNOWN = {FILE, f"{FILE}-wal", f"{FILE}-shm", files.EMBEDDINGS, files.CROPS, files.FRAMES, files.RUNS, files.CACHE}
KNOWN |= {files.CAST, files.UPLOADS, files.LOCK, files.GATE}


def remove_person(reader: Reader, name: str) -> int:
    """Removes a person for good: faces, crops, vectors, the name and its spellings; gives how many faces went.

    They go out of the people library, too. The log keeps its entries about them, without the name. Captions keep their
    text, without the name. Their faces in the pictures of frames are painted over.
    """
    database, folder, log = reader.database, reader.folder, reader.log()
    person = log.find_name(name)
    if person is None:
        raise BadInput(f"{folder}: there is nobody called {shown(name)}; check the spelling")
    if active(database, folder) is not None:  # it would write down again what is removed here
        raise BadInput(f"{folder}: something is running on this project; wait for it or stop it, then try again")
    names = [person, *(merged for merged, now in log.merged().items() if now == person)]
    texts = {log.original[k] for k in names} | {log.text(person)} | decision_table.former_names(database, names)
    labels = labelled(reader.faces(), log, reader.solved(), reader.by_track())
    gone = [label.face for label in labels if label.name == log.text(person)]
    ids, dimension = [face.id for face in gone], int(project_table.fact(database, "dimension"))
    nicknames.forget(reader, texts)
    Library().remove(sorted(texts))  # first: if this fails, nothing has been removed yet
    _erase_faces(reader, gone, dimension)
    reader.runs.remove_with(ids)
    forget_compared(folder)
    with database.transaction():
        face_table.remove(database, ids)
        face_table.forget_truth(database, texts)
        track_table.remove(database, names)
        line_table.forget(database, names, _pattern(texts), REMOVED)
        name_table.remove(database, names)
        decision_table.redact(database, names)
        name_table.forget_spans(database, frame_table.redact(database, _pattern(texts), REMOVED))
        job_table.redact(database, _pattern(texts), REMOVED)
    if dimension:
        files.cut_embeddings(folder, face_table.end(database), dimension)
    reader.logs.forget()
    files.erase(folder / files.CACHE)
    for text in texts:
        files.erase(files.cast_path(folder, text))
    _forget_in_uploads(folder / files.UPLOADS, texts)
    database.scrub()
    return len(ids)


def _erase_faces(reader: Reader, faces: Sequence[Face], dimension: int) -> None:
    """Removes faces from all files: pictures, crops, vectors, and what a crash left behind."""
    frames = {frame.id: frame for frame in reader.frames(sorted({face.frame for face in faces}))}
    for face in faces:
        picture = frames[face.frame].picture
        if picture is not None:
            files.blank_box(picture, face.box, frames[face.frame].width)
    if faces and dimension:
        files.blank_embeddings(reader.folder, [face.id for face in faces], dimension)
    for face in faces:
        files.erase(files.crop_path(reader.folder, face.id))
    for left_behind in reader.folder.glob(f"{STAGED}*"):
        files.erase(left_behind)


def _pattern(texts: set[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in sorted(texts, key=len, reverse=True)), re.I)


def _forget_in_uploads(uploads: Path, texts: set[str]) -> None:
    """Removes what was dropped into the app about them: captions and cast lists that hold the name, and reference photos
    under it. Films and other pictures stay."""
    wanted = {text.casefold() for text in texts}
    for path in [path for path in uploads.rglob("*") if path.is_file()]:
        if path.stat().st_size < LARGEST_TEXT:
            content = path.read_bytes()
            found = (content.decode(encoding, "ignore").casefold() for encoding in ENCODINGS)
            if any(name in text for text in found for name in wanted):
                files.erase(path)
    for people in uploads.glob("*/people"):
        for photo in photos_of(people, wanted):
            files.erase(photo)
            if not any(photo.parent.iterdir()):  # it bears the name
                photo.parent.rmdir()


def remove_project(folder: Path) -> None:
    """Removes a whole project for good; refuses a folder that holds anything else."""
    if not (folder / FILE).is_file():
        raise BadInput(f"{folder}: this is no project, so nothing was removed; check the path")
    strange = sorted(path.name for path in folder.iterdir() if path.name not in KNOWN and not path.name.startswith(STAGED))
    if strange:
        raise BadInput(f"{folder}: {strange[0]} is not the project's, so nothing was removed; move it out first")
    for path in folder.iterdir():
        files.erase(path)
    folder.rmdir()
