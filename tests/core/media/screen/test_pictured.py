"""Subtitles that are pictures: drawn, timed, read and kept; damaged ones cost nothing else."""

from pathlib import Path

import av
import numpy as np
import pytest

from core.media.cache import Cache
from core.media.captions.streams import has_pictures
from core.media.screen.pictured import LASTS, _guessed, palette, pictured_lines
from core.media.screen.registry import READER, READERS
from core.media.video.reader import probe
from core.progress import silent
from tests.core.media.films import film, plain
from tests.core.media.screen.dvd import with_dvd_subtitles
from tests.core.media.screen.encoded import encoded_as
from tests.core.media.screen.pgs import with_subtitles
from tests.core.media.screen.written import Told

LINES = [(0.5, 1.5, "ANNA: Where is Marcus?"), (2.0, 3.4, "He left with Priya.")]


@pytest.fixture(scope="module")
def subtitled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("subtitled")
    return with_subtitles(film(folder / "film.mp4", [plain((60, 60, 60))] * 100), LINES, folder / "film.mkv")


def test_each_is_read_once_and_kept(subtitled: Path, tmp_path: Path) -> None:
    assert has_pictures(subtitled)
    reader = Told(texts=("Where is Marcus?",))
    cache = Cache(tmp_path, "x")
    for _ in range(2):
        found = pictured_lines(reader, cache, subtitled, "content", 4.0, silent, lambda: False)
        assert found is not None
        assert [(round(line.start, 1), round(line.stop, 1), line.kind) for line in found] == [
            (0.5, 1.5, "subtitles"),
            (2.0, 3.4, "subtitles"),
        ]
    assert len(reader.seen) == 2
    ink = reader.seen[0]
    assert ink.max() > 200
    assert ink.min() == 40
    box = found[0].box
    assert box is not None
    assert 250 < box.top < box.bottom < 360  # where it stands on the film


def test_a_dvd_is_read_as_it_stands(tmp_path: Path) -> None:
    """By the reader itself; until when a subtitle stays is told in its picture."""
    plain_film = film(tmp_path / "film.mp4", [plain((60, 60, 60))] * 100)
    dvd = with_dvd_subtitles(plain_film, LINES, tmp_path / "film.mkv")
    assert has_pictures(dvd)
    found = pictured_lines(READERS[READER](), Cache(tmp_path, "x"), dvd, "content", 4.0, silent, lambda: False)
    assert found is not None
    assert [(round(line.start, 1), round(line.stop, 1), line.text) for line in found] == LINES


@pytest.mark.parametrize(("codec", "name"), [("dvdsub", "a.mkv"), ("dvdsub", "a.mp4"), ("dvbsub", "a.mkv")])
def test_what_the_encoders_of_dvds_and_broadcasts_write_is_read(codec: str, name: str, tmp_path: Path) -> None:
    plain_film = film(tmp_path / "film.mp4", [plain((60, 60, 60))] * 100, options={"bf": "0"})
    path = encoded_as(codec, with_dvd_subtitles(plain_film, LINES, tmp_path / "dvd.mkv"), tmp_path / name)
    found = pictured_lines(READERS[READER](), Cache(tmp_path, "x"), path, "content", 4.0, silent, lambda: False)
    assert found is not None
    assert [(round(line.start, 1), round(line.stop, 1), line.text) for line in found] == LINES


def test_one_that_stays_for_ever_stays_for_some_seconds(tmp_path: Path) -> None:
    """It goes when the next one comes; and the film is no longer for it."""
    plain_film = film(tmp_path / "film.mp4", [plain((60, 60, 60))] * 100, options={"bf": "0"})
    stays = [(start, start + 600, text) for start, _, text in LINES]
    dvd = with_dvd_subtitles(plain_film, stays, tmp_path / "dvd.mkv")
    path = encoded_as("dvdsub", dvd, tmp_path / "film.mkv", for_ever=True)
    found = pictured_lines(Told(texts=("Marcus",)), Cache(tmp_path, "x"), path, "content", 4.0, silent, lambda: False)
    assert found is not None
    assert [(round(line.start, 1), round(line.stop, 1)) for line in found] == [(0.5, 2.0), (2.0, 2.0 + LASTS)]
    with av.open(str(path)) as container:
        assert (container.duration or 0) / av.time_base > 1e6
    assert probe(path).duration == 0  # not told


def test_it_can_be_stopped(subtitled: Path, tmp_path: Path) -> None:
    reader = Told()
    assert pictured_lines(reader, Cache(tmp_path, "x"), subtitled, "c", 4.0, silent, lambda: True) is None
    assert not reader.seen


def test_a_damaged_stream_gives_what_can_be_read(subtitled: Path, tmp_path: Path) -> None:
    content = bytearray(subtitled.read_bytes())
    for place in range(len(content) // 3, len(content) - 200, 97):
        content[place] ^= 0x55
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(content)
    found = pictured_lines(Told(), Cache(tmp_path, "x"), broken, "c", 4.0, silent, lambda: False)
    assert found is not None
    assert len(found) <= 4


def test_a_film_without_them_has_none(tmp_path: Path) -> None:
    video = film(tmp_path / "film.mp4", [plain((60, 60, 60))] * 5)
    assert not has_pictures(video)
    assert pictured_lines(Told(), Cache(tmp_path, "x"), video, "c", 1.0, silent, lambda: False) == []


def test_colours_that_are_not_told_are_guessed() -> None:
    """As on DVDs: letters of one colour with an outline of another."""
    index = np.full((20, 60), 3, np.uint8)
    index[4:16, 10:50] = 2
    index[6:14, 12:48] = 1
    inks = _guessed(index)
    assert inks[1].tolist() == [1, 1]
    assert inks[[2, 3]].tolist() == [[0, 0], [0, 0]]


def test_a_palette_that_makes_no_sense_changes_nothing() -> None:
    before = np.zeros((256, 2), np.float32)
    for packet in (b"", b"\x14", b"\x14\xff\xff", b"\x14\x00\x04\x00\x00\x01\x02", bytes(40)):
        assert not palette(packet, before).any()
    assert palette(b"\x14\x00\x07\x00\x00\x05\xff\x80\x80\xff", before)[5].tolist() == [1, 1]
