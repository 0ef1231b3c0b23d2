"""The project as its users meet it: what goes in comes out, decisions stand, runs keep to them."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.problem import NOBODY
from core.project import Change, Project
from core.records import Box, NewFace, NewFrame, NewMention, NewMerge, NewSource
from core.store.database import FILE, VERSION
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path):
    with made_project(tmp_path / "film", frames=12) as made:
        yield made


def vector(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def source(title: str = "a.mp4") -> NewSource:
    return NewSource("video", f"/films/{title}", title)


# --- What goes in ------------------------------------------------------------------------------------------------------


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


# --- Decisions and runs ------------------------------------------------------------------------------------------------


def test_a_run_never_overrules_a_person(project):
    first = project.solved().prediction
    names = project.names()
    wrong = next(name for name in names if name != first.label(0))
    project.decide("Ann", Change("is", face=0, name=wrong), Change("nobody", face=1))
    run = project.run()
    labels = {label.face.id: label for frame in project.labels().frames for label in frame.faces}
    assert (labels[0].name, labels[0].state, labels[0].confidence, labels[0].annotator) == (wrong, "corrected", 1.0, "Ann")
    assert (labels[1].name, labels[1].state) == ("", "corrected")
    assert run.answered == 2
    assert project.solved().prediction.label(0) == wrong


def test_correcting_one_face_changes_that_face_only(project):
    before = {label.face.id: label.name for frame in project.labels().frames for label in frame.faces}
    project.decide("Ann", Change("is", face=0, name="Somebody Else"))
    after = {label.face.id: label.name for frame in project.labels().frames for label in frame.faces}
    assert {face for face in before if before[face] != after[face]} == {0}


def test_what_changed_lists_faces_with_old_and_new_name(project):
    assert project.what_changed() == []
    old = project.solved().prediction.label(3)
    project.decide("Ann", Change("is", face=3, name="Somebody New"))
    project.run()
    changed = {change.face: change for change in project.what_changed()}
    assert 3 in changed
    text = project.log().text
    assert (text(changed[3].before) if changed[3].before != NOBODY else None) == old
    assert text(changed[3].after) == "Somebody New"
    assert [run.id for run in project.runs()] == [1, 2]


def test_a_refused_name_is_not_given_again(project):
    given = project.solved().prediction.label(0)
    project.decide("Ann", Change("is not", face=0, name=given))
    project.run()
    assert project.solved().prediction.label(0) != given


def test_what_is_no_face_leaves_lists_runs_and_exports(project):
    faces = project.count("face")
    project.decide("Ann", Change("not a face", face=0))
    assert 0 not in [face.id for face in project.faces()]
    assert project.run().faces == faces - 1
    assert all(label.face.id != 0 for frame in project.labels().frames for label in frame.faces)
    project.undo("Ann")
    assert 0 in [face.id for face in project.faces()]


def test_an_added_face_is_there_and_an_undo_takes_it_away(project):
    number = project.add_face("Ann", 0, Box(5, 5, 50, 50), project.embeddings()[0], b"crop")
    assert number == project.count("face") - 1
    assert project.faces(0)[-1].crop.read_bytes() == b"crop"
    assert project.embeddings()[number].tolist() == project.embeddings()[0].tolist()
    project.undo("Ann")
    assert number not in [face.id for face in project.faces(0)]
    project.redo("Ann")
    assert number in [face.id for face in project.faces(0)]


def test_an_added_name_is_a_mention_of_that_frame_only(project):
    project.decide("Ann", Change("mention", frame=2, name="Zed"))
    assert project.mentions(2)[-1].name == "Zed"
    assert project.mentions(2)[-1].added
    assert all("Zed" not in [m.name for m in project.mentions(frame)] for frame in (0, 1, 3))
    problem, _ = project.problem()
    assert problem.candidates()[2][-1] == "Zed"


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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change("is", face=0, name="  "), "name is needed"),
        (Change("is", face=99999, name="A"), "no face 99999"),
        (Change("is", face=0, name="A" * 201), "201 characters"),
        (Change("is", face=0, name="\ud800"), "half a character"),
        (Change("mention", name="A"), "frame is needed"),
        (Change("is", name="A"), "face is needed"),
        (Change("merge", name="Anna", other="Anna"), "one person already"),
        (Change("rename", name="Anna", other="Boris"), "merge the two"),
        (Change("split", name="Anna"), "nothing to split"),
        (Change("undo"), "nothing that can be decided"),  # type: ignore[arg-type]
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_and_not_written(project, change, words):
    before = len(project.log().entries)
    with pytest.raises(BadInput, match=words):
        project.decide("Ann", Change("nobody", face=1), change)
    assert len(project.log().entries) == before
    assert not project.log().standing(1).answers
    with Project.open(project.folder) as again:
        assert len(again.log().entries) == before
        assert again.names() == project.names()


# --- The queue ---------------------------------------------------------------------------------------------------------


def test_the_queue_forgets_settled_frames_and_remembers_skips(project):
    queue = project.queue(who="Ann")
    assert queue.left == 12
    first, second = int(queue.frame[0]), int(queue.frame[1])
    project.skip("Ann", first)
    assert project.queue(who="Ann").frame[11] == first
    assert project.queue(who="Bob").frame[0] == first
    project.decide("Ann", *(Change("nobody", face=face.id) for face in project.faces(second)))
    queue = project.queue(who="Ann")
    assert queue.left == 11
    assert queue.frame[11] == second
    assert queue.face[11] == -1
    with Project.open(project.folder) as again:
        assert again.queue(who="Ann").frame.tolist() == queue.frame.tolist()


def test_the_queue_asks_about_a_track_once(tmp_path):
    faces = [NewFace(vector(1, 0.01 * k), track=0) for k in range(3)] + [NewFace(vector(0, 1), track=1)]
    frames = [NewFrame("Ross", [NewMention("Ross")], [face], time=float(k)) for k, face in enumerate(faces)]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames, "kind")
        project.run()
        project.decide("Ann", Change("is", face=1, name="Ross"))
        assert project.queue().frame[0] == 3


def test_of_a_track_the_best_picture_is_asked_about(tmp_path):
    boxes = [Box(0, 0, 30, 30), Box(0, 0, 90, 90), Box(0, 0, 60, 60), Box(0, 0, 200, 200)]
    marks = ["", "", "", "blurred"]
    faces = [NewFace(vector(1, 0.01 * k), boxes[k], mark=marks[k], track=0) for k in range(4)]
    frames = [NewFrame("Ross", [NewMention("Ross")], [face], time=float(k)) for k, face in enumerate(faces)]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames, "kind")
        project.run()
        assert project.queue().frame[0] == 1


def test_orders_by_time_person_and_state(project):
    assert project.queue("time").frame.tolist() == list(range(12))
    person = project.queue("person").frame.tolist()
    assert sorted(person) == list(range(12))
    project.decide("Ann", Change("is", face=0, name="Anna"))
    project.decide("Bob", Change("nobody", face=0), seen=0)
    assert project.queue("state").frame[0] == 0
    assert project.why(0) == "people disagree here"
    anna = project.queue("time", person="Anna").frame.tolist()
    named = {frame.frame.id for frame in project.labels().frames if any(f.name == "Anna" for f in frame.faces)}
    assert set(anna) == named
    with pytest.raises(BadInput, match="no order"):
        project.queue("mood")  # type: ignore[arg-type]


def test_work_resumes_where_one_left_off(project):
    assert project.place("Ann") is None
    project.set_place("Ann", 5)
    project.set_place("Ann", 7)
    with Project.open(project.folder) as again:
        assert again.place("Ann") == 7
        assert again.place("Bob") is None


def test_after_the_last_open_frame_comes_the_first(project):
    queue = project.queue("time")
    assert queue.after(0) == 1
    assert queue.after(11) == 0
    project.decide("Ann", *(Change("nobody", face=face.id) for face in project.faces()))
    assert project.queue("time").after(3) is None


# --- What goes wrong ---------------------------------------------------------------------------------------------------


def test_a_project_of_a_newer_version_is_refused(project):
    connection = sqlite3.connect(project.folder / FILE)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(BadInput, match="newer Rollcall"):
        Project.open(project.folder)


def test_a_damaged_database_says_so(project):
    project.close()
    (project.folder / FILE).write_bytes(b"this is no database at all" * 100)
    with pytest.raises(BadInput, match="damaged"):
        Project.open(project.folder)


def test_a_database_locked_by_another_program_says_so(project, monkeypatch):
    monkeypatch.setattr("core.store.database.PATIENCE", 0.1)
    other = sqlite3.connect(project.folder / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Project.open(project.folder) as impatient, pytest.raises(BadInput, match="another program"):
        impatient.decide("Ann", Change("nobody", face=0))
    other.execute("ROLLBACK")
    other.close()
    assert not project.log().entries


@pytest.mark.usefixtures("permissions")
def test_a_read_only_folder_says_so(project):
    project.close()
    for path in [project.folder, *project.folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    with pytest.raises(BadInput, match="cannot be written"):
        Project.open(project.folder).decide("Ann", Change("nobody", face=0))


def test_a_full_disk_changes_nothing(project):
    pages = project.database.one("PRAGMA page_count")
    project.database.run(f"PRAGMA max_page_count = {pages}")
    written = 0

    def fill() -> None:
        nonlocal written
        for _ in range(5000):
            project.decide("Ann" * 60, Change("nobody", face=0))
            written += 1

    with pytest.raises(BadInput, match="disk is full"):
        fill()
    with Project.open(project.folder) as again:
        assert len(again.log().entries) == written


@pytest.mark.parametrize("there", ["", "a file", "a full folder"])
def test_no_project_there_is_said(tmp_path, there):
    place = tmp_path / "x"
    if there == "a file":
        place.write_text("x")
    elif there:
        place.mkdir()
        (place / "y").write_text("y")
        with pytest.raises(BadInput, match="something here already"):
            Project.create(place)
    with pytest.raises(BadInput, match=r"no such folder|no project"):
        Project.open(place)


def test_a_moved_video_is_found_by_its_content(tmp_path):
    from core.media.video import content_key

    film = tmp_path / "films" / "a.mp4"
    film.parent.mkdir()
    film.write_bytes(b"moving pictures" * 1000)
    (tmp_path / "films" / "b.mp4").write_bytes(b"something else" * 1000)
    with Project.create(tmp_path / "p") as project:
        project.add(NewSource("video", str(film), "a.mp4", content_key(film)), [NewFrame("", [], [])])
        assert project.locate(project.sources()[0]) == film
        moved = film.rename(tmp_path / "films" / "renamed.mp4")
        assert project.locate(project.sources()[0]) == moved
        assert project.sources()[0].path == str(moved)
        far = tmp_path / "far" / "away"
        far.mkdir(parents=True)
        moved = moved.rename(far / "c.mp4")
        with pytest.raises(BadInput, match=r"no longer there; say where a\.mp4"):
            project.locate(project.sources()[0])
        with pytest.raises(BadInput, match="not the video"):
            project.relocate(project.sources()[0].id, tmp_path / "films" / "b.mp4")
        project.relocate(project.sources()[0].id, moved)
        assert project.locate(project.sources()[0]) == moved


def test_a_step_that_is_asked_for_twice_is_done_once(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=2, run=False) as project:
        for _ in range(2):
            assert project.decide("Ann", Change("nobody", face=0), step="a-1") == "a-1"
        project.decide("Ann", Change("nobody", face=1), step="a-2")
        assert [entry.face for entry in project.undo("Ann", "a-3")] == [1]
        assert project.undo("Ann", "a-3") == ()
        assert [(entry.kind, entry.step) for entry in project.log().entries] == [
            ("nobody", "a-1"),
            ("nobody", "a-2"),
            ("undo", "a-3"),
        ]
    with Project.open(tmp_path / "film") as again:
        assert again.undo("Ann", "a-3") == ()
        assert [entry.face for entry in again.undo("Ann", "a-4")] == [0]
