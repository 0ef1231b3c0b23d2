"""Why a face has its name, as plain data for the review page."""

from __future__ import annotations

from typing import Any

from core.store.project import Project
from ui.parts.pictures import picture


def reasons(project: Project, face: int) -> dict[str, Any] | None:
    """What speaks for a face's name, and what was ruled out."""
    log = project.log()
    ruled = [f"{name} — refused by hand" for name in sorted(log.text(name) for name in log.standing(face).refused)]
    found = project.review.explain(face)
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
