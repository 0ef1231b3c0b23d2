"""Two people's copies of one project, merged into one: every decision of both is in the log afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.store import files
from core.store.incoming import FACE, next_face

if TYPE_CHECKING:
    from core.project import Project


@dataclass(frozen=True)
class Merged:
    """What a merge brought: decisions that were new, missed faces that were new, faces on which people now differ."""

    decisions: int
    faces: int
    conflicts: int


def merge(project: Project, other: Project) -> Merged:
    """Takes the decisions of ``other`` into ``project``. Doing it again changes nothing."""
    if project.folder.resolve() == other.folder.resolve():
        raise BadInput(f"{other.folder}: this is the same project; name the other copy")
    if project.fact("uid") != other.fact("uid"):
        raise BadInput(f"{other.folder}: this is another project, not a copy of {project.folder}; only copies can be merged")
    with project.database.transaction():
        known = {row[0] for row in project.database.rows("SELECT uid FROM decision")}
        fresh = [entry for entry in other.log().entries if entry.uid not in known]
        missing = {source.content for source in other.sources()} - {source.content for source in project.sources()}
        if missing or any(e.frame is not None and not project.frames([e.frame]) for e in fresh):
            raise BadInput(f"{other.folder}: this copy has a video that the other lacks; add it to both first")
        added = [entry.face for entry in fresh if entry.kind == "face" and entry.face is not None]
        faces: dict[int | None, int | None] = {face: _bring_face(project, other, face) for face in added}
        names = {number: project.name_number(text) for number, text in other.log().original.items()}
        columns = "uid, step, at, who, kind, face, frame, name, other, text, replaces"
        project.database.many(
            f"INSERT INTO decision ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(e.uid, e.step, e.at, e.who, e.kind),
                    *(faces.get(e.face, e.face), e.frame),
                    *(None if e.name is None else names[e.name], None if e.other is None else names[e.other]),
                    *(e.text, json.dumps(e.replaces)),
                )
                for e in fresh
            ],
        )
    return Merged(len(fresh), len(added), len(project.log().conflicts))


def _bring_face(project: Project, other: Project, face: int) -> int:
    """Copies a face that was added by a box in the other copy; gives its number here."""
    row = other.database.rows(
        "SELECT frame, left_, top, right_, bottom, score, mark, track, truth, cropped FROM face WHERE id = ?", (face,)
    )[0]
    number = next_face(project)
    files.append_embeddings(project.folder, number, other.embeddings()[[face]])
    if row[-1]:
        files.write_file(files.crop_path(project.folder, number), files.read_file(files.crop_path(other.folder, face)))
    project.database.run(FACE, (number, *row))
    return number
