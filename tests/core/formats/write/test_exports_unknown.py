"""A face of which nobody has said yet who it is leaves without a name, and, where a format allows, as unknown."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

from core.formats.write.exports import export
from core.formats.write.outgoing import counted, filtered
from core.records import Labels
from tests.core.formats.made import face, frame

GUESS = "Ross"


def labels(crop: Path | None = None) -> Labels:
    """A name, nobody, and a guess that is too unsure to be given."""
    faces = [
        face(0, "Monica", confidence=0.9, crop=crop),
        face(1, "", confidence=0.8, crop=crop),
        face(2, GUESS, confidence=0.4, crop=crop),
    ]
    return Labels("film", (frame(0, faces, time=1.0),))


def written(format: str, folder: Path, crop: Path | None = None) -> Path:
    path = folder / f"out.{format}"
    export(labels(crop), format, path)
    return path


def test_counts_and_filters_tell_unknown_from_nobody() -> None:
    found = counted(labels())
    assert (found.faces, found.names, found.nobody, found.unknown) == (3, 1, 1, 1)
    assert [one.name for one in filtered(labels(), without_nobody=True).frames[0].faces] == ["Monica"]


def test_a_person_who_says_so_is_believed_however_unsure_the_run_was() -> None:
    said = face(0, GUESS, confidence=0.1, state="corrected")
    assert (said.name, said.answer) == (GUESS, "name")


def test_formats_with_a_label_for_each_face_say_unknown(tmp_path: Path) -> None:
    document = json.loads(written("coco", tmp_path).read_text())
    called = {one["id"]: one["name"] for one in document["categories"]}
    assert [called[one["category_id"]] for one in document["annotations"]] == ["Monica", "nobody", "unknown"]
    root = ET.fromstring(written("cvat", tmp_path).read_text())
    assert [box.get("label") for box in root.iter("box")] == ["Monica", "nobody", "unknown"]
    (task,) = json.loads(written("label-studio", tmp_path).read_text())
    regions = task["predictions"][0]["result"]
    assert [region["value"]["rectanglelabels"] for region in regions] == [["Monica"], ["nobody"], ["unknown"]]


def test_crops_of_unknown_faces_have_a_folder_of_their_own(tmp_path: Path) -> None:
    crop = tmp_path / "crop.jpg"
    crop.write_bytes(b"a picture")
    folder = written("lfw", tmp_path, crop)
    assert sorted(path.name for path in folder.iterdir()) == ["Monica", "names.csv", "nobody", "unknown"]


def test_the_graph_and_the_intervals_tell_them_apart(tmp_path: Path) -> None:
    text = written("graphml", tmp_path).read_text()
    assert [text.count(f'<data key="node-answer">{kind}</data>') for kind in ("name", "nobody", "unknown")] == [1, 1, 1]
    rows = list(csv.DictReader(written("intervals", tmp_path).read_text().splitlines()))
    assert sorted((row["name"], row["answer"]) for row in rows) == [("", "nobody"), ("", "unknown"), ("Monica", "name")]


def test_no_format_writes_the_guess(tmp_path: Path) -> None:
    for format in ("csv", "coco", "cvat", "label-studio", "graphml", "intervals", "webvtt", "srt", "elan"):
        assert GUESS not in written(format, tmp_path).read_text(), format
