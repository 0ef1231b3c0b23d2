"""What is measured of a film: faces, tracks, names, confidence, and the answers that a person has to give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.film_truth import SAME, Faces, Truth
from core.corrections import Correction
from core.evaluation.metrics import calibration_error
from core.media.faces.suppress import overlaps
from core.prediction import Prediction
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.review.queue import next_faces
from core.solve import solve

OFTEN = 0.5  # seconds from one moment to the next at which faces are counted
ENOUGH = 0.95  # of the known screen time
SURE, NAMED = 0.95, 0.8  # confidence
DRAWS = 50  # orders in which ties are broken


def found_and_false(faces: Faces, truth: Truth, duration: float) -> tuple[int, int, int]:
    """True faces at two moments a second, those found, and found ones where there is none."""
    times = np.unique(faces.time)
    due = found = false = 0
    for moment in np.arange(0, duration, OFTEN).tolist():
        if not len(times):
            break
        here = np.flatnonzero(faces.time == times[np.argmin(np.abs(times - moment))])
        here = here[np.abs(faces.time[here] - moment) <= OFTEN / 2]
        rows = truth.at(moment)
        due += len(rows)
        if len(here) and len(rows):
            found += int((overlaps(truth.box[rows], faces.box[here]).max(axis=1) >= SAME).sum())
        false += int((faces.true[here] < 0).sum())
    return due, found, false


def purity_and_pieces(faces: Faces) -> tuple[float, float]:
    known = np.array([name is not None for name in faces.name], bool)
    same = sum(
        Counter(np.array(faces.name, object)[known & (faces.track == k)]).most_common(1)[0][1]
        for k in np.unique(faces.track[known])
    )
    pieces = [len(np.unique(faces.track[faces.true == k])) for k in np.unique(faces.true[known & (faces.true >= 0)])]
    return same / max(known.sum(), 1), float(np.mean(pieces)) if pieces else float("nan")


def known_looks(faces: Faces, tracks: int) -> FloatArray:
    """By track, the share of its looks that are somebody whom the truth knows."""
    known = np.array([name is not None for name in faces.name], float)
    return np.asarray(np.bincount(faces.track, known, tracks) / np.maximum(np.bincount(faces.track, minlength=tracks), 1))


def neighbour(vectors: FloatArray, shot: IntArray, names: Sequence[str | None], weight: FloatArray) -> float:
    """How often, by screen time, the most similar known track of another shot is the same person's; of those who return."""
    use = np.array([bool(name) for name in names])
    likeness = np.where((shot[:, None] != shot) & use, vectors @ vectors.T, -2.0)
    named = np.array(names, object)
    same = (named[:, None] == named) & (shot[:, None] != shot)
    back = use & same.any(axis=1)
    right = named[likeness.argmax(axis=1)] == named
    return float((weight * right)[back].sum() / weight[back].sum()) if back.any() else float("nan")


def known_truth(problem: Problem, names: Sequence[str | None], track: IntArray) -> tuple[IntArray, BoolArray]:
    """By face of the problem, the index of the true name (NOBODY for nobody, and -2 for a name captions do not have), and
    whether it is known."""
    index = {"": -1} | {name: k for k, name in enumerate(problem.names)}
    mine = [names[k] for k in track.tolist()]
    return np.array([-2 if name is None else index.get(name, -2) for name in mine]), np.array([n is not None for n in mine])


def answers_needed(problem: Problem, method: str, names: Sequence[str | None], track: IntArray, weight: FloatArray) -> int:
    """How many tracks a person names, as the queue asks, until enough of the known screen time is right."""
    said: dict[int, Correction] = {}  # by track
    known = np.array([names[k] is not None for k in track.tolist()])
    total = sum(weight[k] for k in np.unique(track[known]))
    for many in range(len(np.unique(track[known])) + 1):
        prediction = solve(problem, method, said.values())
        called = np.array([*prediction.names, ""], object)[prediction.name]
        right = {k: k in said or called[track == k][0] == names[k] for k in np.unique(track[known]).tolist()}
        if sum(weight[k] for k, is_right in right.items() if is_right) >= ENOUGH * total:
            return many
        done = np.isin(track, list(said)) | ~known
        face = int(next_faces(prediction, done, 1)[0])
        name = names[int(track[face])]
        said[int(track[face])] = Correction(face, "is", name) if name else Correction(face, "nobody")
    return -1


def answered(
    problem: Problem,
    prediction: Prediction,
    names: Sequence[str | None],
    track: IntArray,
    weight: FloatArray,
    scorable: BoolArray,
) -> dict[str, float]:
    """How right the answers are, and how sure: by screen time, and by those of the frames' faces that are ``scorable``."""
    truth, known = known_truth(problem, names, track)
    right, sure = prediction.name == truth, prediction.confidence
    told = sure >= 0.5
    share = weight[track] / np.bincount(track)[track] * known  # of screen time, by face
    known = known & scorable
    mentioned = known & (truth >= 0)
    named = known & (prediction.name >= 0) & (sure > NAMED)

    def mean(values: BoolArray, of: BoolArray) -> float:
        return float(values[of].mean()) if of.any() else float("nan")

    return {
        "right_faces": mean(right & told, known),
        "right_time": float(share[right & told].sum() / max(share.sum(), 1e-9)),
        "unknown_time": float(share[~told].sum() / max(share.sum(), 1e-9)),
        "nobody_sure": mean((prediction.name == NOBODY) & (sure > NAMED), mentioned),
        "named_right": mean(right, named),
        "error": calibration_error(sure[known], right[known]),
        "sure_right": mean(right, known & (sure > SURE)),
    }


def caption_bound(problem: Problem, truth: IntArray, seconds: FloatArray, near: float = 0.0) -> float:
    """Right by screen time if clusters were perfect and names were given one to one by captions alone.

    ``near`` is the weight of the captions before and after. Ties are broken in many orders, and the mean is told.
    """
    people = np.unique(truth[truth >= 0])
    if not len(people):
        return float("nan")
    seen = np.zeros((problem.groups, len(people)))
    for k, person in enumerate(people.tolist()):
        seen[problem.group[truth == person], k] = 1.0
    said = np.zeros((problem.groups, len(problem.names)))
    said[problem.mention_group, problem.mention_name] = 1.0
    beside = np.zeros_like(said)
    beside[1:], beside[:-1] = said[:-1], np.maximum(beside[:-1], said[1:])
    said = np.maximum(said, near * beside)
    gain = seen.T @ said - np.outer(seen.sum(axis=0), said.sum(axis=0)) / problem.groups
    time = np.array([seconds[truth == person].sum() for person in people.tolist()])
    random, right = np.random.default_rng(0), []
    for _ in range(DRAWS):
        rows, columns = linear_sum_assignment(-gain + random.uniform(0, 1e-6, gain.shape))
        right.append(time[rows[people[rows] == columns]].sum() / time.sum())
    return float(np.mean(right))
