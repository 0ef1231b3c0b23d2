"""The files of the partial-label benchmarks."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_array

from core import NOBODY, BadInput, Problem
from core.formats import read_problem
from core.formats.read import matlab
from tests.core.formats.read.problem_files import refusal

DATA = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [3.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
PARTIAL = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]])  # labels × faces, as the benchmarks have it
TARGET = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])  # the last face has none


def saved(path: Path, compress: bool = False, **arrays: Any) -> Path:
    savemat(path, arrays, do_compression=compress)
    return path


def check_read(problem: Problem) -> None:
    assert problem.names == ("label 1", "label 2", "label 3")
    assert problem.group.tolist() == [0, 1, 2, 3]
    assert problem.candidates() == [["label 1", "label 2"], ["label 2"], ["label 1", "label 3"], ["label 1"]]
    assert problem.features.tolist() == DATA.tolist()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("compress", [False, True])
def test_sparse_and_dense_both_ways_round(tmp_path: Path, sparse: bool, turned: bool, compress: bool) -> None:
    partial, target = (table.T if turned else table for table in (PARTIAL, TARGET))
    if sparse:
        partial, target = csc_array(partial.astype(float)), csc_array(target.astype(float))
    path = saved(tmp_path / "a.mat", compress, data=DATA, partial_target=partial, target=target)
    problem = read_problem(path)
    check_read(problem)
    assert problem.truth is not None
    assert problem.truth.tolist() == [0, 1, 2, NOBODY]


def test_partial_and_target_may_lie_different_ways(tmp_path: Path) -> None:
    problem = read_problem(saved(tmp_path / "a.mat", data=DATA, partial_target=PARTIAL, target=TARGET.T))
    assert problem.truth is not None
    assert problem.truth.tolist() == [0, 1, 2, NOBODY]


def test_data_may_be_sparse(tmp_path: Path) -> None:
    check_read(read_problem(saved(tmp_path / "a.mat", data=csc_array(DATA), partial_target=PARTIAL)))


def test_as_many_labels_as_faces_read_as_one_column_a_face(tmp_path: Path) -> None:
    square = np.array([[1, 1], [0, 1]])
    problem = read_problem(saved(tmp_path / "a.mat", data=np.eye(2), partial_target=square))
    assert problem.candidates() == [["label 1"], ["label 1", "label 2"]]


def test_target_may_be_missing(tmp_path: Path) -> None:
    problem = read_problem(saved(tmp_path / "a.mat", data=DATA, partial_target=PARTIAL))
    check_read(problem)
    assert problem.truth is None


def test_the_older_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    savemat(path, {"data": DATA, "partial_target": PARTIAL}, format="4")
    check_read(read_problem(path))


def test_a_mat_file_of_another_name_is_known_by_its_start(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.mat", data=DATA, partial_target=PARTIAL)
    check_read(read_problem(path.rename(tmp_path / "benchmark")))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"partial_target": PARTIAL}, ["'data' is missing"]),
        ({"data": DATA}, ["'partial_target' is missing"]),
        ({"data": DATA, "partial_target": PARTIAL[:, :3]}, ["partial_target", "4 columns", "(3, 3)"]),
        ({"data": DATA, "partial_target": np.array([["abcd"]])}, ["partial_target"]),
        ({"data": DATA, "partial_target": PARTIAL, "target": TARGET[:2]}, ["target has 2 labels", "partial_target 3"]),
        ({"data": DATA, "partial_target": PARTIAL, "target": TARGET[:, 1:]}, ["target", "4 columns", "(3, 3)"]),
        ({"data": np.ones((4, 2, 2)), "partial_target": PARTIAL}, ["data", "(4, 2, 2)"]),
        ({"data": np.array(["abc", "def", "ghi", "jkl"]), "partial_target": PARTIAL}, ["data"]),
        ({"data": np.where(DATA == 3, np.nan, DATA), "partial_target": PARTIAL}, ["face 2", "finite"]),
        ({"data": DATA * [[1], [0], [1], [1]], "partial_target": PARTIAL}, ["face 1", "all zero"]),
        ({"data": {"a": 1}, "partial_target": PARTIAL}, []),
    ],
)
def test_bad_content_is_refused(tmp_path: Path, arrays: dict[str, Any], words: list[str]) -> None:
    said = refusal(saved(tmp_path / "bad.mat", **arrays))
    for word in words:
        assert word in said


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_refused(tmp_path: Path, compress: bool, share: float) -> None:
    content = saved(tmp_path / "a.mat", compress, data=DATA, partial_target=PARTIAL).read_bytes()
    path = tmp_path / "bad.mat"
    path.write_bytes(content[: int(len(content) * share)])
    assert refusal(path)


def test_a_damaged_compressed_file_is_refused(tmp_path: Path) -> None:
    content = bytearray(saved(tmp_path / "a.mat", compress=True, data=DATA, partial_target=PARTIAL).read_bytes())
    content[150] ^= 255
    path = tmp_path / "bad.mat"
    path.write_bytes(content)
    assert refusal(path)


def test_an_unknown_element_inside_is_refused(tmp_path: Path) -> None:
    content = bytearray(saved(tmp_path / "a.mat", data=DATA, partial_target=PARTIAL).read_bytes())
    content[144] = 200  # the class of the first array
    path = tmp_path / "bad.mat"
    path.write_bytes(content)
    assert refusal(path)


def test_a_sparse_table_that_points_outside_itself_is_refused(tmp_path: Path) -> None:
    """In a process of its own: such a table can write over memory that is not its own."""
    broken = csc_array(PARTIAL.astype(float))
    broken.indices[:] = 1 << 28
    path = saved(tmp_path / "bad.mat", data=DATA, partial_target=broken)
    command = [sys.executable, "-m", "core", "solve", str(path), "--method", "pair-clustering"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[4])
    assert (done.returncode, done.stdout) == (2, "")
    assert str(path) in done.stderr


def test_no_change_of_one_byte_brings_the_process_down(tmp_path: Path) -> None:
    """Each changed file is read, to a problem or to a sentence; SciPy's reader ended the process on some of these."""
    path = tmp_path / "a.mat"
    whole = saved(path, data=DATA, partial_target=csc_array(PARTIAL.astype(float)), target=TARGET).read_bytes()
    chance, refused = np.random.default_rng(0), 0
    for _ in range(600):
        content = bytearray(whole)
        content[chance.integers(len(content))] = chance.integers(256)
        path.write_bytes(content)
        try:
            assert read_problem(path).faces
        except BadInput as error:
            refused += "\n" not in str(error)
    assert refused > 100


