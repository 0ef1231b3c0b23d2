"""Embeddings of drawn faces are the stored ones, which facenet-pytorch's own network gave."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.media.faces.facenet import FaceNet
from core.media.faces.finder import FaceFinder
from tests.core.media.drawn import drawn_face

STORED = json.loads((Path(__file__).parent / "facenet_vectors.json").read_text())


@pytest.fixture(scope="module")
def facenet(finder: FaceFinder) -> FaceNet:
    assert isinstance(finder.embedder, FaceNet)
    return finder.embedder


@pytest.mark.parametrize("seed", STORED)
def test_embeddings_are_the_stored_ones(facenet: FaceNet, seed: str) -> None:
    (embedding,) = facenet.embed([drawn_face(int(seed))])
    np.testing.assert_allclose(embedding[: len(STORED[seed])], STORED[seed], atol=1e-3)


def test_embeddings_have_unit_length_whatever_is_beside_them(facenet: FaceNet) -> None:
    faces = [drawn_face(seed) for seed in range(5)]
    together = facenet.embed(faces)
    assert together.shape == (5, facenet.dimension)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(facenet.embed(faces[3:4])[0], together[3], atol=1e-5)
    assert np.linalg.norm(together[0] - together[3]) > 0.1


def test_no_face_no_embedding(facenet: FaceNet) -> None:
    assert facenet.embed([]).shape == (0, 512)
