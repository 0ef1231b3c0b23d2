"""Why a face has its name, as plain data for the review page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.project import Known, Project, explained, known
from ui.shell import picture


def reasons(project: Project, face: int) -> dict[str, Any] | None:
    """What speaks for a face's name, and what was ruled out."""
    solved, log = project.solved(), project.log()
    standing = log.standing(face)
    ruled = [f"{said} — refused by hand" for said in sorted(log.text(name) for name in standing.refused)]
    if solved is None:
        return {"face": face, "considered": [], "alike": [], "ruled": ruled}
    named = tuple(log.text(int(name)) for name in solved.name_id)
    added = sum(len(entries) for entries in log.mentioned.values())
    ready = _known(str(project.folder), solved.run.id, hash(named), added, project)
    found = None if ready is None else explained(ready, face)
    if found is None:
        return {"face": face, "considered": [], "alike": [], "ruled": ruled}
    faces = {other.id: other for other in project.faces(ids=[a.face for a in found.look_alikes])}
    frames = {frame.id: frame for frame in project.frames(sorted({a.group for a in found.look_alikes}))}
    ruled += [f"{r.name} — another face here, {r.confidence:.0%} sure" for r in found.ruled_out]
    return {
        "face": face,
        "considered": [
            {"name": c.name, "score": c.score, "note": _note(c.in_caption, c.look_alike_captions) if c.name else ""}
            for c in found.considered
        ],
        "alike": [
            {
                "face": a.face,
                "frame": a.group,
                "crop": picture(faces[a.face].crop),
                "name": a.name,
                "similarity": a.similarity,
                "caption": frames[a.group].caption,
            }
            for a in found.look_alikes
            if a.face in faces and a.group in frames
        ],
        "ruled": ruled,
    }


def _note(in_caption: bool, look_alikes: int) -> str:
    said = ["in this caption"] if in_caption else []
    if look_alikes:
        said.append(f"in the captions of {look_alikes} look-alikes" if look_alikes > 1 else "in a look-alike's caption")
    return ", ".join(said) or "from other captions"


@st.cache_resource(show_spinner=False, max_entries=4)
def _known(folder: str, run: int, named: int, added: int, _project: Project) -> Known | None:
    return known(_project)
