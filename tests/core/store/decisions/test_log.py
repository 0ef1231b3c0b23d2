"""The log: undo, redo, conflicts and agreement, also after a restart and by several people."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.problem import NOBODY
from core.store.decisions.log import NOTHING_SAID, Decision, Log
from core.store.project import Change, Project
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path):
    with made_project(tmp_path / "film", frames=6, run=False) as made:
        yield made


def answers(project: Project, face: int) -> list[str]:
    log = project.log()
    return ["nobody" if a.name == NOBODY else log.text(a.name) for a in log.standing(face).answers]


def test_undo_and_redo_go_any_number_of_steps_also_after_a_restart(project):
    for name in ("A", "B", "C"):
        project.decide("Ann", Change("is", face=0, name=name))
    assert answers(project, 0) == ["C"]
    project.undo("Ann")
    project.undo("Ann")
    assert answers(project, 0) == ["A"]
    with Project.open(project.folder) as again:
        again.undo("Ann")
        assert again.log().standing(0) == NOTHING_SAID
        assert again.undo("Ann") == ()
        again.redo("Ann")
        again.redo("Ann")
        assert answers(again, 0) == ["B"]
    assert answers(project, 0) == ["B"]
    project.decide("Ann", Change("nobody", face=0))
    assert project.redo("Ann") == ()  # a new step ends what could be redone
    project.undo("Ann")
    assert answers(project, 0) == ["B"]


def test_a_step_of_many_changes_is_undone_as_one(project):
    project.decide("Ann", *(Change("is", face=face, name="A") for face in range(5)))
    assert len(project.log().settled) == 5
    undone = project.undo("Ann")
    assert len(undone) == 5
    assert not project.log().settled


def test_each_undoes_their_own_steps(project):
    project.decide("Ann", Change("is", face=0, name="A"))
    project.decide("Bob", Change("is", face=1, name="B"))
    project.undo("Ann")
    assert (answers(project, 0), answers(project, 1)) == ([], ["B"])


def test_an_answer_that_saw_the_other_replaces_it(project):
    project.decide("Ann", Change("is", face=0, name="A"))
    project.decide("Bob", Change("is", face=0, name="B"))
    assert answers(project, 0) == ["B"]
    assert not project.log().conflicts
    project.undo("Bob")
    assert answers(project, 0) == ["A"]


def test_answers_that_did_not_see_each_other_both_stand(project):
    seen = project.log().version
    project.decide("Ann", Change("is", face=0, name="A"), seen=seen)
    project.decide("Bob", Change("nobody", face=0), seen=seen)
    assert answers(project, 0) == ["A", "nobody"]
    assert project.log().conflicts == {0}
    assert 0 not in project.log().settled
    label = project.labels().frames[0].faces[0]
    assert label.annotator == "Ann; Bob"
    project.decide("Cem", Change("is", face=0, name="A"))  # who saw both settles it
    assert answers(project, 0) == ["A"]
    assert not project.log().conflicts


def test_people_who_agree_are_no_conflict_and_merging_names_ends_one(project):
    seen = project.log().version
    project.decide("Ann", Change("is", face=0, name="Rachel"), seen=seen)
    project.decide("Bob", Change("is", face=0, name="Rachel"), seen=seen)
    assert project.log().settled == {0}
    project.decide("Ann", Change("is", face=1, name="Rachel"), seen=seen)
    project.decide("Bob", Change("is", face=1, name="Rachel Green"), seen=seen)
    assert project.log().conflicts == {1}
    project.decide("Ann", Change("merge", name="Rachel", other="Rachel Green"))
    assert not project.log().conflicts
    project.undo("Ann")
    assert project.log().conflicts == {1}


def test_refusing_the_given_name_takes_the_answer_back(project):
    project.decide("Ann", Change("is", face=0, name="A"))
    project.decide("Ann", Change("is not", face=0, name="A"))
    assert answers(project, 0) == []
    assert {project.log().text(name) for name in project.log().standing(0).refused} == {"A"}
    project.decide("Ann", Change("is", face=0, name="A"))
    assert answers(project, 0) == ["A"]
    assert not project.log().standing(0).refused


def test_open_takes_back_answer_and_refusals(project):
    project.decide("Ann", Change("is not", face=0, name="B"), Change("is", face=0, name="A"))
    project.decide("Ann", Change("open", face=0))
    assert project.log().standing(0) == NOTHING_SAID
    project.undo("Ann")
    assert answers(project, 0) == ["A"]


def test_names_merged_in_a_circle_stay_names(project):
    """Two people at once may merge A into B and B into A: whichever came first counts."""
    for name in ("A", "B"):
        project.decide("Ann", Change("mention", frame=0, name=name))
    log = project.log()
    a, b = log.find_name("A"), log.find_name("B")
    entry = Decision(10, "u", "s", "", "Ann", "merge", None, None, a, b, "", ())
    other = Decision(11, "v", "t", "", "Bob", "merge", None, None, b, a, "", ())
    log.take([entry, other])
    assert log.root(a) == log.root(b) == b


def test_the_log_reads_as_sentences(project):
    project.decide("Ann", Change("is", face=0, name="Ross"))
    project.decide("Ann", Change("rename", name="Ross", other="Ross Geller"))
    project.undo("Ann")
    log = project.log()
    assert [log.said(entry) for entry in log.entries] == [
        "face 0 is Ross",
        "renamed Ross to Ross Geller",
        "undo: renamed Ross to Ross Geller",
    ]


STEP = st.tuples(
    st.sampled_from(["Ann", "Bob"]), st.sampled_from(["is", "nobody", "is not", "open", "undo", "redo"]), st.integers(0, 2)
)


@given(st.lists(STEP, max_size=30))
def test_folding_at_once_and_entry_by_entry_gives_the_same_state(steps):
    entries: list[Decision] = []
    growing = Log({0: "A", 1: "B"})
    for number, (who, kind, face) in enumerate(steps, start=1):
        text, name = "", face % 2 if kind in ("is", "is not") else None
        if kind in ("undo", "redo"):
            step = growing.step_back(who) if kind == "undo" else growing.step_forward(who)
            if step is None:
                continue
            text = step
        seen = tuple(answer.uid for answer in growing.standing(face).answers)
        about = None if text else face
        entry = Decision(
            number, f"u{number}", f"s{number}", "", who, kind, about, None, name, None, text, () if text else seen
        )
        entries.append(entry)
        growing.take([entry])
    whole = Log({0: "A", 1: "B"})
    whole.take(entries)
    for face in range(3):
        assert whole.standing(face) == growing.standing(face)
    assert whole.settled == growing.settled
    assert whole.conflicts == growing.conflicts
    for who in ("Ann", "Bob"):
        assert whole.step_back(who) == growing.step_back(who)
        assert whole.step_forward(who) == growing.step_forward(who)


def test_undoing_everything_leaves_nothing(project):
    for face in range(4):
        project.decide("Ann", Change("is", face=face, name=f"N{face}"), Change("is not", face=face, name="X"))
    project.decide("Ann", Change("merge", name="N0", other="N1"))
    while project.undo("Ann"):
        pass
    log = project.log()
    assert not log.settled
    assert not log.answered
    assert not log.merged()
