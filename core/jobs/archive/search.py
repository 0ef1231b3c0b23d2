"""Looks at all films of an archive at once: who is this, who is on screen when, and everything as files.

``refresh`` takes in the projects that changed since the last time; a face stands for its track. Vectors of different
embedders are never compared: each kind has its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.formats.write.exports import EXPORTS
from core.formats.write.spans import intervals
from core.media.faces.tracks import mean_vectors
from core.problem import FloatArray, IntArray
from core.progress import Progress, silent
from core.records import Box
from core.store.archives.archive import PROJECTS, STATES, Archive, Film, ProjectState, State, is_archive
from core.store.archives.presence import IndexedFace, OnScreen, Presence, Somebody
from core.store.archives.vectors import FaceVectors
from core.store.project import Project

__all__ = [
    "STATES", "Archive", "Film", "Hit", "InPicture", "IndexedFace", "OnScreen", "ProjectState", "Somebody", "State",
    "archive_of", "begin", "changed", "export_all", "faces_in", "find", "forget_removed", "names", "on_screen", "people",
    "portraits", "refresh", "somebody", "vector_of",
]  # fmt: skip

STALE = 0.5  # share of rows that belong to nobody any more, above which an embedder's vectors are taken in anew
ASKED = 4  # times as many rows are asked for as are wanted, as some were replaced
ALIKE = 0.5  # cosine below which nobody is shown


@dataclass(frozen=True)
class Hit:
    """A face of the archive and how alike it is."""

    face: IndexedFace
    cosine: float


def refresh(archive: Archive, progress: Progress = silent, stop: Callable[[], bool] = lambda: False) -> int:
    """Brings the search up to date with the projects; gives how many had changed."""
    presence = Presence(archive.search_folder())
    try:
        with presence.alone():
            there, new = _compared(archive, presence)
            for name in set(presence.fingerprints()) - there:
                _blank(archive, presence, name)
                presence.forget(name)
            for number, name in enumerate(new):
                if stop():
                    return number
                progress("search", number, len(new))
                _take_in(archive, presence, name)
            progress("search", len(new), len(new))
            _tidy(archive, presence)
            for embedder, dimension in presence.embedders():
                _vectors(archive, embedder, dimension).index()
            return len(new)
    finally:
        presence.close()


def changed(archive: Archive) -> int:
    """How many projects are not in the search as they are now."""
    with closing(Presence(archive.search_folder())) as presence:
        there, new = _compared(archive, presence)
        return len(new) + len(set(presence.fingerprints()) - there)


def _compared(archive: Archive, presence: Presence) -> tuple[set[str], list[str]]:
    """All projects that there are, and those that are others than they were."""
    known = presence.fingerprints()
    prints = {one.name: _fingerprint(archive.project_folder(one.name)) for one in archive.states.projects()}
    there = {name for name, print_ in prints.items() if print_}
    return there, [name for name, print_ in prints.items() if print_ and known.get(name) != print_]


def begin(archive: Archive, *words: str) -> None:
    """Begins a command on the archive in a process of its own, which goes on when the app ends."""
    with (archive.folder / "workers.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "core", *words, "--archive", str(archive.folder)],
            cwd=Path(__file__).resolve().parents[3],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    threading.Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie


def archive_of(folder: Path) -> Path | None:
    """The archive that a project in a folder belongs to, if there is one."""
    around = folder.expanduser().absolute().parent
    return around.parent if around.name == PROJECTS and is_archive(around.parent) else None


def forget_removed(project: Path) -> None:
    """What was taken out of a project for good leaves its archive's search as well, in a process of its own."""
    around = archive_of(project)
    if around is not None:
        with Archive.open(around) as archive:
            begin(archive, "archive-find", "--update")


def _tidy(archive: Archive, presence: Presence) -> None:
    """Takes everything in anew of an embedder most of whose rows belong to nobody any more."""
    for embedder, _ in presence.embedders():
        end = presence.end(embedder)
        if end and presence.alive(embedder) < STALE * end:
            shutil.rmtree(_folder(archive, embedder), ignore_errors=True)
            for name in presence.fingerprints():
                presence.forget(name)
            for one in archive.states.projects():
                if _fingerprint(archive.project_folder(one.name)):
                    _take_in(archive, presence, one.name)
            return


def _fingerprint(folder: Path) -> str:
    """What changes when a project does; "" where there is none."""
    parts, place = [], str(folder)
    for name in ("project.sqlite", "project.sqlite-wal"):
        try:
            about = os.stat(f"{place}/{name}")  # of 10,000 projects: a path of its own for each takes longer than asking
            parts.append(f"{about.st_size}-{about.st_mtime_ns}" if about.st_size else "")
        except OSError:
            parts.append("")
    return " ".join(parts) if parts[0] else ""


def _take_in(archive: Archive, presence: Presence, name: str) -> None:
    folder = archive.project_folder(name)
    try:
        Project.open(folder).close()  # what an older version made is brought up to date by this, and so changed
        print_ = _fingerprint(folder)
        project = Project.open(folder)
    except BadInput:
        return  # it is damaged, which its own page says
    with project:
        labels = project.labels()
        embedder, dimension = str(project.fact("embedder")), int(project.fact("dimension"))
        found = {face.face.id: (frame, face) for frame in labels.frames for face in frame.faces}
        number, vectors = _by_track(project, list(found))
        rows = [
            (face, found[face][0].source.title, found[face][0].frame.time, found[face][1].name) for face in number.tolist()
        ]
        seen = [(one.source.title, one.name, one.start, one.stop, one.faces) for one in intervals(labels) if one.name]
        first = presence.end(embedder)
        _blank(archive, presence, name)  # whoever was removed from the project is in no row any more
        _vectors(archive, embedder, dimension).add(vectors, first)
        presence.replace(name, project.title, print_, (embedder, dimension), first, rows, seen)


