"""Bombs: small files that claim, or unpack to, far too much. Each is refused in a sentence before it gets memory."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import BadInput
from core.formats import read_problem
from core.formats.read import matlab
from core.formats.read.arrays import FREE, Arrays, load_array, most_unpacked
from core.formats.read.benchmarks import rows_of
from core.media.pictures import Unreadable, shelf

LITTLE = 16 << 20  # bytes that a refusal may take
NAMES = np.array(["Ross"])
CANDIDATES = np.array(json.dumps([["Ross"]]))


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()


def header(shape: tuple[int, ...], kind: str = "<f4") -> bytes:
    """How an array of this shape begins."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": kind, "fortran_order": False, "shape": shape})
    return out.getvalue()


def plain(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def problem_file(path: Path, kind: int = zipfile.ZIP_DEFLATED, **changes: bytes) -> Path:
    """A good problem of one face but for some arrays, which are these bytes."""
    good = {"features": plain(np.ones((1, 4), np.float32)), "group": plain(np.zeros(1, int))}
    good |= {"names": plain(NAMES), "candidates_json": plain(CANDIDATES)}
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in (good | changes).items():
            archive.writestr(f"{name}.npy", content)
    return path


def refusal(path: Path) -> str:
    with little_memory(), pytest.raises(BadInput) as caught:
        read_problem(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "; " in said  # what to do
    return said.removeprefix(f"{path}: ")


def test_an_honest_file_is_read(tmp_path: Path) -> None:
    for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert read_problem(problem_file(tmp_path / "a.npz", kind)).names == ("Ross",)


@pytest.mark.parametrize(
    ("array", "content"),
    [
        ("features", header((1 << 40, 512)) + b"few"),
        ("features", header((1 << 20, 512), "<f8") + bytes(1000)),
        ("group", header((1 << 34,), "|i1")),
        ("names", header((1 << 34,), "<U0")),  # values of no size, as many as one likes
        ("names", header((2,), f"<U{1 << 28}")),
        ("candidates_json", header((), f"<U{1 << 28}")),
    ],
)
def test_an_array_that_claims_more_than_there_is_gets_no_memory(tmp_path: Path, array: str, content: bytes) -> None:
    said = refusal(problem_file(tmp_path / "bomb.npz", **{array: content}))
    assert said.startswith(f"the array {array!r} claims ")


@pytest.mark.parametrize("shape", [(-1, 4), (-2, -2), (1 << 200,), (True,)])
def test_an_impossible_shape_is_damage(tmp_path: Path, shape: tuple[int, ...]) -> None:
    said = refusal(problem_file(tmp_path / "bomb.npz", features=header(shape) + bytes(64)))
    assert "features" in said


def test_what_unpacks_to_far_more_than_it_is_gets_no_memory(tmp_path: Path) -> None:
    zeros = header((FREE // 4, 1)) + bytes(FREE)
    path = problem_file(tmp_path / "bomb.npz", features=zeros)
    assert path.stat().st_size < FREE // 500
    assert "would unpack to 134.2 MB" in refusal(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:  # not packed, it is as large as it says
        archive.writestr("features.npy", zeros)
    assert "'group' is missing" in refusal(path)


def test_a_directory_that_lies_about_sizes_is_not_believed(tmp_path: Path) -> None:
    """Both the size of the array and that of its packed form are made up."""
    path = problem_file(tmp_path / "bomb.npz", features=header((1 << 30, 1)))
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\x01\x02")  # of the first entry in the directory
    struct.pack_into("<II", content, place + 20, 0xFFFFFFF0, 0xFFFFFFF0)
    path.write_bytes(content)
    assert "would unpack to" in refusal(path)


@pytest.mark.parametrize("kind", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_other_ways_of_packing_are_refused(tmp_path: Path, kind: int) -> None:
    assert "not an .npz file" in refusal(problem_file(tmp_path / "a.npz", kind))


def test_too_many_arrays_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.formats.read.arrays.MOST_ARRAYS", 3)
    assert "4 arrays" in refusal(problem_file(tmp_path / "a.npz"))


def test_more_than_any_problem_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.formats.read.arrays.LARGEST", 400)
    assert "more than is read" in refusal(problem_file(tmp_path / "a.npz", zipfile.ZIP_STORED))


def test_a_table_of_features_is_no_bomb_either(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(header((1 << 40, 512)) + b"few")
    with little_memory(), pytest.raises(BadInput, match="claims"):
        rows_of(path)
    np.save(path, np.eye(3, order="F"))
    assert load_array(path).tolist() == np.eye(3).tolist()


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    given: dict[str, Any] = {"a": np.arange(6).reshape(2, 3), "b": np.asfortranarray(np.eye(2)), "c": np.array("text")}
    given |= {"none": np.zeros((0, 5)), "no texts": np.array([], str)}
    np.savez_compressed(tmp_path / "a.npz", **given)
    with Arrays(tmp_path / "a.npz") as arrays:
        assert list(arrays) == list(given)
        for name, array in given.items():
            np.testing.assert_array_equal(arrays[name], array)


def test_how_much_may_come_out_of_a_file() -> None:
    assert most_unpacked(10) == FREE
    assert most_unpacked(FREE) > 50 * FREE


# --- .mat and zip --------------------------------------------------------------------------------------------------------


def mat_file(path: Path, size: int, inside: bytes) -> Path:
    packed = zlib.compress(struct.pack("<II", 14, size) + inside)
    start = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    path.write_bytes(start + struct.pack("<II", matlab.COMPRESSED, len(packed)) + packed)
    return path


def test_a_packed_variable_that_claims_too_much_gets_no_memory(tmp_path: Path) -> None:
    assert "larger than 128 MB" in refusal(mat_file(tmp_path / "bomb.mat", 300 << 20, b""))


def test_a_sparse_table_of_nothing_gets_no_memory(tmp_path: Path) -> None:
    from scipy.io import savemat
    from scipy.sparse import csc_array

    for form in ("4", "5"):
        table = csc_array(([1.0], ([0], [0])), shape=(8000, 8000))
        savemat(tmp_path / "bomb.mat", {"data": table, "partial_target": np.ones((1, 8000))}, format=form)
        assert "leave out what is empty" in refusal(tmp_path / "bomb.mat")


def test_a_picture_packed_in_an_unusual_way_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.jpg", b"a picture")
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[content.index(b"a.jpg") + 5 + 5 : content.index(b"a.jpg") + 5 + 9] = b"\xff\xff\xff\xff"  # a window of 4 GB
    (tmp_path / "a.zip").write_bytes(content)
    opened = shelf(tmp_path / "a.zip")
    with little_memory(), pytest.raises(Unreadable, match="unusual"):
        opened.read("a.jpg")
    opened.close()
