"""What is asked next: persons, not faces."""

from __future__ import annotations

import json

import pytest

from core.cli.main import main
from core.store.project import Change, Project
from tests.known import known_run


def test_a_person_is_asked_about_once_and_not_again_until_the_next_run(unsure: Project) -> None:
    solved = unsure.solved()
    assert solved is not None
    person = dict(zip(solved.face.tolist(), solved.person.tolist(), strict=True))
    asked = unsure.review.questions()
    persons = [person[one.face] for one in asked if person[one.face] >= 0]
    assert asked
    assert len(set(persons)) == len(persons)
    first = asked[0]
    assert first.settles == max(one.settles for one in asked)
    assert first.asks
    unsure.decide("Ann", Change("is", face=first.face, name="Anna"))
    assert person[first.face] not in [person[one.face] for one in unsure.review.questions()]
    unsure.undo("Ann")
    assert [one.face for one in unsure.review.questions()] == [one.face for one in asked]


def test_what_is_certain_is_not_asked_about(project: Project) -> None:
    labels = project.current_labels()
    sure = set(labels.face[(labels.confidence >= 0.95) & (labels.name >= 0)].tolist())
    assert sure
    assert not sure & {one.face for one in project.review.questions()}


def test_somebody_who_returns_without_a_name_is_asked_about_once(project: Project) -> None:
    (stranger,) = project.people.strangers()
    (asked,) = [one for one in project.review.questions() if one.face in stranger.faces]
    project.decide("Ann", Change("nobody", face=asked.face))
    assert not [one for one in project.review.questions() if one.face in stranger.faces]


def test_behind_the_finish_line_only_what_is_in_doubt_is_asked(project: Project) -> None:
    assert project.review.answers_left() == 0
    queue, asked = project.review.queue(), project.review.questions()
    assert 0 < queue.left < len(queue.frame)
    assert {one.frame for one in asked} <= set(queue.frame[queue.open > 0].tolist())
    project.decide("Ann", *(Change("nobody", face=one.face) for one in asked))
    assert project.review.questions() == []
    assert project.review.queue().left > 0  # no run has heard these answers yet
    known_run(project)
    assert project.review.queue().left == 0
    assert project.review.queue("time").left > 0  # whoever wants to look through all of it can


def test_before_the_finish_line_everything_open_is_asked_in_the_end(unsure: Project) -> None:
    assert unsure.review.answers_left() > 0
    queue = unsure.review.queue()
    assert queue.left == len(queue.frame)


def test_whoever_was_given_frames_is_asked_about_all_of_them(project: Project) -> None:
    project.team.assign("Ann", project.team.frames(None, None, True), ["Ben"], 0.0)
    assert project.review.queue(who="Ben").left == len(project.frames())


def test_fewer_answers_are_left_after_each(unsure: Project) -> None:
    before = unsure.review.answers_left()
    assert before > 0
    for one in unsure.review.questions()[:2]:
        unsure.decide("Ann", Change("nobody", face=one.face))
    assert unsure.review.answers_left() < before


def test_the_command_line_tells_what_is_asked(unsure: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "--project", str(unsure.folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [set(one) for one in told] == [{"face", "frame", "track", "asks", "settles"}] * len(told)
    assert [one["face"] for one in told] == [one.face for one in unsure.review.questions()]
    assert main(["queue", "--project", str(unsure.folder)]) == 0
    assert f"face {told[0]['face']} in frame" in capsys.readouterr().out


@pytest.fixture
def unsure(project: Project) -> Project:
    """The same project after a run that doubts every answer."""
    known_run(project, doubt=0.8)
    return project
