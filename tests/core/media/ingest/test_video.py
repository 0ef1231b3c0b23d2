"""From films to a project, with the real networks; whatever goes wrong leaves nothing half-made."""

import errno
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.media import looking
from core.media.ingest import Summary, ingest_pictures, ingest_video, project_at
from core.media.sampling import Sampling
from core.project import Project
from tests.core.media.films import film, noisy, plain
from tests.core.media.ingest.people import SRT, Counting, captions, portrait, scene

# --- Video -------------------------------------------------------------------------------------------------------------


def test_a_film_becomes_frames_faces_and_names(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder)
        assert (summary.frames, summary.faces, summary.tracks, summary.names) == (3, 4, 4, ("Penny", "Raj"))
        assert (summary.skipped, summary.stopped, summary.notes) == ((), False, ())
        (source,) = project.sources()
        assert (source.kind, source.title, source.duration) == ("video", "film.mp4", pytest.approx(6.0, abs=0.05))
        frames = project.frames()
        assert [frame.time for frame in frames] == pytest.approx([1.0, 3.0, 5.0], abs=0.05)
        assert [frame.shot for frame in frames] == [0, 1, 2]
        assert [(frame.width, frame.height) for frame in frames] == [(640, 288)] * 3
        assert frames[0].caption == "PENNY: Raj is late again."
        assert [sorted(m.name for m in project.mentions(frame.id)) for frame in frames] == [
            ["Penny", "Raj"],
            ["Raj"],
            ["Penny", "Raj"],
        ]
        faces = project.faces(frames[2].id)
        assert 40 < faces[0].box.left < faces[0].box.right < 280 < 340 < faces[1].box.left < faces[1].box.right < 580
        for path in [frames[0].picture, faces[0].crop]:
            assert path is not None
            with Image.open(path) as picture:
                assert picture.format == "JPEG"
        vectors = project.embeddings()
        assert vectors.shape == (4, 512)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
        likeness = vectors @ vectors.T
        assert min(likeness[0, 2], likeness[1, 3]) > 0.9 > 0.5 > likeness[0, 1]  # the same photograph, and another person's


def test_faces_of_one_shot_share_a_track(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, finder=finder, sampling=Sampling.each(0.5))
        assert (summary.frames, summary.faces, summary.tracks) == (12, 16, 4)
        by_track: dict[int | None, set[int]] = {}
        for face in project.faces():
            by_track.setdefault(face.track, set()).add(face.frame)
        assert sorted(map(len, by_track.values())) == [4, 4, 4, 4]


def test_nothing_is_computed_twice(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    other = tmp_path / "other.srt"
    other.write_text(SRT.replace("is late", "is very late"))
    with project_at(tmp_path / "p") as project:
        ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder)
        assert finder.looked == 3
        summary = ingest_video(project, penny_and_raj, other, finder=finder)  # other words
        assert finder.looked == 3
        assert (summary.frames, summary.notes) == (1, ("2 frames of film.mp4 in the project already",))
        ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder, sampling=Sampling.each(1.0))
        assert finder.looked == 3 + 6  # at half past each second
        again = ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder)
        assert (again.frames, finder.looked) == (0, 9)
        assert "3 frames of film.mp4 in the project already" in again.text()


def test_a_stop_leaves_a_usable_project_and_the_rest_can_follow(
    penny_and_raj: Path, finder: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "BATCH", 2)
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(
            project, penny_and_raj, finder=finder, sampling=Sampling.each(0.5), stop=lambda: finder.looked >= 4
        )
        assert (summary.stopped, summary.frames) == (True, 4)
        assert "stopped before the end" in summary.text()
        assert project.run().faces == 4
        rest = ingest_video(project, penny_and_raj, finder=finder, sampling=Sampling.each(0.5))
        assert (rest.stopped, rest.frames, finder.looked) == (False, 8, 12)
        times = [frame.time for frame in project.frames()]
        assert len(times) == len(set(times)) == 12


