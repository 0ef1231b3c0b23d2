"""YuNet finds faces of every size; weights that are missing or damaged are one sentence."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.media.faces import yunet
from core.media.faces.yunet import YuNet
from tests.core.media.drawn import drawn_picture


@pytest.fixture(scope="module")
def faces() -> YuNet:
    return YuNet()


def test_drawn_faces_are_found_where_they_are(faces: YuNet) -> None:
    found = faces.detect(drawn_picture(0, 5, 7))
    assert (found.scores >= YuNet.sure).sum() == 3
    middles = np.sort(found.boxes[:3, [0, 2]].mean(axis=1))
    np.testing.assert_allclose(middles, [160, 320, 480], atol=12)


def test_landmarks_begin_with_the_left_eye_of_the_picture(faces: YuNet) -> None:
    left_eye, right_eye, nose, left_mouth, right_mouth = faces.detect(drawn_picture(5)).landmarks[0]
    assert left_eye[0] < nose[0] < right_eye[0]
    assert left_mouth[0] < right_mouth[0]
    assert left_eye[1] < nose[1] < left_mouth[1]


@pytest.mark.parametrize("factor", [0.5, 1, 6])
def test_small_and_huge_faces(faces: YuNet, factor: float) -> None:
    picture = Image.fromarray(drawn_picture(5))
    size = round(picture.width * factor), round(picture.height * factor)
    found = faces.detect(np.asarray(picture.resize(size, Image.Resampling.BICUBIC)))
    assert (found.scores >= YuNet.sure).sum() == 1
    np.testing.assert_allclose(found.boxes[0].reshape(2, 2).mean(axis=0), np.array(size) / 2, atol=16 * factor)


def test_nothing_in_an_empty_picture(faces: YuNet) -> None:
    found = faces.detect(np.full((90, 120, 3), 128, np.uint8))
    assert found.boxes.shape == (0, 4)
    assert found.landmarks.shape == (0, 5, 2)


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (2000, 3)])
def test_pictures_of_any_shape(faces: YuNet, shape: tuple[int, int]) -> None:
    assert len(faces.detect(np.zeros((*shape, 3), np.uint8)).scores) == 0


def test_threads_find_the_same(faces: YuNet) -> None:
    pictures = [drawn_picture(seed) for seed in (0, 5, 7, 0, 5, 7)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(faces.detect, pictures))
    for picture, found in zip(pictures, together, strict=True):
        np.testing.assert_array_equal(found.boxes, faces.detect(picture).boxes)


def test_missing_weights_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yunet.sys, "prefix", str(tmp_path))
    with pytest.raises(BadInput, match=r"YuNet weights .* are not installed; run `make setup`"):
        YuNet()


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yunet.sys, "prefix", str(tmp_path))
    yunet.weights_path().parent.mkdir(parents=True)
    yunet.weights_path().write_bytes(b"other weights")
    with pytest.raises(BadInput, match=r"yunet_2023mar\.onnx: not the known YuNet weights .* run `make setup`"):
        YuNet()
