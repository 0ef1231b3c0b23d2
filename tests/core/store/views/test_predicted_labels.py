"""A name that people refused is no longer what the machine thinks, anywhere, from that moment on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.problem import NOBODY
from core.store.project import UNKNOWN, Change, Project
from core.store.views.predicted_labels import STOPGAP, predicted_labels
from tests.made import made_project


def who_is(project: Project, face: int) -> tuple[str, float]:
    """By the exports and by the arrays of the app, which must agree."""
    exported = next(one for frame in project.labels().frames for one in frame.faces if one.face.id == face)
    now = project.current_labels()
    row = int(now.rows(np.array([face]))[0])
    name = int(now.name[row])
    assert exported.name == ("" if name < 0 else project.log().text(name))
    assert exported.answer == {NOBODY: "nobody", UNKNOWN: "unknown"}.get(name, "name")
    assert exported.confidence == now.confidence[row]
    return exported.name, exported.confidence


def test_a_refused_name_gives_way_to_the_likeliest_other_without_much_confidence(tmp_path: Path) -> None:
    with made_project(tmp_path / "made", frames=20, noise=4) as project:
        solved = project.solved()
        assert solved is not None
        scores = solved.prediction.scores
        doubtful = solved.face[np.flatnonzero((solved.prediction.name >= 0) & ~solved.prediction.unknown)]
        several = next(int(face) for face in doubtful if (scores.face == solved.row(int(face))).sum() > 1)
        row = solved.row(several)
        options = {int(scores.name[k]): float(scores.score[k]) for k in np.flatnonzero(scores.face == row)}
        assert scores.nobody is not None
        options[NOBODY] = float(scores.nobody[row])
        first, second = sorted(options, key=lambda name: -options[name])[:2]
        assert who_is(project, several)[0] == solved.prediction.names[first]
        project.decide("me", Change("is not", face=several, name=solved.prediction.names[first]))
        name, confidence = who_is(project, several)
        assert name == ""  # unknown until the next run
        assert 0 < confidence <= STOPGAP
        now = project.current_labels()
        guess = int(now.guess[now.rows(np.array([several]))[0]])
        assert guess == (NOBODY if second == NOBODY else project.log().find_name(solved.prediction.names[second]))
        project.undo("me")
        assert who_is(project, several)[0] == solved.prediction.names[first]


def test_when_every_name_is_refused_it_is_nobody_and_others_keep_theirs(tmp_path: Path) -> None:
    with made_project(tmp_path / "made", frames=9) as project:
        solved = project.solved()
        assert solved is not None
        before = predicted_labels(solved, project.log())[0]
        project.decide("me", *(Change("is not", face=0, name=name) for name in project.names()))
        after = predicted_labels(solved, project.log())[0]
        assert who_is(project, 0)[0] == ""
        assert np.flatnonzero(before != after).tolist() == [solved.row(0)]


def test_a_name_refused_before_it_was_merged_stays_refused(tmp_path: Path) -> None:
    with made_project(tmp_path / "made", frames=9) as project:
        name = who_is(project, 0)[0]
        other = next(one for one in project.names() if one != name)
        project.decide("me", Change("is not", face=0, name=name))
        project.decide("me", Change("merge", name=name, other=other))
        assert who_is(project, 0)[0] not in (name, other)
