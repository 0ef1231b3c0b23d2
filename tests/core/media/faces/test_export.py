"""FaceNet exported for ONNX Runtime computes what torch computes, and torch takes over where there is no export."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.faces import export, facenet
from core.media.faces.facenet import FaceNet, exported_path
from tests.core.media.drawn import drawn_face


def test_set_up_has_exported_it() -> None:
    assert exported_path().is_file()
    assert export.export() is False  # there is nothing left to do


def test_both_ways_give_the_same_vectors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    faces = [drawn_face(0), drawn_face(5)]
    exported = FaceNet().embed(faces)
    monkeypatch.setattr(facenet, "exported_path", lambda: tmp_path / "none.onnx")
    np.testing.assert_allclose(FaceNet().embed(faces), exported, atol=1e-5)
    assert np.linalg.norm(exported, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_an_export_that_computes_something_else_is_refused_and_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(export, "_write", lambda path: path.write_bytes(b"another network"))
    monkeypatch.setattr(export, "onnx_network", lambda path: lambda pixels: np.zeros((len(pixels), 512)))
    monkeypatch.setattr(export, "torch_network", lambda: lambda pixels: np.ones((len(pixels), 512)))
    with pytest.raises(BadInput, match="differs from torch's"):
        export.export(tmp_path / "facenet.onnx")
    assert list(tmp_path.iterdir()) == []
