"""The cache gives back what it was given, by content and kind of finder, and survives damage."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.cache import FOLDER, Cache, Seen
from core.media.faces.kinds import Found
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
    cache = Cache(tmp_path, "a kind")
    assert not cache.has("x")
    cache.put([("x", Seen(640, 360, faces, b"picture")), ("y", Seen(1, 2, [], b""))])
    cache = Cache(tmp_path, "a kind")  # it is on the disk
    seen = cache.get("x")
    assert (seen.width, seen.height, seen.picture) == (640, 360, b"picture")
    assert all(same(a, b) for a, b in zip(seen.faces, faces, strict=True))
    assert all(same(a, b, crop=False) for a, b in zip(cache.faces("x"), faces, strict=True))
    assert cache.has("y", shown=False)
    assert not cache.has("y")  # it has no picture to show
    assert list(cache.get("y").faces) == []


def test_results_of_another_finder_are_not_taken(tmp_path: Path) -> None:
    Cache(tmp_path, "one").put([("x", Seen(1, 1, [], b""))])
    assert not Cache(tmp_path, "another").has("x")


def test_a_timeline_comes_back(tmp_path: Path) -> None:
    times = np.arange(5) * 0.04
    timeline = Timeline(np.arange(5), times, np.arange(5) == 0, np.array([0.1]), 0.2, 3, True)
    cache = Cache(tmp_path, "a kind")
    assert cache.timeline("x") is None
    cache.put_timeline("x", timeline)
    found = cache.timeline("x")
    assert found is not None
    assert found.times.tolist() == times.tolist()
    assert found.keys.tolist() == [True, False, False, False, False]
    assert (found.cuts.tolist(), found.duration, found.damaged, found.counted) == ([0.1], 0.2, 3, True)


def test_what_was_cut_short_was_not_seen(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "a kind")
    cache.put([("x", Seen(1, 1, [face(1)], b"picture"))])
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    assert not cache.has("x")


def test_what_is_damaged_is_told_in_one_sentence_and_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "a kind")
    cache.put([("x", Seen(1, 1, [face(1)], b"picture"))])
    (file,) = (tmp_path / FOLDER).iterdir()
    content = bytearray(file.read_bytes())
    content[content.index(face(1).embedding.tobytes())] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadInput, match="damaged and was removed"):
        cache.get("x")
    assert not cache.has("x")


def test_what_another_version_kept_is_removed(tmp_path: Path) -> None:
    (tmp_path / "media.sqlite").write_bytes(b"a cache of an earlier Rollcall")
    (tmp_path / "media-2").mkdir()
    (tmp_path / "job.log").write_bytes(b"")
    Cache(tmp_path, "a kind")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job.log", FOLDER]


def test_a_disk_that_refuses_is_told_in_one_sentence(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "a kind")
    (tmp_path / FOLDER).rmdir()
    with pytest.raises(BadInput, match="cannot be written"):
        cache.put([("x", Seen(1, 1, [], b""))])
    (tmp_path / FOLDER).write_bytes(b"")
    with pytest.raises(BadInput, match="cannot be written"):
        Cache(tmp_path, "a kind")


def test_no_link_is_written_through(tmp_path: Path) -> None:
    """A project may come from somebody else, and what lies in its cache as well."""
    cache, outside = Cache(tmp_path, "a kind"), tmp_path / "outside"
    cache.put([("x", Seen(1, 1, [], b""))])
    (file,) = (tmp_path / FOLDER).iterdir()
    file.unlink()
    outside.write_bytes(b"somebody's own")
    file.symlink_to(outside)
    cache.put([("x", Seen(1, 1, [], b""))])
    assert outside.read_bytes() == b"somebody's own"
    assert cache.has("x", shown=False)


def test_two_threads_may_write_at_once(tmp_path: Path) -> None:
    """Faces are found in one thread and texts are read in another."""
    cache = Cache(tmp_path, "x")

    def write(number: int) -> None:
        for k in range(60):
            cache.put_note(f"kind {number}", str(k), f"{number} {k}" * 500)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert all(cache.note(f"kind {n}", str(k)) == f"{n} {k}" * 500 for n in range(4) for k in range(60))
    assert cache.note("kind 9", "0") is None
    assert not list(tmp_path.rglob("*.part"))


def test_faces_that_are_remembered_are_those_on_the_disk(tmp_path: Path) -> None:
    faces = [replace(face(k), box=Box(1 / 3, 2 / 3, 10 / 3, 20 / 3), score=0.1) for k in range(3)]  # no float32
    cache = Cache(tmp_path, "a kind", remembers=True)
    cache.put([("x", Seen(640, 360, faces, b"picture"))])
    read, remembered = Cache(tmp_path, "a kind").faces("x"), cache.faces("x")
    assert all(same(a, b) for a, b in zip(read, remembered, strict=True))
    assert all(a.quality == b.quality and not b.crop for a, b in zip(read, remembered, strict=True))
    for path in (tmp_path / FOLDER).iterdir():
        path.unlink()
    assert len(cache.faces("x")) == 3  # without reading them
    assert not cache.has("x", shown=False)
