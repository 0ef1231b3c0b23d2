"""The cache gives back what it was given, by content and kind of finder, and survives damage."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.cache import FILE, Cache, Seen
from core.media.faces.finder import Found
from core.media.video.reader import Timeline
from core.records import Box


def face(seed: int, mark: str = "") -> Found:
    draw = np.random.default_rng(seed)
    return Found(
        box=Box(*draw.uniform(0, 99, 4).astype(np.float32).tolist()),
        score=float(np.float32(draw.uniform())),
        landmarks=draw.uniform(0, 99, (5, 2)).astype(np.float32),
        mark=mark,  # type: ignore[arg-type]
        quality=float(np.float32(draw.uniform())),
        embedding=draw.normal(size=16).astype(np.float32),
        small=draw.integers(0, 256, (40, 40), dtype=np.uint8),
        crop=draw.bytes(50 + seed),
    )


def same(one: Found, other: Found, crop: bool = True) -> bool:
    return (
        (one.box, one.score, one.mark) == (other.box, other.score, other.mark)
        and np.array_equal(one.landmarks, other.landmarks)
        and np.array_equal(one.embedding, other.embedding)
        and (not crop or one.crop == other.crop)
    )


def test_what_was_seen_comes_back(tmp_path: Path) -> None:
    faces = [face(1), face(2, "small"), face(3, "blurred")]
    with Cache(tmp_path, "a kind") as cache:
        assert not cache.has("x")
        cache.put([("x", Seen(640, 360, faces, b"picture")), ("y", Seen(1, 2, [], b""))])
    with Cache(tmp_path, "a kind") as cache:  # it is on the disk
        seen = cache.get("x")
        assert (seen.width, seen.height, seen.picture) == (640, 360, b"picture")
        assert all(same(a, b) for a, b in zip(seen.faces, faces, strict=True))
        assert all(same(a, b, crop=False) for a, b in zip(cache.faces("x"), faces, strict=True))
        assert cache.has("y")
        assert list(cache.get("y").faces) == []


def test_results_of_another_finder_are_not_taken(tmp_path: Path) -> None:
    with Cache(tmp_path, "one") as cache:
        cache.put([("x", Seen(1, 1, [], b""))])
    with Cache(tmp_path, "another") as cache:
        assert not cache.has("x")


def test_a_timeline_comes_back(tmp_path: Path) -> None:
    times = np.arange(5) * 0.04
    timeline = Timeline(np.arange(5), times, np.arange(5) == 0, np.array([0.1]), 0.2, 3, True)
    with Cache(tmp_path, "a kind") as cache:
        assert cache.timeline("x") is None
        cache.put_timeline("x", timeline)
        found = cache.timeline("x")
    assert found is not None
    assert found.times.tolist() == times.tolist()
    assert found.keys.tolist() == [True, False, False, False, False]
    assert (found.cuts.tolist(), found.duration, found.damaged, found.counted) == ([0.1], 0.2, 3, True)


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database at all" * 100)
    with Cache(tmp_path, "a kind") as cache:
        cache.put([("x", Seen(1, 1, [], b""))])
        assert cache.has("x")


def test_a_full_disk_is_told_in_one_sentence(tmp_path: Path) -> None:
    with Cache(tmp_path, "a kind") as cache:
        cache._connection.execute("PRAGMA max_page_count = 20")  # SQLite's own way of having no room left
        with pytest.raises(BadInput, match="the disk is full"):
            cache.put([("x", Seen(1, 1, [], bytes(1_000_000)))])
        assert not cache.has("x")
