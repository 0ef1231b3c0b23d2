"""A run: what people said as corrections of the project's problem, and the answer kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from core.corrections import Correction
from core.errors import BadInput
from core.prediction import Prediction
from core.problem import NOBODY, BoolArray, IntArray, Problem
from core.progress import Progress
from core.review.queue import question_order
from core.solve import Solution, solve_from
from core.solvers.checkpoint import read_checkpoint, write_checkpoint
from core.store import files
from core.store.decisions.blind import waiting_faces
from core.store.decisions.by_track import not_faces
from core.store.decisions.log import Answer, Log
from core.store.reader import Reader
from core.store.runs import answers
from core.store.runs.as_problem import problem
from core.store.tables import run_table
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
    answered: BoolArray  # by index, whether people settled it


def question(reader: Reader) -> Question:
    """The project as it is now."""
    log = reader.log()
    waiting = waiting_faces(reader.database, log)  # what is answered blind must not show in what a run says
    given = corrections(log, reader.by_track(without=waiting))
    version, said = log.version, [correction for correction in given if correction.face not in waiting]
    asked, face = problem(reader)
    place = {number: k for k, number in enumerate(face.tolist())}
    fixed = [Correction(place[c.face], c.kind, c.name) for c in said if c.face in place]
    settled = [*log.settled, *reader.by_track()]
    return Question(asked, face, fixed, version, np.isin(face, settled))


def corrections(log: Log, by_track: Mapping[int, Answer]) -> list[Correction]:
    """What people said about faces, or of another face of the track; where they differ a face is open until they agree."""
    said: list[Correction] = []
    hidden = log.hidden | not_faces(by_track)
    for face in [*log.answered, *(face for face in by_track if not log.standing(face).refused)]:
        standing = log.standing(face)
        given = None if standing.conflict else standing.answer or by_track.get(face)
        if face in hidden:
            continue
        if given is None:
            said += [Correction(face, "is not", log.text(name)) for name in sorted(standing.refused)]
        elif given.name == NOBODY:
            said.append(Correction(face, "nobody"))
        else:
            said.append(Correction(face, "is", log.text(given.name)))
    return said


def run(reader: Reader, method: str, seed: int, progress: Progress, cold: bool = False) -> run_table.Run:
    """Names all faces around what people said, and keeps the answer.

    A method's checkpoint lies in the project's cache; the run's settings tell whether the run started from it.
    """
    asked = question(reader)
    began, checkpoint = perf_counter(), checkpoint_path(reader, method)
    last = None if cold else read_checkpoint(checkpoint)
    solution = solve_from(last, asked.problem, method, asked.corrections, seed, progress)
    if solution.checkpoint is last:  # it is there already
        solution = replace(solution, checkpoint=None)
    return keep(reader, asked, solution, method, seed, perf_counter() - began)


def checkpoint_path(reader: Reader, method: str) -> Path:
    return reader.folder / files.CACHE / CHECKPOINT.format(method)


def keep(reader: Reader, asked: Question, solution: Solution, method: str, seed: int, seconds: float) -> run_table.Run:
    """Keeps the answer that a method gave to a question, wherever it was computed."""
    prediction, answered = solution.prediction, asked.answered
    prediction = _unknown_not_nobody(prediction, ~answered & _unspoken(asked.problem))
    if solution.checkpoint is not None:
        with suppress(BadInput, OSError):  # without it the next run is slower, no more
            write_checkpoint(checkpoint_path(reader, method), solution.checkpoint)
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


def _unspoken(problem: Problem) -> BoolArray:
    """The faces of films whose captions name nobody."""
    film = np.zeros(problem.groups, np.int64) if problem.film is None else problem.film
    return np.isin(film[problem.group], film[problem.mention_group], invert=True)


def _unknown_not_nobody(prediction: Prediction, unspoken: BoolArray) -> Prediction:
    """Where no caption names anybody, a face that got no name is unknown: only captions that name others make it nobody."""
    unknown, scores = unspoken & (prediction.name == NOBODY), prediction.scores
    kept = ~unknown[scores.face]
    fewer = replace(scores, face=scores.face[kept], name=scores.name[kept], score=scores.score[kept])
    return replace(prediction, confidence=np.where(unknown, 0.0, prediction.confidence), scores=fewer)
