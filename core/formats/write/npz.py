"""The project's faces, captions and embeddings as Rollcall's own problem file (``.npz``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.formats import npz
from core.formats.text import distinct, writable
from core.problem import FloatArray, Problem
from core.records import Labelled, Labels


def write(labels: Labels, path: Path, embeddings: FloatArray) -> None:
    """Writes a problem in which every frame is a group. It has truth where it is known for every face, be it from the start
    or from a person's answer."""
    faces = [face for frame in labels.frames for face in frame.faces]
    rows = np.array([face.face.id for face in faces], dtype=np.int64)
    if len(rows) and rows.max() >= len(embeddings):
        raise BadInput(f"face {rows.max()} has no embedding, there are only {len(embeddings)}; export again")
    known = [truth for face in faces if (truth := _truth(face)) is not None]
    names = dict.fromkeys([*(name for frame in labels.frames for name in frame.names), *filter(None, known)])
    spelt = distinct(names, writable)
    index = {"": -1} | {name: k for k, name in enumerate(spelt)}
    problem = Problem.build(
        features=np.asarray(embeddings)[rows],
        group=np.repeat(np.arange(len(labels.frames)), [len(frame.faces) for frame in labels.frames]),
        candidates=[[spelt[name] for name in frame.names] for frame in labels.frames],
        names=list(spelt.values()),
        truth=[index[truth] for truth in known] if len(known) == len(faces) else None,
        captions=[writable(frame.frame.caption) for frame in labels.frames],
    )
    npz.write(problem, path)


def _truth(label: Labelled) -> str | None:
    if label.face.truth is not None:
        return label.face.truth
    return None if label.state == "predicted" else label.name
