"""Rollcall's own problem file (``.npz``): a problem, or faces, captions and embeddings as one."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.files import whole_file
from core.formats.read.npz import OPTIONAL
from core.formats.write.text import distinct, writable
from core.problem import NO_TRACK, FloatArray, Problem
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
        track=[NO_TRACK if face.face.track is None else face.face.track for face in faces],
        quality=[face.face.quality for face in faces],
    )
    write_problem(problem, path)


def write_problem(problem: Problem, path: Path) -> None:
    """Writes ``problem`` so that ``core.formats.read.npz`` gives it back."""
    arrays: dict[str, Any] = {
        "features": problem.features,
        "group": problem.group,
        "names": np.array(problem.names, dtype=np.str_),
        "candidates_json": np.array(json.dumps(problem.candidates(), ensure_ascii=False)),
    }
    for name in OPTIONAL:
        value = getattr(problem, name)
        if value is not None and (len(value) or not name.startswith("evidence")):
            arrays[name] = value
    if problem.mention_kind is not None:
        arrays["mention_kind_json"] = np.array(json.dumps(problem.mention_kinds()))
    if problem.embedder:
        arrays["embedder"] = np.array(problem.embedder)
    if problem.captions is not None:
        arrays["captions_json"] = np.array(json.dumps(problem.captions, ensure_ascii=False))
    whole_file(path, lambda file: _zip(file, arrays))


def _zip(file: BinaryIO, arrays: dict[str, NDArray[Any]]) -> None:
    """As ``numpy.savez_compressed``, but features as they are: squeezing takes them long and makes them hardly smaller."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_STORED if name == "features" else zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as part:
                npy.write_array(part, np.asanyarray(array), allow_pickle=False)


def _truth(label: Labelled) -> str | None:
    if label.face.truth is not None:
        return label.face.truth
    return None if label.state == "predicted" else label.name
