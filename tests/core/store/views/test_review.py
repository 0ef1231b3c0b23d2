"""What the review page asks of a project, from its parts."""

from __future__ import annotations

from core.store.project import ROLLCALL, Change, Project


def test_what_the_program_decides_is_nobodys_decision(project: Project) -> None:
    project.decide(ROLLCALL, Change("merge", name="Boris", other="Anna"))
    project.decide("Ann", Change("nobody", face=0))
    assert project.review.annotators() == ["Ann"]


def test_only_what_was_said_after_the_last_run_is_counted(project: Project) -> None:
    project.decide("Ann", Change("nobody", face=0))
    project.decide("Ann", Change("is not", face=1, name="Anna"))
    assert project.review.corrected_since() == 2
    project.run()
    assert project.review.corrected_since() == 0


def test_a_frame_that_somebody_skips_comes_later_for_them_alone(project: Project) -> None:
    first = int(project.review.queue(who="Ann").frame[0])
    project.review.skip("Ann", first)
    assert int(project.review.queue(who="Ann").frame[0]) != first
    assert int(project.review.queue(who="Bob").frame[0]) == first