def test_what_unpacks_to_far_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matlab, "MOST_VALUES", 1 << 20)
    packed = zlib.compress(bytes(1 << 24))
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    path = tmp_path / "bad.mat"
    path.write_bytes(header + struct.pack("<II", 15, len(packed)) + packed)
    assert "larger than 8 MB" in refusal(path)


def test_a_sparse_table_of_the_older_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    savemat(path, {"data": DATA, "partial_target": csc_array(PARTIAL.astype(float))}, format="4")
    check_read(read_problem(path))


def test_big_endian_files_are_read(tmp_path: Path) -> None:
    """Made by hand, since no machine here writes them: ``data`` of two faces, and one label that both may have."""

    def element(kind: int, data: bytes) -> bytes:
        return struct.pack(">II", kind, len(data)) + data + bytes(-len(data) % 8)

    def table(name: bytes, values: np.ndarray) -> bytes:
        about = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", *values.shape)) + element(1, name)
        return element(14, about + element(9, values.astype(">f8").tobytes(order="F")))

    path = tmp_path / "a.mat"
    content = table(b"data", np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])) + table(b"partial_target", np.ones((1, 2)))
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI" + content)
    problem = read_problem(path)
    assert problem.features.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert problem.candidates() == [["label 1"], ["label 1"]]


def test_text_called_mat_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.mat"
    path.write_text("face,name\n0,Ross\n" * 100)
    assert "not a readable .mat file" in refusal(path)


def test_a_newer_matlab_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "bad.mat"
    header = b"MATLAB 7.3 MAT-file".ljust(116) + b"\0" * 8 + b"\x00\x02IM"
    path.write_bytes(header.ljust(512, b"\0") + b"\x89HDF\r\n\x1a\n" + b"\0" * 100)
    assert "-v7" in refusal(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.mat"
    path.touch()
    assert "empty" in refusal(path)
