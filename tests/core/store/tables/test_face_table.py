"""The table of faces."""

from __future__ import annotations

from pathlib import Path

from core.records import Box, NewFace, NewFrame, NewSource
from core.store.project import Project
from core.store.tables import face_table
from tests.core.store.test_add_source import vector


def test_arrays_know_the_best_picture_of_each_track(tmp_path: Path) -> None:
    """Of track 0 the larger one that is not blurred; whatever has no track stands for itself."""
    small, large = Box(0, 0, 10, 10), Box(0, 0, 90, 90)
    faces = [
        NewFace(vector(1), small, track=0),
        NewFace(vector(1), large, track=0, mark="blurred"),
        NewFace(vector(1), Box(0, 0, 20, 20), track=0),
        NewFace(vector(1), small),
        NewFace(vector(1), small, track=1),
    ]
    with Project.create(tmp_path / "p") as project:
        project.add(NewSource("video", "/a", "a"), [NewFrame("", [], faces)], "kind")
        arrays = face_table.read_arrays(project.database)
        assert arrays.track.tolist() == [0, 0, 0, -1, 1]
        assert arrays.best.tolist() == [False, False, True, True, True]
        assert arrays.frame.tolist() == [0] * 5
        assert -1 < arrays.shows[1] < 0 < arrays.shows[3]  # what is marked shows less, and still more or less


def test_a_number_of_somebody_who_was_removed_is_never_given_again(project: Project) -> None:
    last = project.add_face("Ann", 0, Box(5, 5, 50, 50), project.embeddings()[0], None)
    before = face_table.state(project.database)
    face_table.remove(project.database, [last])
    assert face_table.end(project.database) == last
    assert face_table.next_number(project.database) == last + 1  # the log knows it
    assert face_table.state(project.database) != before


def test_the_truth_about_a_removed_person_is_forgotten(project: Project) -> None:
    assert any(face.truth == "Anna" for face in project.faces())
    face_table.forget_truth(project.database, ["Anna"])
    assert {face.truth for face in project.faces()} == {"Boris", "Chloe", "Dev", "", None}
    project.set_truth({0: "Anna"})
    assert project.faces(ids=[0])[0].truth == "Anna"


def test_faces_are_read_by_frame_and_by_number(project: Project) -> None:
    assert [face.id for face in face_table.read(project.database, project.folder, frame=0)] == [0, 1, 2]
    assert [face.id for face in face_table.read(project.database, project.folder, ids=[4, 2])] == [2, 4]
    assert len(face_table.read(project.database, project.folder)) == project.count("face")
