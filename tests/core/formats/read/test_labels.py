"""Label files of other programs: what they say, and one sentence for what is broken."""

import json
from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats.read.labels import parse_labels, read_labels
from core.formats.write.exports import export
from core.formats.write.text import writable, xml_text
from core.records import Labels
from tests.core.formats.made import album, film, hostile

COCO = {
    "images": [{"id": 3, "file_name": "a/1.jpg", "width": 200, "height": 100}],
    "categories": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "face"}, {"id": 3, "name": "dog", "supercategory": "animal"}],
    "annotations": [
        {"image_id": 3, "category_id": 1, "bbox": [10, 20, 30, 40]},
        {"image_id": 3, "category_id": 2, "bbox": [50, 20, 30, 40], "attributes": {"name": "Bo"}},
        {"image_id": 3, "category_id": 2, "bbox": [90, 20, 30, 40]},
        {"image_id": 3, "category_id": 3, "bbox": [90, 20, 30, 40]},
        {"image_id": 3, "category_id": 1, "bbox": [150, 20, 30, 40], "score": 0.7},
    ],
}


def parsed(document: object) -> list[tuple[str, tuple[float, ...], str, str]]:
    text = document if isinstance(document, str) else json.dumps(document)
    found = parse_labels(text.encode(), "labels")
    return [(box.name, (box.left, box.top, box.right, box.bottom), box.author, box.state) for box in found.boxes]


def test_coco_names_by_category_or_attribute():
    assert parsed(COCO) == [
        ("Ann", (10, 20, 40, 60), "", ""),
        ("Bo", (50, 20, 80, 60), "", ""),
        ("Ann", (150, 20, 180, 60), "", "predicted"),
    ]


def test_label_studio_people_and_programs():
    def region(name: str, x: float) -> dict[str, object]:
        return {"id": f"r{x}", "value": {"x": x, "y": 10, "width": 20, "height": 30, "rectanglelabels": [name]}}

    drawn = {"id": "q", "value": {"x": 1, "y": 1, "width": 2, "height": 2}}
    typed = {"id": "q", "value": {"text": ["Cleo"], "x": 1, "y": 1, "width": 2, "height": 2}}
    task = {
        "data": {"image": "/data/upload/1/0a1b2c3d-me.jpg"},
        "annotations": [
            {"completed_by": {"email": "ann@x.org"}, "result": [region("Bo", 5), drawn, typed]},
            {"was_cancelled": True, "result": [region("Dev", 5)]},
        ],
        "predictions": [{"model_version": "net", "result": [region("Bo", 50)]}],
    }
    assert parsed([task]) == [
        ("Bo", (5, 10, 25, 40), "ann@x.org", ""),
        ("Cleo", (1, 1, 3, 3), "ann@x.org", ""),
        ("Bo", (50, 10, 70, 40), "net", "predicted"),
    ]
    short = [{"image": "1.jpg", "label": [{"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["Ann"]}]}]
    assert parsed(short) == [("Ann", (1, 2, 4, 6), "", "")]


def test_cvat_with_its_owner():
    xml = """<annotations><meta><task><owner><username>ann</username></owner></task></meta>
    <image name="1.jpg" width="100" height="80"><box label="Bo" xtl="1" ytl="2" xbr="30" ybr="40" source="manual"/>
    <box label="face" xtl="1" ytl="2" xbr="30" ybr="40"><attribute name="name">Cleo</attribute></box>
    <box label="Bo" xtl="1" ytl="2" xbr="30" ybr="40" source="auto"/></image></annotations>"""
    found = [(name, author, state) for name, _, author, state in parsed(xml)]
    assert found == [("Bo", "ann", ""), ("Cleo", "ann", ""), ("Bo", "ann", "predicted")]
    with pytest.raises(BadInput, match="CVAT for video"):
        parsed("<annotations><track/></annotations>")


def test_tables_of_others():
    assert parsed("filename;xmin;ymin;xmax;ymax;label\n1.jpg;1;2;3;4;Ann\n1.jpg;1;2;3;4;face\n") == [
        ("Ann", (1, 2, 3, 4), "", "")
    ]
    assert parsed("image,x,y,w,h,name\n1.jpg,1,2,3,4,Zoë\n") == [("Zoë", (1, 2, 4, 6), "", "")]


@pytest.mark.parametrize("labels", [album(["Zoë", "nobody", "", "unknown", "Ann"]), film([["Ann", ""], ["Bo"]]), hostile()])
@pytest.mark.parametrize("format", ["csv", "coco", "label-studio", "cvat"])
def test_what_rollcall_writes_it_reads_with_the_same_names(format: str, labels: Labels, tmp_path: Path):
    path = tmp_path / "labels"
    export(labels, format, path)
    fit = xml_text if format in ("cvat", "label-studio") else writable
    told = [
        (" ".join(fit(face.name).split()), face.answer == "nobody", face.state)
        for frame in labels.frames
        for face in frame.faces
        if face.answer != "unknown" and face.state != "predicted"
    ]
    found = read_labels(path)
    read = [(box.name, box.nobody, box.state) for box in found.boxes if box.state != "predicted"]
    assert sorted(read) == sorted(told)
    assert not found.troubles


def test_absurd_boxes_are_told_and_the_others_kept():
    absurd = [[5, 5, 0, 9], [500, 5, 9, 9], [float("nan"), 1, 2, 3], "here", [1, 2], [-90, 0, 50, 50], [1e300, 0, 9, 9]]
    extra = [{"image_id": 3, "category_id": 1, "bbox": box} for box in absurd]
    lost = {"image_id": 99, "category_id": 1, "bbox": [1, 1, 9, 9]}
    found = parse_labels(json.dumps(COCO | {"annotations": [*extra, lost, *COCO["annotations"][:1]]}).encode(), "x")
    assert [box.name for box in found.boxes] == ["Ann"]
    assert len(found.troubles) == len(absurd) + 1
    assert "has no area" in found.troubles[0]
    assert "lies nowhere in the picture" in found.troubles[1]


def test_a_zero_byte_in_a_name_is_told_and_the_others_kept():
    table = b"image,left,top,right,bottom,name\na.jpg,1,2,30,40,A\0my\na.jpg,50,2,90,40,Joey\n"
    found = parse_labels(table, "x")
    assert [box.name for box in found.boxes] == ["Joey"]
    assert "zero byte" in found.troubles[0]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"{}", b"<a>", b"<annotations/>", b"\xff\xfe\x00", b"a,b\n1,2\n", b"[[1]]", b"[" * 100_000),
        b'{"images": 1, "annotations": [1]}',
        b'<!DOCTYPE a [<!ENTITY b "c">]><annotations>&b;</annotations>',
        b"name,image,left,top,right,bottom\n,,,,,\n",
    ],
)
def test_broken_files_get_one_sentence(content: bytes):
    with pytest.raises(BadInput) as told:
        parse_labels(content, "labels.json")
    assert str(told.value).startswith("labels.json: ")
    assert "\n" not in str(told.value)
