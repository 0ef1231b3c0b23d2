"""Labels as a problem for the solver."""

from pathlib import Path

import numpy as np
import pytest

from core import NOBODY, Problem
from core.errors import BadInput
from core.formats import read_problem
from core.formats.write import npz
from core.formats.write.text import writable
from core.records import Labels
from tests.core.formats.made import HOSTILE, face, film, frame, hostile

EMBEDDINGS = np.eye(40, 48, dtype=np.float32) + 0.5


def problem(labels: Labels, path: Path) -> Problem:
    npz.write(labels, path, EMBEDDINGS)
    return read_problem(path)


def test_frames_are_groups_and_captions_are_kept(tmp_path: Path) -> None:
    labels = film([["Ross", ""], [], ["Rachel"]])
    found = problem(labels, tmp_path / "a.npz")
    assert found.group.tolist() == [0, 0, 2]
    assert found.candidates() == [["Ross"], [], ["Rachel"]]
    assert found.captions == ("They talk.",) * 3
    assert found.truth is None  # all of it is predicted
    np.testing.assert_array_equal(found.features, EMBEDDINGS[:3])


def test_faces_bring_their_own_embedding(tmp_path: Path) -> None:
    labels = Labels("", (frame(5, [face(7, "A", frame=5), face(2, "B", frame=5)]),))
    np.testing.assert_array_equal(problem(labels, tmp_path / "a.npz").features, EMBEDDINGS[[7, 2]])


def test_answers_are_truth_where_every_face_has_one(tmp_path: Path) -> None:
    faces = [face(0, "A", state="confirmed"), face(1, "", state="corrected"), face(2, "B", truth="C")]
    found = problem(Labels("", (frame(0, faces, names=["A"]),)), tmp_path / "a.npz")
    assert found.names == ("A", "C")
    assert found.truth is not None
    assert found.truth.tolist() == [0, NOBODY, 1]
    assert problem(Labels("", (frame(0, [*faces, face(3, "A")]),)), tmp_path / "b.npz").truth is None


def test_hostile_names_come_back(tmp_path: Path) -> None:
    assert problem(hostile(), tmp_path / "a.npz").names == tuple(writable(name) for name in HOSTILE)


def test_a_face_without_embedding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="face 40 has no embedding"):
        npz.write(Labels("", (frame(0, [face(40)]),)), tmp_path / "a.npz", EMBEDDINGS)
    assert list(tmp_path.iterdir()) == []
