"""Labels as exports write them: people first, then the last run, in the names of today."""

from __future__ import annotations

from core.store.project import Change


def test_correcting_one_face_changes_that_face_only(project):
    before = {label.face.id: label.name for frame in project.labels().frames for label in frame.faces}
    project.decide("Ann", Change("is", face=0, name="Somebody Else"))
    after = {label.face.id: label.name for frame in project.labels().frames for label in frame.faces}
    assert {face for face in before if before[face] != after[face]} == {0}


def test_what_is_no_face_leaves_lists_runs_and_exports(project):
    faces = project.count("face")
    project.decide("Ann", Change("not a face", face=0))
    assert 0 not in [face.id for face in project.faces()]
    assert project.run().faces == faces - 1
    assert all(label.face.id != 0 for frame in project.labels().frames for label in frame.faces)
    project.undo("Ann")
    assert 0 in [face.id for face in project.faces()]


def test_rename_and_merge_show_everywhere_also_in_old_answers(project):
    one, other = project.names()[:2]
    project.decide("Ann", Change("is", face=0, name=one))
    project.decide("Ann", Change("rename", name=one, other="Queen Anna"))
    assert project.labels().frames[0].faces[0].name == "Queen Anna"
    project.decide("Ann", Change("merge", name="Queen Anna", other=other))
    assert project.labels().frames[0].faces[0].name == other
    assert "Queen Anna" not in project.names()
    project.decide("Ann", Change("split", name=other, other=one))
    assert project.labels().frames[0].faces[0].name == "Queen Anna"
