"""Labels as exports write them: who is who now, frame by frame."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.problem import NOBODY
from core.records import Face, Labelled, LabelledFrame, Labels, State
from core.store.decisions.log import Answer, Log
from core.store.reader import Reader
from core.store.runs.answers import Solved
from core.store.tables import track_table
from core.store.views.predicted_labels import predicted_labels


def labels(reader: Reader, title: str) -> Labels:
    """All frames with their faces, and who these are."""
    by_frame: dict[int, list[Labelled]] = defaultdict(list)
    for label in labelled(reader.faces(), reader.log(), reader.solved(), reader.by_track()):
        by_frame[label.face.frame].append(label)
    sources = {source.id: source for source in reader.sources()}
    mentions = reader.mentions()
    frames = sorted(reader.frames(), key=lambda frame: (frame.source, frame.time or 0.0, frame.id))
    return Labels(
        title,
        tuple(
            LabelledFrame(
                frame,
                sources[frame.source],
                tuple(mention.name for mention in mentions.get(frame.id, ())),
                tuple(sorted(by_frame[frame.id], key=lambda label: (label.face.box.left, label.face.id))),
            )
            for frame in frames
        ),
        tuple(track_table.read(reader.database)),
        tuple(reader.lines()),
    )


def labelled(faces: Sequence[Face], log: Log, solved: Solved | None, by_track: Mapping[int, Answer]) -> list[Labelled]:
    """Faces with who they are now: people's answers, also of another face of the track, and the last run's for the rest."""
    predicted = {} if solved is None else _predicted(solved, log)
    return [_label(face, log, predicted, by_track) for face in faces]


def _predicted(solved: Solved, log: Log) -> dict[int, tuple[str, float]]:
    """By face, what a run says: a name ("" for nobody) and its confidence."""
    texts = {name: log.text(name) for name in log.original} | {NOBODY: ""}
    names, confidence = predicted_labels(solved, log)
    rows = zip(solved.face.tolist(), names.tolist(), confidence.tolist(), strict=True)
    return {face: (texts[name], sure) for face, name, sure in rows}


def _label(face: Face, log: Log, predicted: dict[int, tuple[str, float]], by_track: Mapping[int, Answer]) -> Labelled:
    standing = log.standing(face.id)
    answer = standing.answer or by_track.get(face.id)
    if answer is None:
        name, confidence = predicted.get(face.id, ("", 0.0))
        return Labelled(face, name, confidence, "predicted", "")
    name = "" if answer.name < 0 else log.text(answer.name)
    state: State = "confirmed" if answer.kind == "confirm" else "corrected"
    who = "; ".join(dict.fromkeys(answer.who for answer in standing.answers or (answer,)))
    return Labelled(face, name, 1.0, state, who)
