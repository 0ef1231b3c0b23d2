"""Faces of drawn people and of photographs: found, marked, embedded and cut out."""

import io
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image, ImageFilter

from core.errors import BadInput
from core.media.faces.finder import SMALL, FaceFinder, sharpness
from core.media.faces.kinds import Detections, Found, Picture
from core.problem import FloatArray
from core.records import Box
from tests.core.media.drawn import drawn_face, drawn_picture
from tests.core.media.portraits import PEOPLE, Album, portrait, scene
from tests.core.media.pretended import MeanColour
from tests.private import private


def photograph(path: Path | io.BytesIO) -> Picture:
    return np.asarray(Image.open(path).convert("RGB"))


def assert_same(found: Found, other: Found) -> None:
    assert (found.box, found.mark, found.crop) == (other.box, other.mark, other.crop)
    np.testing.assert_allclose(found.embedding, other.embedding, atol=1e-3)


def test_importing_loads_no_network() -> None:
    code = "import sys, core.media.faces.finder; sys.exit('torch' in sys.modules or 'cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_faces_come_from_left_to_right_with_all_that_is_known(finder: FaceFinder) -> None:
    picture = drawn_picture(0, 5, 7)
    (faces,) = finder.find([picture])
    assert [round(face.box.left / 160 - 0.7) for face in faces] == [0, 1, 2]
    for face in faces:
        assert face.box.top < face.landmarks[:, 1].min()
        assert face.box.bottom > face.landmarks[:, 1].max()
        assert 0.9 <= face.score <= 1
        assert face.mark == ""
        assert face.embedding.shape == (512,)
        assert np.linalg.norm(face.embedding) == pytest.approx(1, abs=1e-5)
        crop = Image.open(io.BytesIO(face.crop))
        assert (crop.format, crop.size) == ("JPEG", (200, 200))


def test_the_crop_shows_the_face_and_a_little_more(finder: FaceFinder) -> None:
    ((face,),) = finder.find([drawn_picture(0)])
    ((again,),) = finder.find([np.asarray(Image.open(io.BytesIO(face.crop)))])
    share = (again.box.bottom - again.box.top) / 200
    assert share == pytest.approx(1 / 1.3, abs=0.1)


def test_faces_do_not_depend_on_the_other_pictures(finder: FaceFinder) -> None:
    pictures = [drawn_picture(1, 4), np.zeros((1, 1, 3), np.uint8), drawn_picture(6), drawn_picture(8, 10, 12)[20:]]
    together = finder.find(pictures)
    assert [len(faces) for faces in together] == [2, 0, 1, 3]
    for picture, faces in zip(pictures, together, strict=True):
        for face, alone in zip(faces, finder.find([picture])[0], strict=True):
            assert_same(face, alone)
    assert finder.find([]) == []


