"""Vectors are found again, exactly while they are few and as well as exactly when they are many."""

import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.problem import FloatArray
from core.store.archives import vectors
from core.store.archives.vectors import FaceVectors


def people(many: int, each: int, dimension: int = 64) -> FloatArray:
    random = np.random.default_rng(0)
    rows = np.repeat(random.normal(size=(many, dimension)), each, axis=0)
    rows += 0.4 * random.normal(size=rows.shape)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def test_few_are_compared_one_by_one(tmp_path: Path) -> None:
    index, rows = FaceVectors(tmp_path / "v", 64), people(20, 5)
    assert index.add(rows[:50], 0) == 50
    assert index.add(rows[50:], 50) == 100
    index.index()
    assert not list((tmp_path / "v").glob("index-*"))
    found, cosine = index.search(rows[52] * 3, 5)
    assert set(found.tolist()) == {50, 51, 52, 53, 54}
    assert (found[0], cosine[0]) == (52, pytest.approx(1.0, abs=1e-3))


def test_what_a_crash_left_behind_is_overwritten(tmp_path: Path) -> None:
    index, rows = FaceVectors(tmp_path / "v", 64), people(4, 5)
    index.add(rows, 0)
    index.add(rows[10:], 10)
    assert len(index) == 20
    assert np.array_equal(index.vectors(), rows.astype(np.float16))


def test_many_go_through_the_index_and_come_back_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "EXACT", 100)
    monkeypatch.setattr(vectors, "LISTS", ((1 << 62, 16),))
    index, rows = FaceVectors(tmp_path / "v", 64), people(300, 5)
    index.add(rows[:1400], 0)
    index.index()
    index.add(rows[1400:], 1400)  # these stay behind it
    assert [path.name for path in (tmp_path / "v").glob("index-*")] == ["index-1400.faiss"]
    again = FaceVectors(tmp_path / "v", 64)
    right = 0
    for query in range(0, 1500, 25):
        found, _ = again.search(rows[query], 5)
        right += len(set(found.tolist()) & set(range(query - query % 5, query - query % 5 + 5)))
    assert right >= 0.97 * 5 * 60
    again.add(rows[1300:], 1300)  # in place of rows that the index knew
    assert [path.name for path in (tmp_path / "v").glob("index-*")] == ["index-1300.faiss"]
    assert [FaceVectors(tmp_path / "v", 64).search(rows[k], 1)[0][0] for k in (7, 1350, 1499)] == [7, 1350, 1499]
    again.blank(0, 5)  # of the first person nothing is left
    again.blank(1495, 5)
    for other in (again, FaceVectors(tmp_path / "v", 64)):
        for query in (2, 1497):
            found, cosine = other.search(rows[query], 5)
            assert not set(found[cosine > 0.5].tolist()) & {*range(5), *range(1495, 1500)}
    assert not np.asarray(again.vectors()[:5]).any()
    broken = tmp_path / "broken"
    broken.write_bytes(b"damaged")
    broken.replace(tmp_path / "v" / "index-1300.faiss")  # the file that others have mapped stays as it is
    assert FaceVectors(tmp_path / "v", 64).search(rows[7], 1)[0][0] == 7


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    index = FaceVectors(tmp_path / "v", 64)
    index.add(people(2, 2), 0)
    with pytest.raises(BadInput, match="do not go with"):
        index.add(np.ones((1, 32), np.float32), 4)
    with pytest.raises(BadInput, match="is not like"):
        index.search(np.ones(32, np.float32), 1)


def test_few_rows_do_without_the_library_of_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)  # it cannot be imported
    index, rows = FaceVectors(tmp_path / "v", 64), people(20, 5)
    index.add(rows, 0)
    index.blank(0, 5)
    index.index()
    assert set(index.search(rows[52], 5)[0].tolist()) == {50, 51, 52, 53, 54}
