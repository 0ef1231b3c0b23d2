"""Face regions beside pictures, as exiftool and an XML parser read them."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from core.errors import BadInput
from core.formats import xmp
from core.formats.text import xml_text
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, NAMES, album, face, film, frame, hostile, source

RS = f"{{{xmp.SPACES['mwg-rs']}}}"


def exiftool(*files: Path) -> list[dict[str, Any]]:
    program = shutil.which("exiftool")
    if program is None:
        pytest.skip("exiftool is not installed: apt-get install libimage-exiftool-perl")
    done = subprocess.run([program, "-json", "-struct", "-n", "-XMP:all", *map(str, files)], capture_output=True, check=True)
    assert done.stderr == b""
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def names(text: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(text.encode()).iter(f"{RS}Name")]


def test_exiftool_reads_the_regions(tmp_path: Path) -> None:
    faces = [face(0, "Zoë & <Ann>", Box(64, 48, 192, 144)), face(1, "", Box(-10, 400, 50, 500))]
    pictures = source(kind="pictures", title="p")
    xmp.write(Labels("", (frame(0, faces, of=pictures, path="a b/ç.jpg"),)), tmp_path / "out")
    found = exiftool(tmp_path / "out/a b/ç.jpg.xmp")[0]
    assert found["RegionInfo"] == {
        "AppliedToDimensions": {"W": 640, "H": 480, "Unit": "pixel"},
        "RegionList": [
            {"Name": "Zoë & <Ann>", "Type": "Face", "Area": {"X": 0.2, "Y": 0.2, "W": 0.2, "H": 0.2, "Unit": "normalized"}},
            {"Type": "Face", "Area": {"X": 0.039062, "Y": 0.916667, "W": 0.078125, "H": 0.166667, "Unit": "normalized"}},
        ],
    }
    assert found["RegionInfoMP"] == {
        "Regions": [
            {"PersonDisplayName": "Zoë & <Ann>", "Rectangle": "0.100000, 0.100000, 0.200000, 0.200000"},
            {"Rectangle": "0.000000, 0.833333, 0.078125, 0.166667"},
        ]
    }


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
