"""Media alone, without a project: pictures and films become records, which anybody may take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.media.faces.finder import FaceFinder
from core.media.ingest import Summary, look_at_pictures, look_at_video, prepared, working
from core.media.looking import Finder
from core.media.prepare import Names
from core.media.video.sampling import Sampling
from core.media.work import Held, Looking, Work
from core.progress import silent
from core.records import Frame, NewFrame, Source
from tests.core.media.films import film, plain
from tests.core.media.pretended import pretended_finder

SRT = "1\n00:00:00,100 --> 00:00:00,900\nANN: Hi, Bob.\n\n2\n00:00:01,100 --> 00:00:01,900\nBOB: Hi.\n"


@pytest.fixture(scope="module")
def colours() -> FaceFinder:
    return pretended_finder()


def at_work(folder: Path, finder: FaceFinder, held: Held | None = None, stop: Callable[[], bool] = lambda: False) -> Work:
    return working(folder / "cache", lambda: held or Held(), silent, stop, Finder(finder))


@pytest.fixture
def album(tmp_path: Path) -> Path:
    (tmp_path / "album").mkdir()
    for name, colour in (("ann.png", (200, 10, 10)), ("bob.png", (10, 200, 10)), ("black.png", (0, 0, 0))):
        Image.fromarray(plain(colour)).save(tmp_path / "album" / name)
    (tmp_path / "table.csv").write_text("image,caption\nann.png,Ann Lee waits.\nbob.png,Bob and Ann.\nnone.png,Bob.\n")
    return tmp_path / "album"


def recorded(work: Work, album: Path, table: Path | None, names: Names | None = None) -> tuple[list[NewFrame], Summary]:
    material = look_at_pictures(work, album, table, None, None)
    added = prepared(work, material, names or Names())
    assert added is not None
    return [frame for part in added.parts for frame in added.frames(part)], material.summary(added)


def test_pictures_become_records(album: Path, colours: FaceFinder, tmp_path: Path) -> None:
    work = at_work(tmp_path, colours)
    frames, summary = recorded(work, album, tmp_path / "table.csv")
    assert [(frame.path, frame.caption) for frame in frames[2:]] == [("black.png", "")]  # the table does not list it
    frames = frames[:2]
    assert [frame.path for frame in frames] == ["ann.png", "bob.png"]
    assert [[face.track for face in frame.faces] for frame in frames] == [[None], [None]]
    assert all(frame.picture and frame.faces[0].crop for frame in frames)
    assert frames[0].faces[0].embedding @ frames[1].faces[0].embedding < 0.5
    assert (summary.frames, summary.faces, summary.uncaptioned) == (3, 2, 1)
    assert summary.skipped == (("none.png", "it is not there"),)
    assert summary.merges == (("Ann", "Ann Lee"),)
    assert summary.names == ("Ann Lee", "Bob")


def test_names_that_were_settled_before_are_not_merged_again(album: Path, colours: FaceFinder, tmp_path: Path) -> None:
    work = at_work(tmp_path, colours)
    _, summary = recorded(work, album, tmp_path / "table.csv", Names(["Ann", "Ann Lee"], {"Ann", "Ann Lee"}))
    assert summary.merges == ()
    work = at_work(tmp_path, colours)
    _, summary = recorded(work, album, tmp_path / "table.csv", Names(["Robert Bob Hill"], {"Robert Bob Hill"}))
    assert ("Ann", "Ann Lee") in summary.merges


def test_frames_that_are_held_already_do_not_come_again(album: Path, colours: FaceFinder, tmp_path: Path) -> None:
    source = Source(4, "pictures", str(album), "album", "", None)
    frame = Frame(9, 4, None, "ann.png", 0, 0, "Ann Lee waits.", None, None)
    work = at_work(tmp_path, colours, Held([source], [frame]))
    frames, summary = recorded(work, album, tmp_path / "table.csv")
    assert [frame.path for frame in frames] == ["bob.png", "black.png"]
    assert summary.notes == ("1 frame of album in the project already",)


def test_nothing_new_is_no_record(album: Path, colours: FaceFinder, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("image,caption\nann.png,Ann.\n")
    for name in ("bob.png", "black.png"):
        (album / name).unlink()
    source = Source(4, "pictures", str(album), "album", "", None)
    held = Held([source], [Frame(9, 4, None, "ann.png", 0, 0, "Ann.", None, None)])
    work = at_work(tmp_path, colours, held)
    material = look_at_pictures(work, album, tmp_path / "table.csv", None, None)
    assert prepared(work, material, Names()) is None
    assert material.summary().text().endswith("1 frame of album in the project already")


def test_what_shows_no_face_is_refused(album: Path, colours: FaceFinder, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("image,caption\nblack.png,Ann.\n")
    for name in ("ann.png", "bob.png"):
        (album / name).unlink()
    work = at_work(tmp_path, colours)
    material = look_at_pictures(work, album, tmp_path / "table.csv", None, None)
    with pytest.raises(BadInput, match="no face was found in 1 picture"):
        prepared(work, material, Names())


def test_a_film_becomes_records_with_times_shots_and_tracks(colours: FaceFinder, tmp_path: Path) -> None:
    video = film(tmp_path / "film.mp4", [plain((200, 20, 20))] * 25 + [plain((20, 20, 200))] * 25)
    (tmp_path / "film.srt").write_text(SRT)
    work = at_work(tmp_path, colours)
    material = look_at_video(work, video, tmp_path / "film.srt", None, None, Looking(Sampling.each(0.25), screen=False))
    added = prepared(work, material, Names())
    assert added is not None
    (part,) = added.parts
    frames = list(added.frames(part))
    assert (part.source.kind, part.source.title) == ("video", "film.mp4")
    assert [frame.shot for frame in frames] == [0] * 4 + [1] * 4
    tracks = [face.track for frame in frames for face in frame.faces]
    assert len(set(tracks[:4])) == len(set(tracks[4:])) == 1
    assert tracks[0] != tracks[-1]
    assert added.tracks == 2
    assert {mention.name for frame in frames[:4] for mention in frame.mentions} == {"Ann", "Bob"}


def test_somebody_who_is_in_view_only_before_a_line_has_a_frame_too(colours: FaceFinder, tmp_path: Path) -> None:
    """A shot is never shorter than half a second, so that the red picture and the blue one are one shot here."""
    video = film(tmp_path / "film.mp4", [plain((200, 40, 0))] * 10 + [plain((0, 40, 200))] * 75)
    (tmp_path / "film.srt").write_text("1\n00:00:02,000 --> 00:00:03,000\nAnn: Hello!\n")
    work = at_work(tmp_path, colours)
    material = look_at_video(work, video, tmp_path / "film.srt", None, None, Looking(Sampling(), screen=False))
    part = material.gathered[-1].part
    assert part.tracked is not None
    assert part.tracked.many == 2
    shown = [set(part.tracked.at(moment.place).values()) for moment in part.moments]
    assert [(moment.caption, tracks) for moment, tracks in zip(part.moments, shown, strict=True)] == [
        ("", {0}),
        ("Ann: Hello!", {1}),
    ]


def test_a_stop_before_the_first_frame_leaves_nothing(colours: FaceFinder, tmp_path: Path) -> None:
    video = film(tmp_path / "film.mp4", [plain((200, 20, 20))] * 25)
    work = at_work(tmp_path, colours, stop=lambda: True)
    material = look_at_video(work, video, None, None, None, Looking(Sampling(), screen=False))
    assert prepared(work, material, Names()) is None
    assert material.summary() == Summary(stopped=True)
