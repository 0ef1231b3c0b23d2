"""From films to a project, with the real networks."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from tests.core.jobs.ingest.people import Counting, captions
from tests.core.media.films import film, plain
from tests.core.media.portraits import drawn_clip, portrait, scene


def test_a_film_becomes_frames_faces_and_names(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno)), finder=counted)
        assert (summary.frames, summary.faces, summary.tracks, summary.names) == (3, 4, 4, ("Ada", "Bruno"))
        assert (summary.skipped, summary.stopped, summary.notes) == ((), False, ())
        (source,) = project.sources()
        assert (source.kind, source.title, source.duration) == ("video", "film.mp4", pytest.approx(6.0, abs=0.05))
        frames = project.frames()
        assert [frame.time for frame in frames] == pytest.approx([1.0, 3.0, 5.0], abs=0.05)
        assert [frame.shot for frame in frames] == [0, 1, 2]
        assert [(frame.width, frame.height) for frame in frames] == [(640, 288)] * 3
        assert frames[0].caption == "ADA: Bruno is late again."
        assert [sorted(m.name for m in project.mentions(frame.id)) for frame in frames] == [
            ["Ada", "Bruno"],
            ["Bruno"],
            ["Ada", "Bruno"],
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


def test_faces_of_one_shot_share_a_track(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted)
        assert (summary.frames, summary.faces, summary.tracks) == (12, 16, 4)
        by_track: dict[int | None, set[int]] = {}
        for face in project.faces():
            by_track.setdefault(face.track, set()).add(face.frame)
        assert sorted(map(len, by_track.values())) == [4, 4, 4, 4]


def test_progress_is_told_in_stages(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(ada_and_bruno), finder=counted, progress=lambda *said: heard.append(said))
    stages = list(dict.fromkeys(stage for stage, _, _ in heard))
    assert stages == ["shots", "faces", "names", "saving"]
    for stage in stages:
        done = [(some, total) for said, some, total in heard if said == stage]
        assert done[-1][0] == done[-1][1]
        assert all(a[0] <= b[0] for a, b in pairwise(done))


def test_a_film_without_a_face_is_refused_and_leaves_nothing(counted: Counting, tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", [plain((90, 120, 60))] * 30)
    with pytest.raises(BadInput, match="no face was found in 1 frame"), project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(path), finder=counted)
    assert not (tmp_path / "p").exists()


def test_what_is_no_video_is_refused_and_leaves_nothing(counted: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_text("no video")
    with pytest.raises(BadInput, match="no video"), project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(path), finder=counted)
    assert not (tmp_path / "p").exists()


def test_of_a_truncated_film_what_is_there_is_used(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    person = scene(portrait("Ada"))
    frames = [np.roll(person, 2 * (k % 7), axis=1) for k in range(250)]
    whole = film(tmp_path / "whole.mkv", frames)
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(path), finder=counted)
        assert summary.faces == summary.frames > 0
    assert summary.notes[0].startswith("the video breaks off at 0:0")
    assert summary.notes[0].endswith("of 0:10")


def test_a_film_that_was_held_sideways_has_upright_faces(counted: Counting, tmp_path: Path) -> None:
    lying = np.ascontiguousarray(np.rot90(scene(portrait("Ada")), 1))
    path = film(tmp_path / "a.mp4", [lying] * 30, rotation=-90)
    with project_at(tmp_path / "p") as project:
        assert ingest(project, IngestVideo(path), finder=counted).faces == 1
        (frame,), (face,) = project.frames(), project.faces()
    assert (frame.width, frame.height) == (640, 288)
    assert 40 < face.box.left < face.box.right < 280


def test_several_films_share_one_project(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    second = film(tmp_path / "second.mp4", [scene(portrait("Bruno", 2))] * 30)
    (tmp_path / "second.srt").write_text("1\n00:00:00,100 --> 00:00:01,000\nBRUNO: Here I am.\n")
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno)), finder=counted)
        ingest(project, IngestVideo(second, tmp_path / "second.srt"), finder=counted)
        assert [source.title for source in project.sources()] == ["film.mp4", "second.mp4"]
        assert project.names() == ["Ada", "Bruno"]
        assert len({face.track for face in project.faces()}) == 5


def test_every_shot_of_a_clip_has_faces_and_every_speaker_a_name(counted: Counting, tmp_path: Path) -> None:
    """Real films are taken in and scored by ``benchmarks.films``."""
    video = drawn_clip(tmp_path)
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(video, captions(video)), finder=counted)
        assert {"Ada", "Bruno", "Cleo", "Greta"} <= set(summary.names)
        frames = {frame.id: frame for frame in project.frames()}
        assert {frames[face.frame].shot for face in project.faces()} == set(range(4))
