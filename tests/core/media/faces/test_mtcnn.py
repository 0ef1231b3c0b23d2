"""The same faces as facenet-pytorch's MTCNN finds."""

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from core.errors import BadInput
from core.media.faces.kinds import NO_FACE, Detections, Picture
from core.media.faces.mtcnn import WEIGHTS, Mtcnn, _Summed, pyramid
from core.media.faces.native_ops import make_ready
from tests.core.media.drawn import drawn_picture
from tests.core.media.films import film
from tests.core.media.portraits import portrait, scene


def plain(picture: Picture) -> Detections:
    make_ready()
    from facenet_pytorch import MTCNN

    boxes, scores, landmarks = MTCNN(keep_all=True).detect(Image.fromarray(picture), landmarks=True)
    if boxes is None:
        return NO_FACE
    return Detections(boxes.astype(np.float64), scores.astype(np.float64), landmarks.astype(np.float64))


def assert_same(found: Detections, wanted: Detections) -> None:
    assert len(found.scores) == len(wanted.scores)
    one, other = np.argsort(found.boxes[:, 0]), np.argsort(wanted.boxes[:, 0])
    np.testing.assert_allclose(found.boxes[one], wanted.boxes[other], atol=0.05)
    np.testing.assert_allclose(found.scores[one], wanted.scores[other], atol=1e-3)
    np.testing.assert_allclose(found.landmarks[one], wanted.landmarks[other], atol=0.05)


def taken(video: Path, every: float) -> list[NDArray[np.uint8]]:
    """A frame every so many seconds."""
    frames: list[NDArray[np.uint8]] = []
    with av.open(video) as container:
        for frame in container.decode(video=0):
            if frame.time >= len(frames) * every:
                frames.append(frame.to_ndarray(format="rgb24"))
    return frames


def drawn_clip(path: Path) -> Path:
    """Four seconds in which two people are beside each other, then one of them and another one alone."""
    shots = [scene(portrait("Ada"), portrait("Bruno")), scene(portrait("Ada", 2)), scene(portrait("Greta"))]
    return film(path, [shots[(0, 0, 1, 2)[second]] for second in range(4) for _ in range(25)])


def test_drawn_faces_as_plain_mtcnn_finds_them(detector: Mtcnn) -> None:
    picture = drawn_picture(0, 5, 7)
    found = detector.detect(picture)
    assert len(found.scores) == 3
    assert_same(found, plain(picture))


@pytest.mark.parametrize("shape", [(1, 1), (19, 400), (20, 20), (33, 21), (300, 20)])
def test_tiny_and_narrow_pictures_have_no_face(detector: Mtcnn, shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (*shape, 3), dtype=np.uint8)
    for picture in (noise, np.zeros_like(noise)):
        found = detector.detect(picture)
        assert (found.boxes.shape, found.scores.shape, found.landmarks.shape) == ((0, 4), (0,), (0, 5, 2))


def test_a_face_that_the_edge_cuts(detector: Mtcnn) -> None:
    picture = drawn_picture(0)[:, 120:].copy()
    found = detector.detect(picture)
    assert len(found.scores) == 1
    assert_same(found, plain(picture))


def test_the_pyramid_starts_at_the_smallest_face_and_ends_at_the_largest() -> None:
    scales = pyramid(360, 640)
    assert scales[0] == 12 / 20
    assert 12 <= 360 * scales[-1] < 12 / 0.709
    assert np.allclose(np.divide(scales[1:], scales[:-1]), 0.709)
    assert pyramid(2160, 3840)[0] == 12 / 40  # as much work as at half the size
    assert len(pyramid(150, 150)) > 1.5 * len(pyramid(300, 300)[1:])
    assert pyramid(19, 400) == []


def test_means_are_right_where_the_sums_overflow() -> None:
    white = np.full((3000, 3000, 3), 255, np.uint8)
    summed = _Summed(white)
    assert (summed.shrunk(0.01) == 255).all()
    assert (summed.cut(np.array([[2900, 2900, 3000, 3000]]), 24) == 255).all()


def test_cutting_out_is_the_mean_over_pixels(detector: Mtcnn) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (50, 60, 3), dtype=np.uint8)
    cut = _Summed(picture).cut(np.array([[5, 7, 53, 31]]), 24)
    wanted = picture[7:31, 5:53].reshape(24, 24, 2, 3).mean(axis=2)
    np.testing.assert_allclose(cut[0], wanted, atol=1e-3)


def test_a_scene(detector: Mtcnn, tmp_path: Path) -> None:
    """Plain MTCNN finds twelve faces; it is run on two frames only, as it takes its time."""
    pictures = taken(drawn_clip(tmp_path / "clip.mp4"), 0.5)
    found = [detector.detect(picture) for picture in pictures]
    assert len(pictures) == 8
    assert sum(int((one.scores >= Mtcnn.sure).sum()) for one in found) == 12
    for k in (1, 6):
        assert_same(found[k], plain(pictures[k]))


def test_weights_other_than_the_known_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pnet.pt"
    path.write_bytes(b"cos\nsystem\n(S'touch hit'\ntR.")  # a pickle that would run a command
    monkeypatch.setattr(Mtcnn, "weights", (replace(WEIGHTS[0], place=lambda: path), *WEIGHTS[1:]))
    with pytest.raises(BadInput, match="not the known MTCNN weights pnet"):
        Mtcnn()
    assert not Path("hit").exists()
