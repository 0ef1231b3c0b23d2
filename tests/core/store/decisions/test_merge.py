"""Two people's copies of one project become one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.errors import BadInput
from core.records import Box
from core.store.project import Change, Project
from tests.made import made_project


@pytest.fixture
def copies(tmp_path: Path):
    with made_project(tmp_path / "mine", frames=6, run=False) as mine:
        mine.decide("Ann", Change("is", face=0, name="Anna"))
    shutil.copytree(tmp_path / "mine", tmp_path / "theirs")
    with Project.open(tmp_path / "mine") as mine, Project.open(tmp_path / "theirs") as theirs:
        yield mine, theirs


def test_decisions_of_both_are_there_and_conflicts_stand(copies):
    mine, theirs = copies
    mine.decide("Ann", Change("is", face=1, name="New One"))
    theirs.decide("Bob", Change("is", face=2, name="Another"))
    theirs.decide("Bob", Change("nobody", face=1))
    merged = mine.merge(theirs)
    assert (merged.decisions, merged.conflicts) == (2, 1)
    log = mine.log()
    assert log.text(log.standing(2).answer.name) == "Another"
    assert {answer.who for answer in log.standing(1).answers} == {"Ann", "Bob"}
    assert mine.merge(theirs).decisions == 0  # once more changes nothing


def test_faces_that_were_added_in_both_copies_stay_apart(copies):
    mine, theirs = copies
    vectors = mine.embeddings()
    a = mine.add_face("Ann", 0, Box(0, 0, 9, 9), vectors[0], b"mine")
    b = theirs.add_face("Bob", 1, Box(1, 1, 8, 8), vectors[1], b"theirs")
    theirs.decide("Bob", Change("is", face=b, name="Added"))
    assert a == b  # the same number in two copies
    assert mine.merge(theirs).faces == 1
    new = [face for face in mine.faces(1) if face.box == Box(1, 1, 8, 8)]
    assert len(new) == 1
    assert new[0].id != a
    assert new[0].crop.read_bytes() == b"theirs"
    assert mine.embeddings()[new[0].id].tolist() == vectors[1].tolist()
    log = mine.log()
    assert log.text(log.standing(new[0].id).answer.name) == "Added"
    assert not log.standing(a).answers


def test_an_undo_in_a_copy_comes_along(copies):
    mine, theirs = copies
    theirs.undo("Ann")
    mine.merge(theirs)
    assert not mine.log().standing(0).answers


def test_only_copies_can_be_merged(copies, tmp_path):
    mine, _ = copies
    with made_project(tmp_path / "else", frames=2, run=False) as other, pytest.raises(BadInput, match="another project"):
        mine.merge(other)
    with pytest.raises(BadInput, match="same project"):
        mine.merge(mine)


def test_a_later_word_on_an_added_face_is_about_the_same_face(copies):
    """Its number differs between the copies, and the merge that brought it is long over."""
    mine, theirs = copies
    vectors = mine.embeddings()
    mine.add_face("Ann", 0, Box(0, 0, 9, 9), vectors[0], b"mine")
    added = theirs.add_face("Bob", 1, Box(1, 1, 8, 8), vectors[1], b"theirs")
    mine.merge(theirs)
    theirs.decide("Bob", Change("is", face=added, name="Added Later"))
    mine.merge(theirs)
    log = mine.log()
    (face,) = [face for face in mine.faces() if face.crop is not None and face.crop.read_bytes() == b"theirs"]
    assert log.text(log.standing(face.id).answer.name) == "Added Later"
    assert not log.standing(added).answers
