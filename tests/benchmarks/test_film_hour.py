"""The long film is as long as it should be, no part of it is there twice, and its captions are those of its parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import film_hour
from benchmarks.film_hour import HEIGHT, RATE, duration, enlarge, make, parts, subtitles
from benchmarks.film_truth import Film
from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from core.media.video.reader import probe
from tests.core.media.films import film, noisy

SECONDS = 7.0


@pytest.fixture
def clips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Film]:
    """Two clips of three seconds in which somebody says something every half second."""
    monkeypatch.setattr(film_hour, "SHORTEST", 1.0)
    made = []
    for number, name in enumerate(("one", "two")):
        video = film(tmp_path / f"{name}.mp4", [noisy(10 * number + k // 10) for k in range(60)], rate=20)
        video.with_suffix(".srt").write_text(subtitles([Line(k / 2, k / 2 + 0.4, f"{name} {k}", "ANN") for k in range(6)]))
        made.append(Film(name, video, video.with_suffix(".srt"), None))
    return made


def test_parts_fill_the_time_and_are_all_different(clips: list[Film]) -> None:
    found = list(parts(clips, 100.0))
    assert sum(part.stop - part.start for part in found) == pytest.approx(100.0)
    assert all(0 <= part.start < part.stop <= duration(part.film.video) + 1e-6 for part in found)
    assert len({(part.film.name, part.start, part.closer, part.lighter) for part in found}) == len(found)
    assert {part.mirrored for part in found} == {True, False}
    assert found == list(parts(clips, 100.0))


def test_a_mirrored_part_is_turned_and_a_lighter_one_is_lighter(clips: list[Film]) -> None:
    plain = film_hour.Part(clips[0], 0, 1, False, 1.0, (0, 0), 1.0)
    turned = film_hour.Part(clips[0], 0, 1, True, 1.0, (0, 0), 1.1)
    picture = np.repeat(np.arange(0, 160, dtype=np.uint8)[None, :, None], 96, axis=0).repeat(3, axis=2)
    assert np.array_equal(plain.changed(picture, 160, 96), picture)
    expected = np.round(picture[:, ::-1] * 1.1).astype(int)
    assert np.abs(turned.changed(picture, 160, 96) - expected).max() <= 1


def test_the_film_has_its_length_its_captions_and_its_other_size(clips: list[Film], tmp_path: Path) -> None:
    make(tmp_path, clips, SECONDS)
    enlarge(tmp_path, 2 * HEIGHT)
    small, large = (tmp_path / f"hour-{height}.mp4" for height in (HEIGHT, 2 * HEIGHT))
    assert duration(small) == pytest.approx(SECONDS, abs=2 / RATE)
    assert duration(large) == pytest.approx(duration(small))
    assert probe(large).height == 2 * HEIGHT
    lines = read_captions(large.with_suffix(".srt"))
    assert {line.speaker for line in lines} == {"ANN"}
    starts = [line.start for line in lines]
    assert starts == sorted(starts)
    assert len(lines) >= SECONDS  # two a second were said, less what began before its part
