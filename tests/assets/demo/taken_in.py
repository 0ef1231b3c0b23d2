"""The demo film, or its beginning, drawn and taken in as people take in theirs, and what must be true of that."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assets.demo import film, script
from core.corrections import Correction
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.media.faces.finder import FaceFinder
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.review.queue import question_order
from core.solve import solve_from
from core.store.project import Project

ANSWERS = 8


@dataclass(frozen=True, eq=False)
class TakenIn:
    """What ingest made of the film's first shots, and whose face each really is; extras by what they are, "?" where none
    was drawn."""

    shots: int
    problem: Problem
    who: list[str]
    time: list[float]
    names: dict[float, set[str]]  # that the caption at a time mentions

    @property
    def truth(self) -> IntArray:
        return np.array([self.problem.names.index(who) if who in self.problem.names else NOBODY for who in self.who])


def draw(folder: Path, shots: int) -> film.DemoFilm:
    """The film up to this shot."""
    said = [spoken for spoken in script.spoken() if spoken.shot < shots]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(film, "seconds", lambda: script.starts()[shots])
        patch.setattr(script, "spoken", lambda: said)
        return film.render(folder)


def take_in(folder: Path, demo: film.DemoFilm, shots: int) -> TakenIn:
    with Project.create(folder) as project:
        ingest(project, IngestVideo(demo.video, demo.captions), finder=FaceFinder())
        problem, order = project.problem()
        frames = {frame.id: frame for frame in project.frames()}
        faces = {face.id: face for face in project.faces()}
        who, time = [], []
        for face in (faces[number] for number in order):
            at = frames[face.frame].time
            assert at is not None
            best, person = max(((film.overlap(face.box, box), who) for box, who in film.people_at(at)), default=(0.0, "?"))
            who.append(person if best > film.SAME else "?")
            time.append(at)
        names = {frame.time or 0.0: {mention.name for mention in project.mentions(frame.id)} for frame in frames.values()}
    return TakenIn(shots, problem, who, time, names)


def distances(features: FloatArray) -> FloatArray:
    return np.linalg.norm(features[:, None] - features[None], axis=2)


def check_faces(found: TakenIn) -> None:
    """The detector finds the drawn faces, and little else."""
    drawn = Counter((time, who) for time in found.names for _, who in film.people_at(time))
    seen = Counter((time, who) for time, who in zip(found.time, found.who, strict=True) if who != "?")
    assert sum(drawn.values()) > found.shots
    assert sum((drawn & seen).values()) >= 0.95 * sum(drawn.values())
    assert found.who.count("?") <= 2


def check_told_apart(found: TakenIn) -> None:
    """Who returns in another shot is nearest to themselves."""
    shot, who = np.array([film.shot_at(at) for at in found.time]), np.array(found.who)
    far = np.where(shot[:, None] == shot, np.inf, distances(found.problem.features))
    returns = [i for i in range(len(who)) if who[i] != "?" and (who[shot != shot[i]] == who[i]).any()]
    assert len(returns) >= found.shots // 2
    nearest = far.argmin(axis=1)
    assert np.mean(who[returns] == who[nearest[returns]]) >= 0.95


def check_names(found: TakenIn) -> None:
    """The names are found without a cast list."""
    said = [spoken for spoken in script.spoken() if spoken.shot < found.shots]
    assert set(found.problem.names) == {name for spoken in said for name in spoken.cue.names}
    for spoken in said:
        middle = min(found.names, key=lambda time: abs(time - (spoken.start + spoken.stop) / 2))
        assert found.names[middle] == set(spoken.cue.names), spoken.cue.line


def check_review(problem: Problem, truth: IntArray) -> None:
    """What the README shows, with a margin: the first run names most faces, and a few answers to what the queue asks mend
    most of the rest."""
    found = solve_from(None, problem)
    first = int(np.sum(found.prediction.name != truth))
    assert first <= 0.25 * problem.faces
    answered, said = np.zeros(problem.faces, bool), []
    quality = np.ones(problem.faces) if problem.quality is None else problem.quality
    for _ in range(ANSWERS):
        asked = int(question_order(found.prediction, answered, quality)[0])
        answered[asked] = True
        name = int(truth[asked])
        said.append(Correction(asked, "nobody") if name == NOBODY else Correction(asked, "is", problem.names[name]))
        found = solve_from(found.checkpoint, problem, corrections=said)
    assert np.sum(found.prediction.name != truth) <= max(0.5 * first, 0.05 * problem.faces)