def test_a_stop_before_anything_was_found_leaves_nothing(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        assert ingest_video(project, penny_and_raj, finder=finder, stop=lambda: True) == Summary(stopped=True)
    assert not (tmp_path / "p").exists()


def test_a_crash_adds_nothing_and_the_next_ingest_goes_on(
    penny_and_raj: Path, finder: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "BATCH", 2)

    def crash(looked: int) -> None:
        if looked > 4:
            raise RuntimeError("the power is gone")

    finder.after = crash
    Project.create(tmp_path / "p").close()
    with project_at(tmp_path / "p") as project:
        with pytest.raises(RuntimeError, match="power"):
            ingest_video(project, penny_and_raj, finder=finder, sampling=Sampling.each(0.5))
        assert project.sources() == project.frames() == project.faces() == []
    finder.looked, finder.after = 0, lambda looked: None
    with project_at(tmp_path / "p") as project:
        assert ingest_video(project, penny_and_raj, finder=finder, sampling=Sampling.each(0.5)).frames == 12
        assert finder.looked == 8


def test_a_full_disk_leaves_no_new_project_and_an_old_one_as_it_was(
    penny_and_raj: Path, finder: Counting, tmp_path: Path
) -> None:
    def full(looked: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    finder.after = full
    for folder in (tmp_path / "deep" / "new", tmp_path / "old"):
        if folder.name == "old":
            Project.create(folder).close()
        with pytest.raises(BadInput, match="the disk is full"), project_at(folder) as project:
            ingest_video(project, penny_and_raj, finder=finder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]
    with Project.open(tmp_path / "old") as project:
        assert project.sources() == []


def test_progress_is_told_in_stages(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    with project_at(tmp_path / "p") as project:
        ingest_video(project, penny_and_raj, finder=finder, progress=lambda *said: heard.append(said))
    stages = list(dict.fromkeys(stage for stage, _, _ in heard))
    assert stages == ["shots", "faces", "names", "saving"]
    for stage in stages:
        done = [(some, total) for said, some, total in heard if said == stage]
        assert done[-1][0] == done[-1][1]
        assert all(a[0] <= b[0] for a, b in pairwise(done))


def test_the_window_takes_captions_from_around_a_frame(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder, window=1.5)
        assert project.frames()[0].caption == "PENNY: Raj is late again.\nRAJ: I am not."
        with pytest.raises(BadInput, match="window"):
            ingest_video(project, penny_and_raj, finder=finder, window=-1.0)


def test_a_film_without_captions_has_people_without_names(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, finder=finder)
        assert (summary.frames, summary.faces, summary.names, summary.notes) == (3, 4, (), ())
        assert {frame.caption for frame in project.frames()} == {""}


def test_captions_that_name_nobody_are_told_of(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n00:00:00,200 --> 00:00:01,800\nIt is late again.\n")
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, path, finder=finder)
    assert summary.names == ()
    assert "the captions name nobody" in summary.text()


def test_captions_of_another_film_are_refused(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n01:00:00,000 --> 01:00:02,000\nPENNY: Too late.\n")
    with (
        pytest.raises(BadInput, match=r"begin at 1:00:00, but the video ends at 0:06") as error,
        project_at(tmp_path / "p") as project,
    ):
        ingest_video(project, penny_and_raj, path, finder=finder)
    assert str(error.value).startswith(f"{path}: ")
    assert not (tmp_path / "p").exists()
    path.write_text(f"{SRT}\n4\n00:00:09,000 --> 00:00:10,000\nThe end.\n")
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, path, finder=finder)
    assert summary.notes == ("1 caption after the end of the video",)


def test_a_film_without_a_face_is_refused_and_leaves_nothing(finder: Counting, tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", [plain((90, 120, 60))] * 30)
    with pytest.raises(BadInput, match="no face was found in 1 picture"), project_at(tmp_path / "p") as project:
        ingest_video(project, path, finder=finder)
    assert not (tmp_path / "p").exists()


def test_what_is_no_video_is_refused_and_leaves_nothing(finder: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_text("no video")
    with pytest.raises(BadInput, match="no video"), project_at(tmp_path / "p") as project:
        ingest_video(project, path, finder=finder)
    assert not (tmp_path / "p").exists()


def test_of_a_truncated_film_what_is_there_is_used(
    penny_and_raj: Path, data: Path, finder: Counting, tmp_path: Path
) -> None:
    person = scene(portrait(data, "penny"))
    frames = [np.roll(person, 2 * (k % 7), axis=1) for k in range(250)]
    whole = film(tmp_path / "whole.mkv", frames)
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, path, finder=finder)
        assert summary.faces == summary.frames > 0
    assert summary.notes[0].startswith("the video breaks off at 0:0")
    assert summary.notes[0].endswith("of 0:10")


def test_a_film_that_was_held_sideways_has_upright_faces(data: Path, finder: Counting, tmp_path: Path) -> None:
    lying = np.ascontiguousarray(np.rot90(scene(portrait(data, "penny")), 1))
    path = film(tmp_path / "a.mp4", [lying] * 30, rotation=-90)
    with project_at(tmp_path / "p") as project:
        assert ingest_video(project, path, finder=finder).faces == 1
        (frame,), (face,) = project.frames(), project.faces()
    assert (frame.width, frame.height) == (640, 288)
    assert 40 < face.box.left < face.box.right < 280


def test_several_films_share_one_project(penny_and_raj: Path, data: Path, finder: Counting, tmp_path: Path) -> None:
    second = film(tmp_path / "second.mp4", [scene(portrait(data, "raj", 2))] * 30)
    (tmp_path / "second.srt").write_text("1\n00:00:00,100 --> 00:00:01,000\nRAJ: Here I am.\n")
    with project_at(tmp_path / "p") as project:
        ingest_video(project, penny_and_raj, captions(penny_and_raj), finder=finder)
        ingest_video(project, second, tmp_path / "second.srt", finder=finder)
        assert [source.title for source in project.sources()] == ["film.mp4", "second.mp4"]
        assert project.names() == ["Penny", "Raj"]
        assert len({face.track for face in project.faces()}) == 5


def test_the_clip(data: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, data / "clip" / "scene_a.mp4", data / "clip" / "scene_a.srt", finder=finder)
        assert {"Monica", "Rachel", "Phoebe", "Chandler", "Joey", "Ross"} <= set(summary.names)
        frames = {frame.id: frame for frame in project.frames()}
        assert {frames[face.frame].shot for face in project.faces()} == set(range(12))


# --- Reference photos --------------------------------------------------------------------------------------------------


@pytest.fixture
def people(data: Path, tmp_path: Path) -> Path:
    (tmp_path / "people" / "Raj Koothrappali").mkdir(parents=True)
    shutil.copy(data / "photos" / "raj" / "raj2.png", tmp_path / "people" / "Raj Koothrappali")
    shutil.copy(data / "photos" / "penny" / "penny2.png", tmp_path / "people" / "penny.png")
    Image.fromarray(noisy(1)).save(tmp_path / "people" / "Nobody There.png")
    return tmp_path / "people"


def test_reference_photos_stand_in_for_captions(penny_and_raj: Path, people: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, people=people, finder=finder, who="Ada")
        assert set(summary.names) == {"Raj Koothrappali", "Penny"}
        assert summary.skipped == (("Nobody There.png", "no face was found on it"),)
        assert [source.title for source in project.sources()] == ["people", "film.mp4"]
        answered = {face.name: frame.frame.path for frame in project.labels(confirmed=True).frames for face in frame.faces}
        assert answered == {"Penny": "penny.png", "Raj Koothrappali": "Raj Koothrappali/raj2.png"}
        assert project.annotators() == ["Ada"]


def test_people_are_known_by_two_photos_each(photos: Path, data: Path, finder: Counting, tmp_path: Path) -> None:
    for picture in (data / "photos").glob("*/*.png"):
        folder = tmp_path / ("people" if picture.stem[-1] in "12" else "album") / picture.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, folder)
    with project_at(tmp_path / "p") as project:
        shutil.copytree(photos / "cache", project.cache)
        summary = ingest_pictures(project, tmp_path / "album", people=tmp_path / "people", finder=finder)
        assert (summary.frames, len(summary.names), finder.looked) == (40, 8, 0)
        project.run()
        found = [frame for frame in project.labels().frames if frame.source.title == "album"]
        right = [frame.frame.path.split("/")[0] in [face.name.lower() for face in frame.faces] for frame in found]
    assert len(right) == 24
    assert sum(right) >= 22


def test_reference_photos_help_captions(penny_and_raj: Path, people: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_video(project, penny_and_raj, captions(penny_and_raj), people=people, finder=finder)
        assert summary.merges == (("Raj", "Raj Koothrappali"),)
        assert set(project.names()) == {"Raj Koothrappali", "Penny"}
        again = ingest_video(
            project, penny_and_raj, captions(penny_and_raj), people=people, finder=finder, sampling=Sampling.each(2.0)
        )
        assert again.merges == ()  # known already
        assert [source.title for source in project.sources()] == ["people", "film.mp4"]  # the same moments, the same photos
