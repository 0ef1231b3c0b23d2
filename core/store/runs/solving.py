"""A run: the project as a problem, what people said as corrections, and the answer kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.corrections import Correction
from core.errors import BadInput
from core.problem import NO_TRACK, NOBODY, IntArray, Problem
from core.progress import Progress
from core.records import Face, Frame
from core.review.queue import question_order
from core.solve import solve_from
from core.solvers.checkpoint import read_checkpoint, write_checkpoint
from core.store import files
from core.store.decisions.blind import waiting_faces
from core.store.decisions.log import Log
from core.store.reader import Reader
from core.store.runs import answers
from core.store.tables import project_table, run_table, track_table
from core.store.tables.database import timestamp

CHECKPOINT = "checkpoint-{}.npz"  # in the project's cache, one a method: where the next run may start
QUEUED = 200  # faces whose order in the queue is worked out; the rest follow by doubt


@dataclass(frozen=True, eq=False)
class Question:
    """What a method is asked: the project as a problem, and what people said, both with the problem's face indices."""

    problem: Problem
    face: IntArray  # by the problem's index, the face's number
    corrections: Sequence[Correction]
    version: int  # of the log of decisions


def question(reader: Reader) -> Question:
    """The project as it is now."""
    log = reader.log()
    waiting = waiting_faces(reader.database, log)  # what is answered blind must not show in what a run says
    version, said = log.version, [correction for correction in corrections(log) if correction.face not in waiting]
    asked, face = problem(reader)
    place = {number: k for k, number in enumerate(face.tolist())}
    fixed = [Correction(place[c.face], c.kind, c.name) for c in said if c.face in place]
    return Question(asked, face, fixed, version)


def corrections(log: Log) -> list[Correction]:
    """What people said about faces; a face on which they differ stays open until they agree."""
    said: list[Correction] = []
    for face in log.answered:
        standing = log.standing(face)
        given = None if standing.conflict else standing.answer
        if face in log.hidden:
            continue
        if given is None:
            said += [Correction(face, "is not", log.text(name)) for name in sorted(standing.refused)]
        elif given.name == NOBODY:
            said.append(Correction(face, "nobody"))
        else:
            said.append(Correction(face, "is", log.text(given.name)))
    return said


def problem(reader: Reader) -> tuple[Problem, IntArray]:
    """The project as a problem, and the faces' numbers in its order."""
    faces = reader.faces()
    if not faces:
        raise BadInput(f"{reader.folder}: the project has no faces yet; add a video or pictures with `ingest`")
    frames, mentions = reader.frames(), reader.mentions()
    place = {frame.id: k for k, frame in enumerate(frames)}
    candidates = [[mention.name for mention in mentions.get(frame.id, ())] for frame in frames]
    log = reader.log()
    called = {was: log.text(name) for name, was in log.original.items()}  # the truth knows nothing of renames and merges
    truths = [face.truth and called.get(face.truth, face.truth) for face in faces]
    known = all(truth is not None for truth in truths)
    names = dict.fromkeys(name for caption in candidates for name in caption)
    if known:
        names |= dict.fromkeys(truth for truth in truths if truth)
    index = {name: k for k, name in enumerate(names)} | {"": NOBODY}
    numbers = np.array([face.id for face in faces], np.int64)
    built = Problem.build(
        features=np.asarray(reader.embeddings()[numbers]),
        group=[place[face.frame] for face in faces],
        candidates=candidates,
        names=list(names),
        truth=[index[truth or ""] for truth in truths] if known else None,
        captions=[frame.caption for frame in frames],
        track=[NO_TRACK if face.track is None else face.track for face in faces],
        quality=[face.quality for face in faces],
        mention_kind=[[mention.kind for mention in mentions.get(frame.id, ())] for frame in frames],
        film=_films(reader, frames),
        **_evidence(reader, faces, index),
        embedder=str(project_table.fact(reader.database, "embedder")),
    )
    return built, numbers


def _films(reader: Reader, frames: Sequence[Frame]) -> list[int] | None:
    """The film of each frame where there are several; reference photos and other pictures belong to all films."""
    kinds = [source.kind for source in reader.sources()]
    return [frame.source for frame in frames] if len(kinds) > 1 and set(kinds) == {"video"} else None


def _evidence(reader: Reader, faces: Sequence[Face], index: Mapping[str, int]) -> dict[str, Any]:
    """What speaks for names by itself: a track's holds for its first face."""
    log, first = reader.log(), {face.track: k for k, face in reversed(list(enumerate(faces)))}
    links = [
        (first[track], index[log.text(name)], logodds)
        for track, name, logodds in track_table.read_evidence(reader.database)
        if track in first and log.text(name) in index
    ]
    return {
        "evidence_face": [face for face, _, _ in links],
        "evidence_name": [name for _, name, _ in links],
        "evidence_logodds": [logodds for _, _, logodds in links],
    }


def run(reader: Reader, method: str, seed: int, progress: Progress, cold: bool = False) -> run_table.Run:
    """Names all faces around what people said, and keeps the answer.

    A method's checkpoint lies in the project's cache; the run's settings tell whether the run started from it.
    """
    asked, settled = question(reader), list(reader.log().settled)
    began, checkpoint = perf_counter(), reader.folder / files.CACHE / CHECKPOINT.format(method)
    last = None if cold else read_checkpoint(checkpoint)
    solution = solve_from(last, asked.problem, method, asked.corrections, seed, progress)
    prediction, seconds = solution.prediction, perf_counter() - began
    if solution.checkpoint is not None and solution.checkpoint is not last:
        with suppress(BadInput, OSError):  # without it the next run is slower, no more
            write_checkpoint(checkpoint, solution.checkpoint)
    answered = np.isin(asked.face, settled)
    quality = np.ones(len(answered)) if asked.problem.quality is None else asked.problem.quality
    order = question_order(prediction, answered, quality)[:QUEUED]
    truth = asked.problem.truth
    made = run_table.Run(
        id=0,
        method=method,
        settings=json.dumps({"warm": True} if solution.warm else {}),
        seed=seed,
        at=timestamp(),
        seconds=seconds,
        faces=len(asked.face),
        answered=int(answered.sum()),
        version=asked.version,
        accuracy=None if truth is None else float(np.mean(prediction.name == truth)),
    )
    with reader.database.transaction():
        name_id = np.array([reader.logs.name_number(name) for name in prediction.names], np.int64)
        number = run_table.insert(reader.database, made)
        path = files.run_path(reader.folder, number)
        answers.write(path, asked.face, name_id, prediction, asked.face[order])
    return run_table.read(reader.database, number)[0]
