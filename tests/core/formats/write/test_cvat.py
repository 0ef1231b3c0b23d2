"""CVAT's XML, as Datumaro (the library CVAT itself reads with) understands it."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given

from core.formats.write import cvat
from core.formats.write.text import xml_text
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, NAMES, album, face, film, frame, hostile

Found = list[tuple[str, str, list[float]]]


def read(labels: Labels, path: Path) -> Found:
    """(picture, name, box) as Datumaro finds them; it asks for the pictures to be there, whatever they hold."""
    cvat.write(labels, path)
    for image in ET.parse(path).getroot().findall("image"):
        picture = path.parent / "images" / image.get("name", "")
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.touch()
    from datumaro.components.annotation import AnnotationType  # takes seconds to load
    from datumaro.plugins.data_formats.cvat.base import CvatBase

    dataset = CvatBase(str(path))
    titles = [category.name for category in dataset.categories()[AnnotationType.label].items]
    return [(item.id, titles[box.label], box.points) for item in dataset for box in item.annotations]


def test_datumaro_finds_every_face_with_its_name(tmp_path: Path) -> None:
    found = read(film([["Ross", ""], [], ["Ross"]]), tmp_path / "a.xml")
    assert found == [
        ("film.mp4/000000_0.000", "Ross", [10, 20, 90, 120]),
        ("film.mp4/000000_0.000", "nobody", [110, 20, 190, 120]),
        ("film.mp4/000002_4.000", "Ross", [10, 20, 90, 120]),
    ]


def test_attributes_tell_who_said_so_and_how_sure(tmp_path: Path) -> None:
    cvat.write(
        Labels("", (frame(0, [face(0, "A", state="corrected", annotator="Ann", confidence=1.0), face(1, "B")]),)),
        tmp_path / "a.xml",
    )
    boxes = ET.parse(tmp_path / "a.xml").getroot().findall("image/box")
    told = [{a.get("name"): a.text or "" for a in box} for box in boxes]
    assert told[0] == {"confidence": "1", "state": "corrected", "annotator": "Ann"}
    assert told[1] == {"confidence": "0.75", "state": "predicted", "annotator": ""}
    assert [box.get("source") for box in boxes] == ["manual", "auto"]


def test_the_document_has_what_the_format_asks_for(tmp_path: Path) -> None:
    cvat.write(film([["Ross"], []]), tmp_path / "a.xml")
    root = ET.parse(tmp_path / "a.xml").getroot()
    assert (root.tag, root.findtext("version"), root.findtext("meta/task/mode")) == ("annotations", "1.1", "annotation")
    assert root.findtext("meta/task/size") == "2" == str(len(root.findall("image")))
    assert [label.findtext("name") for label in root.findall("meta/task/labels/label")] == ["nobody", "Ross"]
    for image in root.findall("image"):
        assert (image.get("width"), image.get("height")) == ("640", "480")
    for box in root.findall("image/box"):
        assert set(box.attrib) == {"label", "source", "occluded", "xtl", "ytl", "xbr", "ybr", "z_order"}


def test_boxes_stay_inside_and_unknown_ones_are_left_out(tmp_path: Path) -> None:
    faces = [face(0, "A", Box(-3, 400, 40, 500)), face(1, "B", Box(0, 0, 0, 0))]
    assert read(Labels("", (frame(0, faces),)), tmp_path / "a.xml") == [("film.mp4/000000", "A", [0, 400, 40, 480])]


def test_hostile_names_come_back(tmp_path: Path) -> None:
    assert [name for _, name, _ in read(album(HOSTILE), tmp_path / "a.xml")] == [xml_text(name) for name in HOSTILE]


def test_hostile_paths_come_back(tmp_path: Path) -> None:
    labels = hostile()
    cvat.write(labels, tmp_path / "a.xml")
    images = ET.parse(tmp_path / "a.xml").getroot().findall("image")
    assert [image.get("name") for image in images] == [xml_text(shown.frame.path) for shown in labels.frames]


@given(name=NAMES, path=NAMES)
def test_any_name_is_held_by_the_xml(tmp_path_factory: pytest.TempPathFactory, name: str, path: str) -> None:
    file = tmp_path_factory.mktemp("cvat") / "a.xml"
    cvat.write(album([name], [path]), file)
    image = ET.parse(file).getroot().find("image")
    assert image is not None
    assert image.get("name") == xml_text(path)
    assert [box.get("label") for box in image] == [xml_text(name)]


def test_two_names_that_xml_makes_the_same_stay_two(tmp_path: Path) -> None:
    assert [name for _, name, _ in read(film([["a\x01", "a\x02"]]), tmp_path / "a.xml")] == ["a\ufffd", "a\ufffd (2)"]
