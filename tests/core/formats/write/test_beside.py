"""XMP files beside the pictures themselves: what is not ours stays, byte by byte."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from pathlib import Path

import pyexiv2
import pytest
from PIL import Image

from core.errors import BadInput
from core.formats.read.picture_tags import read_tags
from core.formats.read.xmp import read_xmp
from core.formats.write.beside import in_words, plan, write_beside
from core.records import Box, Face, Frame, Labelled, LabelledFrame, Labels, Source
from tests.core.formats.read.test_xmp import packet, region, regions

SIZE = (400, 300)
ANN = Box(160, 90, 240, 210)


def labels(folder: Path, *faces: Labelled, orientation: int = 1, name: str = "a.jpg") -> Labels:
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = SIZE if orientation < 5 else SIZE[::-1]
    file = io.BytesIO()
    Image.new("RGB", stored).save(file, "JPEG", exif=exif)
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(file.getvalue())
    content = hashlib.sha256(file.getvalue()).hexdigest()
    source = Source(1, "pictures", str(folder), folder.name, "", None)
    frame = Frame(0, 1, None, name, *SIZE, "", None, None, content)
    return Labels("x", (LabelledFrame(frame, source, (), faces),))


def labelled(name: str, box: Box = ANN, state: str = "corrected", sure: float = 1.0, who: str = "Eve") -> Labelled:
    return Labelled(Face(0, 0, box, 1.0, "", None, None, None), name, sure, state, who)  # type: ignore[arg-type]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_what_is_written_is_read_again(tmp_path: Path, orientation: int) -> None:
    faces = (
        labelled("Ann <&> Zoë"),
        labelled("", Box(10, 10, 60, 90)),
        labelled("Bo", Box(300, 50, 380, 150), "predicted", 0.9, ""),
    )
    found = labels(tmp_path / "p", *faces, orientation=orientation)
    (planned,) = plan(found)
    assert (planned.kind, planned.path.name, planned.path.exists()) == ("new", "a.jpg.xmp", False)
    write_beside(found)
    tags = read_tags((tmp_path / "p/a.jpg").read_bytes(), planned.path.read_bytes())
    assert [(f.name, f.author, f.state, f.nobody) for f in tags.faces] == [
        ("Ann <&> Zoë", "Eve", "corrected", False),
        ("Bo", "Rollcall", "predicted", False),
        ("", "Eve", "corrected", True),
    ]
    edges = [(f.left * 400, f.top * 300, f.right * 400, f.bottom * 300) for f in tags.faces[:1]]
    assert edges[0] == pytest.approx((160, 90, 240, 210), abs=0.01)
    assert tags.persons == ("Ann <&> Zoë", "Bo")
    assert [one.kind for one in plan(found)] == ["same"]


OTHERS = (
    '<!-- by hand --><dc:description><rdf:Alt><rdf:li xml:lang="x-default">At the sea.</rdf:li></rdf:Alt></dc:description>'
    "<Iptc4xmpExt:PersonInImage><rdf:Seq><rdf:li>Grandma</rdf:li><rdf:li>Anna</rdf:li></rdf:Seq></Iptc4xmpExt:PersonInImage>"
)


def test_other_properties_regions_and_people_stay(tmp_path: Path) -> None:
    found = labels(tmp_path / "p", labelled("Ann"))
    theirs = regions(region("Anna"), region("Rex", ".1", ".1", ".1", ".1", "Pet"), region("Cleo", ".9", ".9", ".1", ".1"))
    before = packet(theirs + OTHERS)
    (tmp_path / "p/a.jpg.xmp").write_bytes(before)
    (planned,) = plan(found)
    assert (planned.kind, planned.names, planned.gone) == ("changed", ("Ann",), ("Anna",))
    assert (tmp_path / "p/a.jpg.xmp").read_bytes() == before
    write_beside(found)
    after = (tmp_path / "p/a.jpg.xmp").read_bytes()
    now = read_xmp(after)
    assert [face.name for face in now.faces] == ["Cleo", "Ann"]
    assert (now.persons, now.caption) == (("Grandma", "Ann"), "At the sea.")
    assert b"Rex" in after
    assert b"<!-- by hand -->" in after
    assert after.startswith(before[:300])
    assert after.endswith(before[-40:])
    assert in_words(plan(found)) == "1 same"
    other = pyexiv2.Image(str(tmp_path / "p/a.jpg.xmp"))  # by the library that digiKam uses
    try:
        read = other.read_xmp()
    finally:
        other.close()
    listed = {value for key, value in read.items() if key.endswith("mwg-rs:Name")}
    assert listed == {"Cleo", "Ann", "Rex"}
    assert read["Xmp.iptcExt.PersonInImage"] == ["Grandma", "Ann"]
    assert "At the sea." in str(read["Xmp.dc.description"])


def test_a_file_without_regions_gets_them_and_an_empty_description_too(tmp_path: Path) -> None:
    found = labels(tmp_path / "p", labelled("Ann"))
    empty = packet("").replace(b"></rdf:Description>", b"/>")
    (tmp_path / "p/a.xmp").write_bytes(empty)  # as Adobe calls it
    write_beside(found)
    assert not (tmp_path / "p/a.jpg.xmp").exists()
    assert [face.name for face in read_xmp((tmp_path / "p/a.xmp").read_bytes()).faces] == ["Ann"]


def test_what_we_only_think_does_not_replace_what_somebody_wrote(tmp_path: Path) -> None:
    found = labels(tmp_path / "p", labelled("Bo", state="predicted", sure=0.99, who=""))
    (tmp_path / "p/a.jpg.xmp").write_bytes(packet(regions(region("Ann"))))
    write_beside(found)
    now = read_xmp((tmp_path / "p/a.jpg.xmp").read_bytes())
    assert [face.name for face in now.faces] == ["Ann"]
    assert now.persons == ()


@pytest.mark.parametrize("damage", [b"<x:xmpmeta", b"", '<?xml version="1.0"?><a/>'.encode("utf-16")])
def test_a_damaged_file_is_left_alone(tmp_path: Path, damage: bytes) -> None:
    found = labels(tmp_path / "p", labelled("Ann"))
    (tmp_path / "p/a.jpg.xmp").write_bytes(damage)
    (planned,) = write_beside(found)
    assert planned.kind == "left alone"
    assert planned.why
    assert (tmp_path / "p/a.jpg.xmp").read_bytes() == damage


def test_a_picture_that_is_gone_changed_or_a_link_is_left_alone(tmp_path: Path) -> None:
    found = labels(tmp_path / "p", labelled("Ann"))
    frame = found.frames[0]
    other = replace(found, frames=(replace(frame, frame=replace(frame.frame, path="../b.jpg")),))
    assert plan(other)[0].why == "the picture is not there any more"
    (tmp_path / "outside.xmp").write_text("mine")
    (tmp_path / "p/a.jpg.xmp").symlink_to(tmp_path / "outside.xmp")
    assert "link" in plan(found)[0].why
    (tmp_path / "p/a.jpg").write_bytes(b"another")
    assert plan(found)[0].why == "the picture is another one now"
    assert (tmp_path / "outside.xmp").read_text() == "mine"


def test_pictures_without_a_face_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no picture has a face"):
        plan(labels(tmp_path / "p"))