def _blank(archive: Archive, presence: Presence, name: str) -> None:
    """Overwrites the vectors that a project had here."""
    had = presence.rows_of(name)
    if had is not None:
        _vectors(archive, had[0], had[1]).blank(had[2], had[3])


def _by_track(project: Project, faces: list[int]) -> tuple[IntArray, FloatArray]:
    """For each track its best face and the mean of its vectors; faces in no track stand for themselves."""
    if not faces:
        return np.zeros(0, np.int64), np.zeros((0, int(project.fact("dimension"))), np.float32)
    about = {face.id: face for face in project.faces(ids=faces)}
    quality = np.array([about[face].quality for face in faces])
    track = np.array([-1 - k if (t := about[face].track) is None else t for k, face in enumerate(faces)])
    number = np.unique(track, return_inverse=True)[1]
    means = mean_vectors(number, np.asarray(project.embeddings()[np.array(faces)], np.float64), quality + 1e-6)
    order = np.lexsort((-quality, number))
    best = order[np.r_[True, np.diff(number[order]) != 0]]
    return np.array(faces, np.int64)[best], means.astype(np.float32)


def _folder(archive: Archive, embedder: str) -> Path:
    return archive.search_folder() / (re.sub(r"[^a-z0-9]+", "-", embedder.lower()).strip("-") or "unknown")


def _vectors(archive: Archive, embedder: str, dimension: int) -> FaceVectors:
    return FaceVectors(_folder(archive, embedder), dimension)


# --- Asking ------------------------------------------------------------------------------------------------------------


def vector_of(project: Project, face: int) -> tuple[str, FloatArray]:
    """A face's vector, and the embedder that made it."""
    return str(project.fact("embedder")), np.asarray(project.embeddings()[face], np.float32)


@dataclass(frozen=True, eq=False)
class InPicture:
    """A face in a picture that somebody gave, and where it is in it."""

    box: Box
    crop: bytes
    embedder: str
    vector: FloatArray


def faces_in(picture: bytes) -> list[InPicture]:
    """The faces in a picture, the largest first."""
    from io import BytesIO

    from PIL import Image, ImageOps, UnidentifiedImageError

    from core.jobs.missed import finder_of
    from core.media.faces.registry import EMBEDDER

    try:
        with Image.open(BytesIO(picture)) as image:
            pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, ValueError) as error:
        raise BadInput("this is no picture that can be read; give a JPEG or PNG") from error
    found = finder_of(EMBEDDER).find([pixels])[0]
    found = sorted(found, key=lambda face: -(face.box.right - face.box.left))
    return [InPicture(face.box, face.crop, EMBEDDER, face.embedding) for face in found]


def find(archive: Archive, embedder: str, vector: FloatArray, many: int = 50) -> list[Hit]:
    """Who in all films looks most like this; nobody of another embedder."""
    presence = Presence(archive.search_folder())
    try:
        dimension = dict(presence.embedders()).get(embedder)
        if dimension is None:
            return []
        rows, cosine = _vectors(archive, embedder, dimension).search(vector, ASKED * many)
        hits: list[Hit] = []
        for row, alike in zip(rows.tolist(), cosine.tolist(), strict=True):
            if len(hits) == many or alike < ALIKE:
                break
            if (face := presence.face_of(embedder, row)) is not None:
                hits.append(Hit(face, alike))
        return hits
    finally:
        presence.close()


def names(archive: Archive, text: str = "", many: int = 50, start: int = 0) -> list[Somebody]:
    """Who is in the archive, those first who are longest on screen."""
    with closing(Presence(archive.search_folder())) as presence:
        return presence.names(text, many, start)


def people(archive: Archive, text: str = "") -> int:
    """How many people have a text in their names."""
    with closing(Presence(archive.search_folder())) as presence:
        return presence.people(text)


def somebody(archive: Archive, name: str) -> tuple[Somebody | None, int]:
    """One person, and how many times they are on screen."""
    with closing(Presence(archive.search_folder())) as presence:
        return presence.somebody(name), presence.moments(name)


def portraits(archive: Archive, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, int]]:
    """A face, by its project and number, for each name and project; an empty project: wherever they are longest."""
    with closing(Presence(archive.search_folder())) as presence:
        return {one: face for one in wanted if (face := presence.portrait(*one)) is not None}


def on_screen(archive: Archive, name: str, start: int = 0, many: int = 2000) -> list[OnScreen]:
    """When somebody is on screen in all films."""
    with closing(Presence(archive.search_folder())) as presence:
        return presence.on_screen(name, start, many)


def export_all(archive: Archive, format: str, folder: Path, progress: Progress = silent) -> int:
    """Writes every project that has faces into a folder, one file or folder each; gives how many."""
    if format not in EXPORTS and format != "json":
        raise BadInput(f"there is no format {format!r}; choose from {', '.join([*EXPORTS, 'json'])}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder}: there is something here already; choose a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    suffix = ".json" if format == "json" else EXPORTS[format].suffix
    done = 0
    listed = [one for one in archive.states.projects() if _fingerprint(archive.project_folder(one.name))]
    for number, one in enumerate(listed):
        progress("export", number, len(listed))
        with Project.open(archive.project_folder(one.name)) as project:
            if project.count("face"):
                project.export(format, folder / f"{one.name}{suffix}")
                done += 1
    progress("export", len(listed), len(listed))
    return done
