"""Real deletion: a person, or a whole project. Nothing of them is left in any file of the project's folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, shown
from core.store import files
from core.store.comparing import forget_compared
from core.store.database import FILE
from core.store.decisions import REMOVED
from core.store.labels import current

if TYPE_CHECKING:
    from core.project import Project

LARGEST_TEXT = 50 << 20  # bytes of a captions file at the most
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "latin-1")  # of such a file
LAST_FACE = "SELECT coalesce(max(id), -1) + 1 FROM face"
KNOWN = {FILE, f"{FILE}-wal", f"{FILE}-shm", files.EMBEDDINGS, files.CROPS, files.FRAMES, files.RUNS, files.CACHE}
KNOWN |= {files.UPLOADS, files.LOCK}


def remove_person(project: Project, name: str) -> int:
    """Removes a person for good: faces, crops, vectors, the name and its spellings; gives how many faces went.

    The log keeps its entries about them, without the name. Captions keep their text, without the name. Their faces in the
    pictures of frames are painted over.
    """
    from core.jobs import active

    log = project.log()
    person = log.find_name(name)
    if person is None:
        raise BadInput(f"{project.folder}: there is nobody called {shown(name)}; check the spelling")
    if active(project) is not None:  # it would write down again what is removed here
        raise BadInput(f"{project.folder}: something is running on this project; wait for it or stop it, then try again")
    names = [person, *(merged for merged, now in log.merged().items() if now == person)]
    texts = {log.original[k] for k in names} | {log.text(person)} | _former_texts(project, names)
    gone = [label.face for label in current(project) if label.name == log.text(person)]
    frames = {frame.id: frame for frame in project.frames(sorted({face.frame for face in gone}))}
    for face in gone:
        picture = frames[face.frame].picture
        if picture is not None:
            files.blank_box(picture, face.box, frames[face.frame].width)
    ids = [face.id for face in gone]
    dimension = int(project.fact("dimension"))
    if ids and dimension:
        files.blank_embeddings(project.folder, ids, dimension)
    for number in ids:
        files.erase(files.crop_path(project.folder, number))
    for left_behind in project.folder.glob("incoming-*"):  # by a crash
        files.erase(left_behind)
    _forget_in_runs(project, ids)
    forget_compared(project)
    with project.database.transaction():
        project.database.many("DELETE FROM face WHERE id = ?", [(k,) for k in ids])
        project.database.many("DELETE FROM mention WHERE name = ?", [(k,) for k in names])
        project.database.many("UPDATE name SET text = ? WHERE id = ?", [(f"{REMOVED} {k}", k) for k in names])
        project.database.many("UPDATE decision SET text = ? WHERE name = ? AND text <> ''", [(REMOVED, k) for k in names])
        project.database.many("UPDATE face SET truth = NULL WHERE truth = ?", [(text,) for text in texts])
        _redact_captions(project, texts)
        _redact_jobs(project, texts)
    if dimension:
        files.cut_embeddings(project.folder, int(project.database.one(LAST_FACE)), dimension)
    project.forget_log()
    files.erase(project.cache)
    _forget_in_uploads(project, texts)
    project.database.scrub()
    return len(ids)


def _former_texts(project: Project, names: list[int]) -> set[str]:
    marks = ",".join("?" * len(names))
    rows = project.database.rows(f"SELECT text FROM decision WHERE kind = 'rename' AND name IN ({marks})", names)
    return {row[0] for row in rows}


def _redact_captions(project: Project, texts: set[str]) -> None:
    """Captions without the names, and the places of other names in them moved accordingly."""
    pattern = _pattern(texts)
    for frame, caption in project.database.rows("SELECT id, caption FROM frame"):
        if pattern.search(caption):
            redacted = pattern.sub(REMOVED, caption)
            project.database.run("UPDATE frame SET caption = ? WHERE id = ?", (redacted, frame))
            project.database.run("UPDATE mention SET spans = '[]' WHERE frame = ?", (frame,))


def _redact_jobs(project: Project, texts: set[str]) -> None:
    """What is noted of earlier work, without the names: paths and complaints may hold them."""
    pattern = _pattern(texts)
    for number, message, command in project.database.rows("SELECT id, message, command FROM job"):
        if pattern.search(message) or any(pattern.search(word) for word in json.loads(command)):
            project.database.run("UPDATE job SET message = ?, command = '[]' WHERE id = ?", (REMOVED, number))


def _pattern(texts: set[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in sorted(texts, key=len, reverse=True)), re.I)


def _forget_in_uploads(project: Project, texts: set[str]) -> None:
    """Removes what was dropped into the app about them: captions and cast lists that hold the name, and reference photos
    under it. Films and other pictures stay."""
    from core.media.people import photos_of

    wanted = {text.casefold() for text in texts}
    for path in [path for path in (project.folder / files.UPLOADS).rglob("*") if path.is_file()]:
        if path.stat().st_size < LARGEST_TEXT:
            content = path.read_bytes()
            found = (content.decode(encoding, "ignore").casefold() for encoding in ENCODINGS)
            if any(name in text for text in found for name in wanted):
                files.erase(path)
    for people in (project.folder / files.UPLOADS).glob("*/people"):
        for photo in photos_of(people, wanted):
            files.erase(photo)
            if not any(photo.parent.iterdir()):  # it bears the name
                photo.parent.rmdir()


def _forget_in_runs(project: Project, ids: list[int]) -> None:
    """Removes the runs that knew the faces that are gone; the next run makes a new one."""
    for run in project.runs():
        solved = project.solved(run)
        if solved is not None and np.isin(solved.face, ids).any():
            files.erase(files.run_path(project.folder, run.id))
            project.database.run("DELETE FROM run WHERE id = ?", (run.id,))
    project.forget_runs()


def remove_project(folder: Path) -> None:
    """Removes a whole project for good; refuses a folder that holds anything else."""
    if not (folder / FILE).is_file():
        raise BadInput(f"{folder}: this is no project, so nothing was removed; check the path")
    strange = sorted(
        path.name for path in folder.iterdir() if path.name not in KNOWN and not path.name.startswith("incoming-")
    )
    if strange:
        raise BadInput(f"{folder}: {strange[0]} is not the project's, so nothing was removed; move it out first")
    for path in folder.iterdir():
        files.erase(path)
    folder.rmdir()
