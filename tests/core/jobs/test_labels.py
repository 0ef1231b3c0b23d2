"""Labels of other programs become decisions of their authors; what is broken is told, and nothing is lost."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs.ingest import ingest
from core.jobs.intake import offered
from core.jobs.labels import take_labels
from core.jobs.requests import IngestPictures
from core.records import Box, NewFace, NewFrame, NewSource, NewTrack
from core.store.project import Change, Project
from tests.core.jobs.ingest.test_tags import said
from tests.core.media.films import plain
from tests.core.media.pretended import pretended_finder


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    folder.mkdir()
    for name, colour in (("a.png", (200, 10, 10)), ("b.png", (10, 200, 10))):
        Image.fromarray(plain(colour)).save(folder / name)
    return folder


def taken_in(folder: Path, album: Path) -> tuple[Project, str]:
    made = Project.create(folder)
    return made, ingest(made, IngestPictures(album), finder=pretended_finder()).text()


def coco(*boxes: tuple[str, str, list[float]], **more: object) -> dict[str, object]:
    names = sorted({name for _, name, _ in boxes})
    return {
        "images": [{"id": image, "file_name": f"x/{image}", "width": 320, "height": 240} for image, *_ in boxes],
        "categories": [{"id": k, "name": name} for k, name in enumerate(names)],
        "annotations": [{"image_id": i, "category_id": names.index(n), "bbox": box} | more for i, n, box in boxes],
    }


@pytest.mark.parametrize("format", ["csv", "coco", "label-studio", "cvat"])
def test_round_trip_of_a_whole_project(format: str, album: Path, tmp_path: Path) -> None:
    project, _ = taken_in(tmp_path / "p", album)
    with project:
        one, two = project.faces()
        project.decide("Ann", Change("is", face=one.id, name="Zoë <b>"), Change("nobody", face=two.id))
        suffix = {"csv": "csv", "cvat": "xml"}.get(format, "json")
        project.export(format, album / f"labels.{suffix}")
    again, told = taken_in(tmp_path / "q", album)
    with again:
        assert said(again) == {"a.png": [("Ann", "Zoë <b>")], "b.png": [("Ann", "")]}
        assert "2 faces named by" in told
        before = len(again.log().entries)
        assert take_labels(again, album / f"labels.{suffix}", "Bo").there == 2
        assert len(again.log().entries) == before


def test_boxes_without_a_found_face_and_people_who_differ(album: Path, tmp_path: Path) -> None:
    project, _ = taken_in(tmp_path / "p", album)
    with project:
        one = project.faces()[0]
        project.decide("Ann", Change("is", face=one.id, name="Ann"))
        frame = project.frames([one.frame])[0]
        small = [frame.width - 30.0, frame.height - 30.0, 25.0, 25.0]
        whole = [one.box.left, one.box.top, one.box.right - one.box.left, one.box.bottom - one.box.top]
        file = tmp_path / "labels.json"
        document = coco(
            ("a.png", "Bo", whole), ("a.png", "Cleo", small), ("b.png", "Dev", [0, 0, 3, 3]), ("z.png", "Eve", whole)
        )
        for image in document["images"]:  # type: ignore[attr-defined]
            image |= {"width": frame.width, "height": frame.height}
        file.write_text(json.dumps(document))
        taken = take_labels(project, file, "me", finder=pretended_finder())
        assert (taken.named, taken.added) == (2, 1)
        assert "in the box of Dev there is nothing" in taken.troubles[0]
        assert "x/z.png is not in the project" in taken.troubles[1]
        assert said(project)["a.png"] == [("Ann", "Ann"), ("COCO", "Bo"), ("COCO", "Cleo")]
        assert one.id in project.log().conflicts  # both stand


def test_labels_of_a_picture_on_its_side_are_told(album: Path, tmp_path: Path) -> None:
    project, _ = taken_in(tmp_path / "p", album)
    with project:
        frame = project.frames()[0]
        document = coco(("a.png", "Bo", [1.0, 1.0, 50.0, 50.0]))
        document["images"][0] |= {"width": frame.height, "height": frame.width}  # type: ignore[index]
        (tmp_path / "labels.json").write_text(json.dumps(document))
        taken = take_labels(project, tmp_path / "labels.json", "me", finder=pretended_finder())
        assert taken.named == 0
        assert "is of a picture of another shape" in taken.troubles[0]


def test_a_broken_label_file_is_refused_or_told(album: Path, tmp_path: Path) -> None:
    broken = album / "labels.json"
    broken.write_text("{")
    project, told = taken_in(tmp_path / "p", album)
    with project:
        assert "labels.json: this is not JSON" in told
        assert project.count("face") == 2
        with pytest.raises(BadInput, match="this is not JSON"):
            ingest(project, IngestPictures(album, labels=broken), finder=pretended_finder())


def test_labels_dropped_as_captions_are_known(album: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(coco(("a.png", "Bo", [1.0, 1.0, 50.0, 50.0]))))
    offer = offered("pictures", album, file)
    assert isinstance(offer, IngestPictures)
    assert (offer.captions, offer.labels) == (None, file)


def test_labels_of_a_film_by_time_and_by_track(tmp_path: Path) -> None:
    boxes = tuple((0.25 * k, Box(10, 10, 60, 60)) for k in range(9))
    faces = [NewFace(np.ones(4, np.float32), Box(10, 10, 60, 60), track=0)]
    frames = [
        NewFrame("", [], faces, time=1.0, width=200, height=100),
        NewFrame("", [], [], time=9.0, width=200, height=100),
    ]
    with Project.create(tmp_path / "p") as project:
        source = NewSource("video", "/film.mp4", "film.mp4", "x", 10.0, (NewTrack(0.0, 2.0, boxes),))
        project.add(source, frames, "made")
        table = tmp_path / "labels.csv"
        table.write_text("source,time,left,top,right,bottom,name\nfilm.mp4,1.0,10,10,60,60,Ann\n")
        assert take_labels(project, table, "me").named == 1
        table.write_text(
            "source,time,left,top,right,bottom,name\nfilm.mp4,0.6,12,12,60,60,Bo\nfilm.mp4,5,12,12,60,60,Cleo\n"
        )
        taken = take_labels(project, table, "you")
        assert (taken.named, len(taken.troubles)) == (1, 1)
        answers = project.log().standing(project.faces()[0].id).answers
        assert [(one.who, project.log().text(one.name)) for one in answers] == [("me", "Ann"), ("you", "Bo")]
