"""What goes in comes out: sources, frames, faces, mentions and their files."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import BadInput
from core.records import Box, NewFace, NewFrame, NewMention, NewMerge, NewSource
from core.store.project import Change, Project


def vector(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def source(title: str = "a.mp4") -> NewSource:
    return NewSource("video", f"/films/{title}", title)


def test_frames_faces_mentions_and_files_come_out_as_they_went_in(tmp_path):
    frames = [
        NewFrame(
            "Ross sees Rachel.",
            [NewMention("Ross", ((0, 4),)), NewMention("Rachel", ((10, 16),))],
            [NewFace(vector(1, 0), Box(1, 2, 3, 4), b"crop", 0.5, "small", track=0, truth="Ross")],
            time=1.5,
            picture=b"frame",
            width=640,
            height=360,
            shot=7,
        ),
        NewFrame("", [], [NewFace(vector(0, 1), track=0)], path="b.jpg"),
    ]
    with Project.create(tmp_path / "p", "A film") as project:
        project.add(source(), frames, "kind")
        first, second = project.frames()
        assert (first.time, first.caption, first.shot, first.width, first.height) == (1.5, "Ross sees Rachel.", 7, 640, 360)
        assert first.picture.read_bytes() == b"frame"
        assert (second.path, second.picture) == ("b.jpg", None)
        face, other = project.faces()
        assert (face.box, face.score, face.mark, face.truth) == (Box(1, 2, 3, 4), 0.5, "small", "Ross")
        assert face.crop.read_bytes() == b"crop"
        assert (other.crop, other.truth, other.frame) == (None, None, 1)
        assert [(m.name, m.spans) for m in project.mentions(0)] == [("Ross", ((0, 4),)), ("Rachel", ((10, 16),))]
        assert project.embeddings().tolist() == [[1, 0], [0, 1]]
    with Project.open(tmp_path / "p") as again:
        assert again.title == "A film"
        assert len(again.faces()) == 2


def test_a_second_video_counts_on_and_shares_the_names_but_not_the_tracks(tmp_path):
    frame = NewFrame("Ross", [NewMention("Ross")], [NewFace(vector(1, 0), track=0)])
    with Project.create(tmp_path / "p") as project:
        project.add(source("a.mp4"), [frame], "kind")
        project.add(source("b.mp4"), [frame], "kind")
        assert [face.id for face in project.faces()] == [0, 1]
        assert len({face.track for face in project.faces()}) == 2
        assert project.names() == ["Ross"]
        assert [frame.source for frame in project.frames()] == [s.id for s in project.sources()]


def test_faces_keep_the_numbers_that_a_problem_gave_them(tmp_path):
    frames = [
        NewFrame("", [], [NewFace(vector(2, 0), number=2), NewFace(vector(1, 0), number=0)]),
        NewFrame("", [], [NewFace(vector(3, 0), number=1)]),
    ]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames)
        assert project.embeddings()[:, 0].tolist() == [1, 3, 2]
        assert [face.frame for face in project.faces()] == [0, 1, 0]


def test_embeddings_of_two_kinds_never_mix(tmp_path):
    with Project.create(tmp_path / "p") as project:
        project.add(source(), [NewFrame("", [], [NewFace(vector(1, 0))])], "facenet")
        with pytest.raises(BadInput, match="cannot be compared"):
            project.add(source(), [NewFrame("", [], [NewFace(vector(1, 0))])], "arcface")
        with pytest.raises(BadInput, match=r"2 numbers.*3"):
            project.add(source(), [NewFrame("", [], [NewFace(vector(1, 0, 0))])], "facenet")
        assert (project.count("source"), project.count("face")) == (1, 1)


def test_an_addition_that_fails_half_way_leaves_the_project_as_it_was(project):
    before = (project.count("face"), project.count("frame"), sorted(p.name for p in project.folder.rglob("*.jpg")))

    def frames():
        yield NewFrame("Zoe", [NewMention("Zoe")], [NewFace(project.embeddings()[0], crop=b"x")], picture=b"y")
        raise BadInput("the video ends in the middle")

    with pytest.raises(BadInput, match="in the middle"):
        project.add(source(), frames(), "made")
    assert before == (project.count("face"), project.count("frame"), sorted(p.name for p in project.folder.rglob("*.jpg")))
    assert "Zoe" not in project.names()
    assert not list(project.folder.glob("incoming-*"))


def test_spellings_that_ingest_merged_are_one_name_and_can_be_split(tmp_path):
    frames = [
        NewFrame("Rachel", [NewMention("Rachel")], [NewFace(vector(1, 0))]),
        NewFrame("Rachel Green", [NewMention("Rachel Green")], [NewFace(vector(1, 0.1))]),
    ]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames, "kind", [NewMerge("Rachel", "Rachel Green")])
        assert project.names() == ["Rachel Green"]
        assert project.mentions(0)[0].name == "Rachel Green"
        project.decide("Ann", Change("split", name="Rachel Green"))
        assert sorted(project.names()) == ["Rachel", "Rachel Green"]
        assert project.mentions(0)[0].name == "Rachel"


def test_an_added_face_is_there_and_an_undo_takes_it_away(project):
    number = project.add_face("Ann", 0, Box(5, 5, 50, 50), project.embeddings()[0], b"crop")
    assert number == project.count("face") - 1
    assert project.faces(0)[-1].crop.read_bytes() == b"crop"
    assert project.embeddings()[number].tolist() == project.embeddings()[0].tolist()
    project.undo("Ann")
    assert number not in [face.id for face in project.faces(0)]
    project.redo("Ann")
    assert number in [face.id for face in project.faces(0)]
