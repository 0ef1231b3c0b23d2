"""Two people's copies of one project, merged into one: every decision of both is in the log afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass

from core.errors import BadInput
from core.store import files
from core.store.decisions.log import TAKEN_OUT, Log
from core.store.reader import Reader
from core.store.tables import decision_table, face_table, project_table
from core.store.tables.database import missing


@dataclass(frozen=True)
class Merged:
    """What a merge brought: decisions that were new, missed faces that were new, faces on which people now differ."""

    decisions: int
    faces: int
    conflicts: int


def merge(mine: Reader, theirs: Reader) -> Merged:
    """Adds the decisions of another copy to this project. Doing it again changes nothing."""
    database, folder, other = mine.database, mine.folder, theirs.folder
    if folder.resolve() == other.resolve():
        raise BadInput(f"{other}: this is the same project; name the other copy")
    if project_table.fact(database, "uid") != project_table.fact(theirs.database, "uid"):
        raise BadInput(f"{other}: this is another project, not a copy of {folder}; only copies can be merged")
    with database.transaction():
        known = {entry.uid for entry in mine.log().entries}
        told = [entry for entry in theirs.log().entries if entry.kind != TAKEN_OUT]  # what was taken out there stays here
        fresh = [entry for entry in told if entry.uid not in known]
        lacking = {source.content for source in theirs.sources()} - {source.content for source in mine.sources()}
        if lacking or missing(database, "frame", [entry.frame for entry in fresh if entry.frame is not None]):
            raise BadInput(f"{other}: this copy has a video that the other lacks; add it to both first")
        added = [entry.face for entry in fresh if entry.kind == "face" and entry.face is not None]
        faces = _known_faces(mine.log(), theirs.log()) | {face: _copy_face(mine, theirs, face) for face in added}
        names: dict[int | None, int | None] = {
            number: mine.logs.name_number(text) for number, text in theirs.log().original.items()
        }
        decision_table.insert(
            database,
            [
                (
                    *(e.uid, e.step, e.at, e.who, e.kind, faces.get(e.face, e.face), e.frame),
                    *(names.get(e.name), names.get(e.other), e.text, json.dumps(e.replaces)),
                )
                for e in fresh
            ],
        )
    return Merged(len(fresh), len(added), len(mine.log().conflicts))


def _known_faces(mine: Log, theirs: Log) -> dict[int | None, int | None]:
    """Faces that were added in the other copy and came with an earlier merge: their numbers there, and here."""
    here = {entry.uid: entry.face for entry in mine.entries if entry.kind == "face"}
    return {entry.face: here[entry.uid] for entry in theirs.entries if entry.kind == "face" and entry.uid in here}


def _copy_face(mine: Reader, theirs: Reader, face: int) -> int:
    """Copies a face that was added by a box in the other copy; gives its number here."""
    _, *row = face_table.read_row(theirs.database, face)
    number = face_table.next_number(mine.database)
    files.append_embeddings(mine.folder, number, theirs.embeddings()[[face]])
    if row[-1]:
        files.write_file(files.crop_path(mine.folder, number), files.read_file(files.crop_path(theirs.folder, face)))
    face_table.insert(mine.database, [(number, *row)])
    return number
