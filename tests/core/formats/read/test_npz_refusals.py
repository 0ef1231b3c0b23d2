"""Every file that is no problem file is refused in one sentence."""

import io
import pickle
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import BadInput
from core.formats import read_problem
from tests.core.formats.read.problem_files import GOOD, Trap, refusal, saved


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"features": np.ones(3)}, ["features", "(3,)"]),
        ({"features": np.array([["a", "b"]] * 3)}, ["features", "numbers"]),
        ({"features": np.zeros((0, 2)), "group": np.zeros(0, int), "truth": np.zeros(0, int)}, ["no faces"]),
        ({"features": np.array([[1, 0], [np.nan, 0], [1, 1]])}, ["face 1", "finite"]),
        ({"features": np.array([[1, 0], [1, 1], [0, 0]])}, ["face 2", "all zero"]),
        ({"group": np.array([0, 1])}, ["group", "2 entries", "3 faces"]),
        ({"group": np.array([0, 0, 2])}, ["face 2", "group 2", "0 to 1"]),
        ({"group": np.array([-1, 0, 1])}, ["face 0", "group -1"]),
        ({"group": np.array([0, 0.5, 1])}, ["group", "whole numbers"]),
        ({"truth": np.array([0, 1, 2])}, ["truth", "face 2", "no name"]),
        ({"truth": np.array([0, 1, -2])}, ["truth", "face 2", "no name"]),
        ({"truth": np.array([0, 1])}, ["truth", "2 entries", "3 faces"]),
        ({"names": np.array(["Ross", "Joey"])}, ["group 0", "'Rachel'", "not in names"]),
        ({"names": np.array(["Ross", "Rachel", "Ross"])}, ["'Ross'", "twice"]),
        ({"names": np.array([["Ross", "Rachel"]])}, ["names", "(1, 2)"]),
        ({"names": np.array([1, 2])}, ["names", "texts", "int64"]),
        ({"names": np.array([b"Ross", b"Rachel"])}, ["names", "texts"]),
        ({"candidates_json": np.array("[[")}, ["candidates_json", "broken JSON"]),
        ({"candidates_json": np.array("")}, ["candidates_json", "broken JSON"]),
        ({"candidates_json": np.array("[" * 100_000)}, ["candidates_json", "broken JSON"]),
        ({"candidates_json": np.array('{"0": []}')}, ["candidates_json", "JSON list", "dict"]),
        ({"candidates_json": np.array(["[]", "[]"])}, ["candidates_json", "one text", "(2,)"]),
        ({"candidates_json": np.array(5)}, ["candidates_json", "one text", "int64"]),
        ({"candidates_json": np.array('["Ross", ["Ross"]]')}, ["group 0", "list of names"]),
        ({"candidates_json": np.array('[["Ross"], [["Ross"]]]')}, ["group 1"]),
        ({"candidates_json": np.array('[["Ross"], [{"name": "Ross"}]]')}, ["group 1"]),
        ({"candidates_json": np.array("[[]]")}, ["face 2", "group 1"]),
        ({"captions_json": np.array('["one"]')}, ["captions", "1 entries", "2 groups"]),
        ({"captions_json": np.array("[")}, ["captions_json", "broken JSON"]),
        ({"track": np.array([0, 1])}, ["track", "2 entries", "3 faces"]),
        ({"quality": np.array([0, 1, 2])}, ["quality of face 2"]),
        ({"evidence_face": np.array([0])}, ["evidence_face", "[1, 0, 0]"]),
        ({"mention_kind_json": np.array("[")}, ["mention_kind_json", "broken JSON"]),
        ({"mention_kind_json": np.array('[["spoken", 3], [""]]')}, ["mention_kind of group 0", "3"]),
        ({"film": np.array([0, 1, 2])}, ["film", "3 entries", "2 groups"]),
        ({"embedder": np.array(7)}, ["embedder", "one text"]),
    ],
)
def test_a_bad_array_is_refused(tmp_path: Path, changes: dict[str, Any], words: list[str]) -> None:
    said = refusal(saved(tmp_path / "bad.npz", **changes))
    for word in words:
        assert word in said


@pytest.mark.parametrize("name", ["features", "group", "names", "candidates_json"])
def test_a_missing_array_is_named(tmp_path: Path, name: str) -> None:
    said = refusal(saved(tmp_path / "bad.npz", leave_out=name))
    assert f"'{name}' is missing" in said


