"""Face regions beside pictures, as Exiv2 and an XML parser read them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pyexiv2
import pytest
from hypothesis import given

from core.errors import BadInput
from core.formats.write import xmp
from core.formats.write.text import xml_text
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, NAMES, album, face, film, frame, hostile, source

RS = f"{{{xmp.SPACES['mwg-rs']}}}"


def exiv2(path: Path) -> dict[str, str]:
    """What Exiv2, which darktable, digiKam and GIMP read pictures with, finds in a file."""
    image = pyexiv2.Image(str(path))
    try:
        found: dict[str, str] = image.read_xmp()
    finally:
        image.close()
    return found


def names(text: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(text.encode()).iter(f"{RS}Name")]


def digikam(found: dict[str, str]) -> list[list[str]]:
    """What digiKam takes from it, as its getImageFacesMap does: both lists, each up to the first region without a name."""
    layouts = (
        ("Xmp.MP.RegionInfo/MPRI:Regions", "MPReg:PersonDisplayName", ["MPReg:Rectangle"]),
        ("Xmp.mwg-rs.Regions/mwg-rs:RegionList", "mwg-rs:Name", [f"mwg-rs:Area/stArea:{side}" for side in "xywh"]),
    )
    read = []
    for place, name, parts in layouts:
        people, number = [], 1
        while found.get(f"{place}[{number}]/{name}"):
            assert all(found[f"{place}[{number}]/{part}"] for part in parts)
            people.append(found[f"{place}[{number}]/{name}"])
            number += 1
        read.append(people)
    return read


def test_digikam_finds_everybody_behind_a_face_without_a_name(tmp_path: Path) -> None:
    faces = [face(0, "", Box(10, 10, 50, 60)), face(1, "Ann", Box(64, 48, 192, 144)), face(2, "Bo", Box(300, 48, 392, 144))]
    pictures = source(kind="pictures", title="p")
    xmp.write(Labels("", (frame(0, faces, of=pictures, path="a.jpg"),)), tmp_path / "out")
    assert digikam(exiv2(tmp_path / "out/a.jpg.xmp")) == [["Ann", "Bo"], ["Ann", "Bo"]]


def test_another_program_reads_the_regions(tmp_path: Path) -> None:
    faces = [face(0, "Zoë & <Ann>", Box(64, 48, 192, 144)), face(1, "", Box(-10, 400, 50, 500))]
    pictures = source(kind="pictures", title="p")
    xmp.write(Labels("", (frame(0, faces, of=pictures, path="a b/ç.jpg"),)), tmp_path / "out")
    found = exiv2(tmp_path / "out/a b/ç.jpg.xmp")
    regions = "Xmp.mwg-rs.Regions/mwg-rs:"
    size = {
        key.rpartition(":")[2]: text for key, text in found.items() if key.startswith(f"{regions}AppliedTo") and "/st" in key
    }
    assert size == {"w": "640", "h": "480", "unit": "pixel"}
    areas = [
        {side: found[f"{regions}RegionList[{k}]/mwg-rs:Area/stArea:{side}"] for side in ("x", "y", "w", "h", "unit")}
        for k in (1, 2)
    ]
    assert areas == [
        {"x": "0.200000", "y": "0.200000", "w": "0.200000", "h": "0.200000", "unit": "normalized"},
        {"x": "0.039062", "y": "0.916667", "w": "0.078125", "h": "0.166667", "unit": "normalized"},
    ]
    assert [found[f"{regions}RegionList[{k}]/mwg-rs:Type"] for k in (1, 2)] == ["Face", "Face"]
    assert found[f"{regions}RegionList[1]/mwg-rs:Name"] == "Zoë & <Ann>"
    assert f"{regions}RegionList[2]/mwg-rs:Name" not in found
    microsoft = "Xmp.MP.RegionInfo/MPRI:Regions"
    assert found[f"{microsoft}[1]/MPReg:PersonDisplayName"] == "Zoë & <Ann>"
    assert f"{microsoft}[2]/MPReg:PersonDisplayName" not in found
    assert found[f"{microsoft}[1]/MPReg:Rectangle"] == "0.100000, 0.100000, 0.200000, 0.200000"
    assert found[f"{microsoft}[2]/MPReg:Rectangle"] == "0.000000, 0.833333, 0.078125, 0.166667"


def test_every_picture_with_a_face_has_a_file_beside_it(tmp_path: Path) -> None:
    labels = album(["A", "B"], ["x/1.jpg", "_odd.name_.png"])
    pictures = labels.frames[0].source
    more = (*labels.frames, frame(2, of=pictures, path="empty.jpg"), *film([["C"]]).frames)
    xmp.write(Labels("", more), tmp_path / "out")
    files = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.xmp"))
    assert files == ["_odd.name_.png.xmp", "x/1.jpg.xmp"]


def test_hostile_names_and_paths_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    labels = hostile()
    xmp.write(labels, tmp_path / "a" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]
    files = [path for path in (tmp_path / "a/out").rglob("*") if path.is_file()]
    assert len(files) == len(HOSTILE)
    written = [name for path in files for name in names(path.read_text(encoding="utf-8"))]
    assert sorted(written) == sorted(xml_text(name) for name in HOSTILE)


@given(name=NAMES)
def test_any_name_is_held_by_the_xml(name: str) -> None:
    assert names(xmp.sidecar(album([name]).frames[0])) == [xml_text(name)]


@pytest.mark.parametrize(
    "path", ["/etc/x.jpg", "../../x.jpg", "a/../../x.jpg", "..\\x.jpg", "..", "", "a\0b.jpg", "y" * 300]
)
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    xmp.write(album(["A"], [path]), tmp_path / "out")
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    assert len([entry for entry in (tmp_path / "out").rglob("*") if entry.is_file()]) == 1


def test_without_faces_in_pictures_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no picture has a face"):
        xmp.write(film([["A"]]), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
