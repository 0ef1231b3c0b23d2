"""Who is who now, and who is named where: people's answers, and the last run's for the rest."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.problem import NOBODY
from core.records import Face, Labelled, LabelledFrame, Labels, Mention, State
from core.store.database import among
from core.store.decisions import Log
from core.store.opinion import opinion
from core.store.runs import Solved

if TYPE_CHECKING:
    from core.project import Project
    from core.store.contents import Contents


def labels(project: Project, confirmed: bool, min_confidence: float, without_nobody: bool) -> Labels:
    """All faces with who they are; filters leave faces out, never frames."""
    by_frame: dict[int, list[Labelled]] = defaultdict(list)
    for label in current(project):
        dropped = (confirmed and label.state == "predicted") or (without_nobody and not label.name)
        if not dropped and label.confidence >= min_confidence:
            by_frame[label.face.frame].append(label)
    sources = {source.id: source for source in project.sources()}
    mentions = project.all_mentions()
    frames = sorted(project.frames(), key=lambda frame: (frame.source, frame.time or 0.0, frame.id))
    return Labels(
        project.title,
        tuple(
            LabelledFrame(
                frame,
                sources[frame.source],
                tuple(mention.name for mention in mentions.get(frame.id, ())),
                tuple(sorted(by_frame[frame.id], key=lambda label: (label.face.box.left, label.face.id))),
            )
            for frame in frames
        ),
    )


def current(project: Project, faces: list[Face] | None = None) -> list[Labelled]:
    """The given faces, or all, with who they are now."""
    faces = project.faces() if faces is None else faces
    log, solved = project.log(), project.solved()
    thought = {} if solved is None else predicted(solved, log)
    return [label(face, log, thought) for face in faces]


def predicted(solved: Solved, log: Log) -> dict[int, tuple[str, float]]:
    """By face, what a run says: a name ("" for nobody) and its confidence."""
    texts = {name: log.text(name) for name in log.original} | {NOBODY: ""}
    names, confidence = opinion(solved, log)
    rows = zip(solved.face.tolist(), names.tolist(), confidence.tolist(), strict=True)
    return {face: (texts[name], sure) for face, name, sure in rows}


def label(face: Face, log: Log, thought: dict[int, tuple[str, float]]) -> Labelled:
    """One face: the latest answer of a person, or what the machine thinks."""
    standing = log.standing(face.id)
    answer = standing.answer
    if answer is None:
        name, confidence = thought.get(face.id, ("", 0.0))
        return Labelled(face, name, confidence, "predicted", "")
    name = "" if answer.name < 0 else log.text(answer.name)
    state: State = "confirmed" if answer.kind == "confirm" else "corrected"
    who = "; ".join(dict.fromkeys(answer.who for answer in standing.answers))
    return Labelled(face, name, 1.0, state, who)


def mentions(project: Contents, ids: Sequence[int] | None) -> dict[int, tuple[Mention, ...]]:
    """By frame, the names in its caption as they are called now, then those that people added."""
    where, values = among("frame", ids)
    rows = project.database.rows(f"SELECT frame, name, spans FROM mention{where} ORDER BY frame, place", values)
    log = project.log()
    found: dict[int, dict[str, Mention]] = {}
    for frame, name, spans in rows:
        text, of_frame = log.text(name), found.setdefault(frame, {})
        earlier = of_frame[text].spans if text in of_frame else ()
        places = ((a, b) for a, b in json.loads(spans)) if spans != "[]" else ()
        of_frame[text] = Mention(text, tuple(sorted({*earlier, *places})))
    for frame in log.mentioned if ids is None else [frame for frame in ids if frame in log.mentioned]:
        for entry in log.mentioned[frame]:
            if log.in_force(entry) and entry.name is not None:
                text = log.text(entry.name)
                found.setdefault(frame, {}).setdefault(text, Mention(text, (), added=True))
    return {frame: tuple(of_frame.values()) for frame, of_frame in found.items()}