def test_a_picture_that_stands_still_is_looked_at_once(finder: FaceFinder, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    detect = finder.detector.detect

    def counted(picture: Picture) -> Detections:
        looked.append(len(picture))
        return detect(picture)

    monkeypatch.setattr(finder.detector, "detect", counted)
    one, other = drawn_picture(0), drawn_picture(5)
    found = finder.find([one, one.copy(), other, one])
    assert len(looked) == 3
    assert [len(faces) for faces in found] == [1, 1, 1, 1]
    assert_same(found[0][0], found[1][0])
    assert found[2][0].box != found[0][0].box


def test_small_and_blurred_faces_are_marked(finder: FaceFinder) -> None:
    image = Image.fromarray(drawn_picture(0))
    side = image.width * (SMALL - 3) // 100  # the face is about 100 pixels wide
    (sharp,), (small,) = finder.find([np.asarray(image), np.asarray(image.resize((side, side)))])
    blurred = finder.embed_box(np.asarray(image.filter(ImageFilter.GaussianBlur(5))), sharp.box)
    assert small.box.right - small.box.left < SMALL
    assert (sharp.mark, small.mark, blurred.mark) == ("", "small", "blurred")


def test_sharpness_falls_with_blur_and_not_with_contrast() -> None:
    face = Image.fromarray(drawn_face(0))
    blurs = [sharpness(face.filter(ImageFilter.GaussianBlur(radius))) for radius in (0, 2, 4, 8)]
    assert blurs == sorted(blurs, reverse=True)
    pale = Image.fromarray((np.asarray(face) // 2 + 64).astype(np.uint8))
    assert sharpness(pale) == pytest.approx(sharpness(face), rel=0.05)
    assert sharpness(Image.new("RGB", (50, 50))) == 0


def test_a_box_that_a_person_drew(finder: FaceFinder) -> None:
    picture = drawn_picture(0, 5)
    left, right = finder.find([picture])[0]
    drawn = finder.embed_box(picture, left.box)
    assert_same(drawn, left)
    assert drawn.score == 1
    assert drawn.landmarks.shape == (5, 2)
    loose = Box(left.box.left - 6, left.box.top - 4, left.box.right + 5, left.box.bottom + 3)
    around = finder.embed_box(picture, loose).embedding
    assert np.linalg.norm(around - left.embedding) < np.linalg.norm(around - right.embedding)
    assert finder.embed_box(picture, Box(-50, -50, 30, 30)).box == Box(0, 0, 30, 30)
    for empty in (Box(-9, 0, 0, 9), Box(30, 5, 20, 9), Box(5, 5, 5.5, 9), Box(float("nan"), 0, 9, 9)):
        with pytest.raises(BadInput, match="draw it around a face"):
            finder.embed_box(picture, empty)


def test_another_embedder() -> None:
    finder = FaceFinder(MeanColour(), threads=1)
    assert finder.embedder.kind == "mean-colour"
    found = finder.find([drawn_picture(0, 5), drawn_picture(7)])
    assert [[face.embedding.shape for face in faces] for faces in found] == [[(3,), (3,)], [(3,)]]


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_the_finder_leaves_torch_as_it_was_and_works_from_any_thread(finder: FaceFinder) -> None:
    found: list[list[list[Found]]] = []
    threads = [threading.Thread(target=lambda: found.append(finder.find([drawn_picture(0)]))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(faces) for (faces,) in found] == [1, 1, 1]
    assert torch.get_num_threads() == 2
    assert finder._pool.submit(torch.get_num_threads).result() == 1


def test_a_face_in_a_very_large_picture(finder: FaceFinder) -> None:
    picture = np.full((2160, 3840, 3), 90, np.uint8)
    picture[1900:2060, 3600:3760] = drawn_face(0)
    ((face,),) = finder.find([picture])
    assert 3600 < face.box.left < face.box.right < 3760


def test_portraits(finder: FaceFinder, album: Album) -> None:
    paths = sorted(album.folder.glob("*/*.png"))
    found = finder.find([photograph(path) for path in paths])
    people = np.array([path.parent.name for path, faces in zip(paths, found, strict=True) if faces])
    largest = [max(faces, key=lambda face: face.box.right - face.box.left) for faces in found if faces]
    assert len(paths) == album.portraits
    assert len(people) >= 0.95 * album.portraits
    assert np.mean([face.mark != "" for face in largest]) <= 0.05
    assert told_apart(np.stack([face.embedding for face in largest]), people) >= 0.95


def told_apart(vectors: FloatArray, people: np.ndarray) -> float:
    """How often the most similar other face is the same person's."""
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -1)
    return float((people[likeness.argmax(axis=1)] == people).mean())


@pytest.mark.parametrize("quality", [95, 75, 40])
def test_portraits_are_told_apart_whatever_the_quality_of_the_jpeg(finder: FaceFinder, quality: int) -> None:
    who = [(person, number) for person in PEOPLE for number in (1, 2)]
    pictures = [as_jpeg(portrait(*one), quality) for one in who]
    found = finder.find(pictures)
    assert [len(faces) for faces in found] == [1] * len(who)
    vectors = np.stack([faces[0].embedding for faces in found])
    assert told_apart(vectors, np.array([person for person, _ in who])) >= 0.9


def as_jpeg(picture: Picture, quality: int) -> Picture:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=quality)
    return photograph(file)


def test_stills(finder: FaceFinder, album: Album) -> None:
    stills = sorted(path for path in album.folder.iterdir() if path.stem.startswith(("still", "bbt")))
    found = finder.find([photograph(path) for path in stills])
    assert sum(map(len, found)) == pytest.approx(album.on_stills, abs=1)


def test_six_faces_of_a_picture(finder: FaceFinder) -> None:
    pictures = [np.concatenate([scene(*map(portrait, PEOPLE[k : k + 3])) for k in (0, 3)])]
    pictures += [photograph(path) for path in private("photos/multiface.jpg")]
    assert {len(faces) for faces in finder.find(pictures)} == {6}
