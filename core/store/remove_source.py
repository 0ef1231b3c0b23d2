"""Takes a source out again: its frames, faces, crops, vectors and captions are gone from every file of the project.

What people said of its faces stays in the log, as entries about something that is no longer there; an entry of its own says
who took the source out. It no longer counts, and cannot be undone.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.store import files
from core.store.add_source import STAGED
from core.store.decisions.log import TAKEN_OUT, Change
from core.store.decisions.log_writer import decide
from core.store.reader import Reader
from core.store.runs.comparison import forget_compared
from core.store.tables import face_table, frame_table, line_table, project_table, source_table, track_table
from core.store.tables.job_table import active


def remove_source(reader: Reader, who: str, number: int) -> int:
    """Takes a source out for good; gives how many faces went."""
    database, folder = reader.database, reader.folder
    source = next((source for source in reader.sources() if source.id == number), None)
    if source is None:
        raise BadInput(f"{folder}: there is no source {number}; see which there are with `rollcall sources`")
    if active(database, folder) is not None:  # it would write down again what is removed here
        raise BadInput(f"{folder}: something is running on this project; wait for it or stop it, then try again")
    frames = [frame.id for frame in reader.frames() if frame.source == number]
    inside = set(frames)
    ids = [face.id for face in face_table.read(database, folder) if face.frame in inside]
    spoken_of = set(reader.log().answered) & set(ids)
    dimension = int(project_table.fact(database, "dimension"))
    reader.runs.remove_with(ids)
    forget_compared(folder)
    _erase_files(folder, frames, ids, dimension)
    with database.transaction():
        changes = [Change(TAKEN_OUT, face=face) for face in sorted(spoken_of)]
        decide(reader.logs, who, [Change(TAKEN_OUT, other=f"{source.title} ({len(ids)} faces)"), *changes])
        face_table.remove(database, ids)
        frame_table.remove(database, number)
        track_table.remove_source(database, number)
        line_table.remove_source(database, number)
        source_table.remove(database, number)
    if dimension and (folder / files.EMBEDDINGS).exists():
        files.cut_embeddings(folder, face_table.end(database), dimension)
    _erase_upload(folder, source.path, [source.path for source in reader.sources()])
    reader.logs.forget()
    database.scrub()
    return len(ids)


def _erase_files(folder: Path, frames: list[int], faces: list[int], dimension: int) -> None:
    if faces and dimension:
        files.blank_embeddings(folder, faces, dimension)
    for face in faces:
        files.erase(files.crop_path(folder, face))
    for frame in frames:
        files.erase(files.frame_path(folder, frame))
    for left_behind in folder.glob(f"{STAGED}*"):
        files.erase(left_behind)
    files.erase(folder / files.CACHE)  # it holds vectors and pictures, too


def _erase_upload(folder: Path, path: str, others: list[str]) -> None:
    """What came through the browser lies in the project, and goes; what lies elsewhere stays where it is."""
    uploads, place = folder / files.UPLOADS, Path(path)
    if not place.is_absolute() or not place.is_relative_to(uploads) or place == uploads:
        return
    batch = uploads / place.relative_to(uploads).parts[0]  # with the captions and the cast list that came along
    if not any(Path(other).is_relative_to(batch) for other in others):
        files.erase(batch)
    elif path not in others:
        files.erase(place)
