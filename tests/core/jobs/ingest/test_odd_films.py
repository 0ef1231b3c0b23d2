"""Films that nobody thought of: they are taken in, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.ingest import Summary
from core.records import Track
from core.store.tables import track_table
from tests.core.jobs.ingest.people import Counting
from tests.core.media.films import film, noisy, plain, sound
from tests.core.media.portraits import PEOPLE, portrait
from tests.core.media.pretended import pretended_finder

RED, BLUE = plain((200, 40, 40)), plain((40, 40, 200))


def taken_in(folder: Path, video: Path) -> tuple[Summary, list[Track]]:
    """With a finder for which every picture that is not black is a face."""
    with project_at(folder / "p") as project:
        summary = ingest(project, IngestVideo(video), finder=pretended_finder())
        return summary, track_table.read(project.database)


def test_a_still_is_one_track_whatever_the_compression(tmp_path: Path) -> None:
    summary, (track,) = taken_in(tmp_path, film(tmp_path / "still.mp4", [RED] * 200, rate=10))
    assert (track.start, track.stop) == (0.0, pytest.approx(20.0, abs=0.2))
    assert summary.frames in (4, 5)  # one stands for five seconds at the most


def test_a_still_whose_frames_are_a_minute_long(tmp_path: Path) -> None:
    times = [60.0 * k for k in range(5)]
    summary, (track,) = taken_in(tmp_path, film(tmp_path / "slow.mp4", [RED] * 5, times))
    assert summary.frames == 5
    assert track.stop - track.start >= 240.0


def test_a_track_has_true_times_where_the_frame_rate_varies(tmp_path: Path) -> None:
    times = [*np.arange(0, 2, 0.04), *np.arange(2.0, 4.0, 0.2)]
    frames = [RED if time < 3.0 else plain((0, 0, 0)) for time in times]
    _, (track,) = taken_in(tmp_path, film(tmp_path / "varies.mp4", frames, times))
    assert (track.start, track.stop) == (0.0, pytest.approx(3.0, abs=0.15))


def test_an_interlaced_film(tmp_path: Path) -> None:
    combed = RED.copy()
    combed[1::2] = np.roll(RED, 8, axis=1)[1::2]
    options = {"flags": "+ildct+ilme", "qp": "4", "x264-params": "tff=1"}
    summary, tracks = taken_in(tmp_path, film(tmp_path / "interlaced.mp4", [combed] * 50, options=options))
    assert (summary.frames, len(tracks)) == (1, 1)


def test_a_cut_every_half_second(tmp_path: Path) -> None:
    shots = [noisy(seed) for seed in range(40)]
    summary, tracks = taken_in(tmp_path, film(tmp_path / "cuts.mp4", [shot for shot in shots for _ in range(6)], rate=10))
    assert 30 <= len(tracks) <= 40
    assert summary.frames == len(tracks)
    assert sum(track.stop - track.start for track in tracks) == pytest.approx(24.0, abs=0.5)


def test_a_film_that_flickers_is_taken_in(tmp_path: Path) -> None:
    frames = [RED if k % 2 else plain((255, 255, 255)) for k in range(100)]
    summary, tracks = taken_in(tmp_path, film(tmp_path / "strobe.mp4", frames))
    assert not summary.skipped
    assert tracks
    assert max(track.stop for track in tracks) == pytest.approx(4.0, abs=0.1)


def test_a_track_that_is_cut_off_ends_with_the_film(tmp_path: Path) -> None:
    whole = film(tmp_path / "whole.ts", [RED] * 100)
    cut = tmp_path / "cut.ts"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 6 // 10])
    _, (track,) = taken_in(tmp_path, cut)
    assert 1.0 < track.stop < 4.0


def test_sound_alone_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="only sound"):
        taken_in(tmp_path, sound(tmp_path / "song.m4a"))
    assert not (tmp_path / "p").exists()


def test_a_face_that_fills_the_picture(counted: Counting, tmp_path: Path) -> None:
    close = np.repeat(np.repeat(portrait("Ada")[40:200, 40:200], 5, axis=0), 5, axis=1)
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(film(tmp_path / "close.mp4", [close] * 25)), finder=counted)
    assert (summary.faces, summary.tracks) == (1, 1)


def test_a_crowd(counted: Counting, tmp_path: Path) -> None:
    """24 people, of whom six are there four times: nobody is joined with anybody."""
    rows = [np.concatenate([portrait(who, sitting)[::2, ::2] for who in PEOPLE], axis=1) for sitting in range(1, 5)]
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(film(tmp_path / "crowd.mp4", [np.concatenate(rows)] * 15)), finder=counted)
    assert (summary.faces, summary.tracks) == (24, 24)