@pytest.mark.parametrize("name", ["features", "group", "names", "candidates_json", "truth"])
def test_a_pickle_inside_is_refused_and_not_run(tmp_path: Path, name: str) -> None:
    trap = Trap(tmp_path / "sprung")
    array = np.empty(3, dtype=object)
    array[:] = [trap, trap, trap]
    said = refusal(saved(tmp_path / "bad.npz", **{name: array}))
    assert name in said
    assert "pickle" in said
    assert not trap.path.exists()
    pickle.loads(pickle.dumps(trap))
    assert trap.path.exists()  # the trap does spring where pickles are opened


def test_a_pickle_as_the_file_is_refused_and_not_run(tmp_path: Path) -> None:
    trap = Trap(tmp_path / "sprung")
    path = tmp_path / "bad.npz"
    path.write_bytes(pickle.dumps(trap))
    assert "not an .npz file" in refusal(path)
    assert not trap.path.exists()


@pytest.mark.parametrize("content", [b"face,name\n0,Ross\n", b"PK\x03\x04", b"\x93NUMPY", b"\0" * 1000, b"x"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    assert "not an .npz file" in refusal(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    path.touch()
    assert "empty" in refusal(path)


def test_an_archive_without_arrays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    zipfile.ZipFile(path, "w").close()
    assert refusal(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path)


def test_no_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "nowhere.npz")
    assert "no such file" in refusal(saved(tmp_path / "a.npz") / "below a file")


def test_a_path_too_long_for_any_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("a" * 300 + ".npz"))


def test_a_single_array_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "features.npy"
    np.save(path, np.eye(3))
    assert "single array" in refusal(path)


def test_a_single_array_larger_than_memory_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 100)})
    path = tmp_path / "features.npy"
    path.write_bytes(header.getvalue())
    assert refusal(path)


def test_an_array_larger_than_memory_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 100)})
    path = saved(tmp_path / "bad.npz", leave_out="features")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("features.npy", header.getvalue())
    assert "features" in refusal(path)


@pytest.mark.parametrize("name", ["features", "group", "names", "candidates_json"])
@pytest.mark.parametrize("member", ["{}", "{}.npy"])
def test_a_member_that_is_no_array_is_refused(tmp_path: Path, name: str, member: str) -> None:
    path = saved(tmp_path / "bad.npz", leave_out=name)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(member.format(name), "Ross")
    assert name in refusal(path)


def test_names_that_are_no_text_any_more_are_refused(tmp_path: Path) -> None:
    beyond_unicode = np.array([0x41, 0x110000], dtype=np.uint32).view("<U1")
    assert "names" in refusal(saved(tmp_path / "bad.npz", names=beyond_unicode))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused(tmp_path: Path, share: float) -> None:
    content = saved(tmp_path / "good.npz").read_bytes()
    path = tmp_path / "bad.npz"
    path.write_bytes(content[: int(len(content) * share)])
    assert "not an .npz file, or it was cut short" in refusal(path)


def test_a_damaged_array_is_refused(tmp_path: Path) -> None:
    content = bytearray(saved(tmp_path / "good.npz").read_bytes())
    place = content.find(GOOD["features"].tobytes())
    content[place] ^= 255  # the archive's checksum no longer holds
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    said = refusal(path)
    assert "'features'" in said
    assert "damaged" in said


@pytest.mark.parametrize(
    ("local", "central", "value"),
    [(6, 8, 0x01), (6, 8, 0x20), (8, 10, 99), (4, 6, 150)],
    ids=["encrypted", "patched", "compression", "version"],
)
def test_an_archive_of_an_unknown_kind_is_refused(tmp_path: Path, local: int, central: int, value: int) -> None:
    content = bytearray(saved(tmp_path / "good.npz").read_bytes())
    for mark, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        place = content.find(mark)
        while place >= 0:
            struct.pack_into("<H", content, place + offset, value)
            place = content.find(mark, place + 4)
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    assert refusal(path)


@given(place=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255), compressed=st.booleans())
def test_a_damaged_file_is_read_or_refused_but_never_crashes(
    tmp_path_factory: pytest.TempPathFactory, place: float, value: int, compressed: bool
) -> None:
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **GOOD)
    content = bytearray(file.getvalue())
    content[int(place * len(content))] = value
    path = tmp_path_factory.mktemp("damaged") / "a.npz"
    path.write_bytes(content)
    try:
        problem = read_problem(path)
    except BadInput:
        assert refusal(path)
    else:
        assert problem.faces == 3


@pytest.mark.usefixtures("permissions")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "secret.npz")
    path.chmod(0)
    assert "cannot be read (Permission denied)" in refusal(path)


@pytest.mark.usefixtures("permissions")
def test_a_file_in_a_folder_that_may_not_be_entered_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "secret"
    folder.mkdir()
    path = saved(folder / "a.npz")
    folder.chmod(0)
    try:
        assert refusal(path)
    finally:
        folder.chmod(0o700)
