"""COCO, as pycocotools reads it."""

import json
from pathlib import Path
from typing import Any

import pytest
from pycocotools.coco import COCO

from core.formats.write import coco
from core.formats.write.text import writable
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, album, face, film, frame, hostile, source


def read(labels: Labels, path: Path) -> Any:
    coco.write(labels, path)
    return COCO(str(path))


def names(found: Any) -> list[str]:
    """The category of each annotation, in their order."""
    return [found.cats[found.anns[k]["category_id"]]["name"] for k in sorted(found.anns)]


def test_pycocotools_finds_every_face_with_its_name(tmp_path: Path) -> None:
    found = read(film([["Ross", ""], ["Ross"]]), tmp_path / "a.json")
    assert names(found) == ["Ross", "nobody", "Ross"]
    assert [found.imgs[k]["file_name"] for k in found.getImgIds()] == [
        "film.mp4/000000_0.000.jpg",
        "film.mp4/000001_2.000.jpg",
    ]
    ross = found.getCatIds(catNms=["Ross"])
    assert sorted(found.getAnnIds(catIds=ross)) == [1, 3]
    first = found.loadAnns([1])[0]
    assert first["bbox"] == [10, 20, 80, 100]
    assert (first["area"], first["score"], first["image_id"], first["state"]) == (8000, 0.5, 1, "predicted")


def test_annotations_serve_as_results_with_scores(tmp_path: Path) -> None:
    found = read(film([["Ross", "Rachel"]]), tmp_path / "a.json")
    results = found.loadRes(list(found.anns.values()))
    assert [a["score"] for a in results.anns.values()] == [0.5, 0.51]


def test_a_box_over_the_edge_is_cut_and_one_outside_left_out(tmp_path: Path) -> None:
    faces = [face(0, "A", Box(-10, -5, 30, 40)), face(1, "B", Box(600, 400, 700, 500)), face(2, "C", Box(0, 0, 0, 0))]
    faces.append(face(3, "D", Box(700, 10, 800, 20)))
    found = read(Labels("", (frame(0, faces, time=0.0),)), tmp_path / "a.json")
    assert {k: a["bbox"] for k, a in found.anns.items()} == {1: [0, 0, 30, 40], 2: [600, 400, 40, 80]}


def test_a_person_called_nobody_is_not_nobody(tmp_path: Path) -> None:
    found = read(film([["nobody", ""]]), tmp_path / "a.json")
    assert names(found) == ["nobody", "nobody (2)"]


def test_pictures_of_two_folders_with_one_path_stay_apart(tmp_path: Path) -> None:
    folders = [source(k, "pictures", title) for k, title in enumerate(("one", "two", "two"))]
    frames = [frame(k, [face(k, "A", frame=k)], of=folder, path="a.jpg") for k, folder in enumerate(folders)]
    found = read(Labels("", (*frames, frame(3, of=folders[0], path="b.jpg"))), tmp_path / "a.json")
    assert [image["file_name"] for image in found.imgs.values()] == ["one/a.jpg", "1-1/two/a.jpg", "2-2/two/a.jpg", "b.jpg"]


def test_hostile_names_come_back(tmp_path: Path) -> None:
    found = read(hostile(), tmp_path / "a.json")
    assert names(found) == [writable(name) for name in HOSTILE]


def test_a_path_that_is_no_text_is_written(tmp_path: Path) -> None:
    found = read(album(["A"], ["caf\udce9.jpg"]), tmp_path / "a.json")
    assert found.imgs[1]["file_name"] == "caf\ufffd.jpg"


@pytest.mark.parametrize("time", [None, 1.5])
def test_only_frames_of_a_video_have_a_time(tmp_path: Path, time: float | None) -> None:
    coco.write(Labels("", (frame(0, [face(0)], time=time),)), tmp_path / "a.json")
    image = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["images"][0]
    assert image.get("time") == time
