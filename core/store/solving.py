"""A run: the project as a problem, what people said as corrections, and the answer kept."""

from __future__ import annotations

import json
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from core.corrections import Correction
from core.errors import BadInput
from core.problem import NOBODY, Problem
from core.progress import Progress
from core.queue import next_faces
from core.solve import solve
from core.store import files, runs
from core.store.contents import now

if TYPE_CHECKING:
    from core.project import Project

REMEMBERED = "remembered.npz"  # in the project's cache: where the last run from nothing ended
QUEUED = 200  # faces whose order in the queue is worked out; the rest follow by doubt


def corrections(project: Project) -> dict[int, list[Correction]]:
    """What people said about each face; a face on which they differ stays open until they agree."""
    log, said = project.log(), {}
    for face in log.answered:
        standing = log.standing(face)
        given = None if standing.conflict else standing.answer
        if face in log.hidden:
            continue
        if given is None:
            said[face] = [Correction(face, "is not", log.text(name)) for name in sorted(standing.refused)]
        elif given.name == NOBODY:
            said[face] = [Correction(face, "nobody")]
        else:
            said[face] = [Correction(face, "is", log.text(given.name))]
    return said


def problem(project: Project) -> tuple[Problem, list[int]]:
    """The project as a problem, and the faces' numbers in its order."""
    faces = project.faces()
    if not faces:
        raise BadInput(f"{project.folder}: the project has no faces yet; add a video or pictures with `ingest`")
    frames, mentions = project.frames(), project.all_mentions()
    place = {frame.id: k for k, frame in enumerate(frames)}
    candidates = [[mention.name for mention in mentions.get(frame.id, ())] for frame in frames]
    log = project.log()
    called = {was: log.text(name) for name, was in log.original.items()}  # the truth knows nothing of renames and merges
    truths = [face.truth and called.get(face.truth, face.truth) for face in faces]
    known = all(truth is not None for truth in truths)
    names = dict.fromkeys(name for caption in candidates for name in caption)
    if known:
        names |= dict.fromkeys(truth for truth in truths if truth)
    index = {name: k for k, name in enumerate(names)} | {"": NOBODY}
    ids = [face.id for face in faces]
    built = Problem.build(
        features=np.asarray(project.embeddings()[ids]),
        group=[place[face.frame] for face in faces],
        candidates=candidates,
        names=list(names),
        truth=[index[truth or ""] for truth in truths] if known else None,
        captions=[frame.caption for frame in frames],
    )
    return built, ids


def run(project: Project, method: str, seed: int, progress: Progress, from_nothing: bool = False) -> runs.Run:
    """Names all faces around what people said, and keeps the answer.

    What a run from nothing leaves for reruns lies in the project's cache; the run's settings tell whether it was taken up.
    """
    from core import memory

    log = project.log()
    version, said, settled = log.version, corrections(project), list(log.settled)
    asked, ids = problem(project)
    place = {face: k for k, face in enumerate(ids)}
    fixed = [Correction(place[c.face], c.kind, c.name) for face in said if face in place for c in said[face]]
    began = perf_counter()
    last = None if from_nothing or method != "rollcall" else memory.read(project.cache / REMEMBERED)
    prediction = solve(asked, method, fixed, seed, progress, memory=last)
    seconds = perf_counter() - began
    if method == "rollcall" and prediction.memory is not None and not prediction.warm:
        with suppress(BadInput, OSError):  # without it the next run is slower, no more
            memory.write(project.cache / REMEMBERED, prediction.memory)
    answered = np.isin(ids, settled)
    order = next_faces(prediction, answered, min(len(ids), QUEUED))
    accuracy = None if asked.truth is None else float(np.mean(prediction.name == asked.truth))
    with project.database.transaction():
        name_id = np.array([project.name_number(name) for name in prediction.names], np.int64)
        number = project.database.run(
            "INSERT INTO run (method, settings, seed, at, seconds, faces, answered, version, accuracy)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                method,
                json.dumps({"warm": True} if prediction.warm else {}),
                seed,
                now(),
                seconds,
                len(ids),
                int(answered.sum()),
                version,
                accuracy,
            ),
        )
        face = np.array(ids, np.int64)
        runs.write(files.run_path(project.folder, number), face, name_id, prediction, face[order])
    return project.runs(number)[0]
