"""The sound of a film comes in blocks at its true times; what is damaged is left out."""

from pathlib import Path

import numpy as np

from core.media.speech import sound
from core.media.speech.kinds import RATE
from core.media.speech.sound import blocks
from tests.core.media.films import film, plain
from tests.core.media.speech.spoken import film_with, silence


def test_blocks_follow_each_other(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sound, "BLOCK", 2.0)
    loud = np.concatenate([silence(3), np.sin(np.arange(2 * RATE) / 5).astype(np.float32)])
    parts = list(blocks(film_with(tmp_path / "film.mp4", loud)))
    assert len(parts) == 3
    starts = [start for start, _ in parts]
    assert starts == [sum(len(part) for _, part in parts[:k]) / RATE for k in range(3)]
    whole = np.concatenate([part for _, part in parts])
    assert abs(np.flatnonzero(np.abs(whole) > 0.3)[0] / RATE - 3.0) < 0.1


def test_no_sound_gives_no_blocks(tmp_path: Path) -> None:
    assert list(blocks(film(tmp_path / "mute.mp4", [plain((9, 9, 9))] * 5))) == []


def test_a_film_that_is_cut_off_gives_what_is_there(tmp_path: Path) -> None:
    loud = np.sin(np.arange(6 * RATE) / 5).astype(np.float32)
    path = film_with(tmp_path / "film.mkv", loud)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    assert 1.0 < sum(len(part) for _, part in blocks(path)) / RATE < 6.0
