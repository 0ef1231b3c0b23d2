"""The table of faces: its columns, its cells, and the way back."""

import csv as standard
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given

from core.errors import BadInput
from core.formats import csv
from core.formats.text import writable
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, NAMES, album, face, film, frame, hostile

CONTRACT = "source,time,face,left,top,right,bottom,name,confidence,state,annotator"


def written(labels: Labels, path: Path) -> Path:
    csv.write(labels, path)
    return path


def test_the_columns_begin_as_agreed_and_every_face_has_a_row(tmp_path: Path) -> None:
    path = written(film([["Ross", ""], ["Zoë, A."]]), tmp_path / "a.csv")
    assert path.read_text(encoding="utf-8").splitlines() == [
        f"{CONTRACT},frame,caption,track",
        "film.mp4,0,0,10,20,90,120,Ross,0.500000,predicted,,0,They talk.,",
        "film.mp4,0,1,110,20,190,120,,0.510000,predicted,,0,They talk.,",
        'film.mp4,2,2,10,20,90,120,"Zoë, A.",0.500000,predicted,,1,They talk.,',
    ]


def test_a_picture_is_called_by_its_path_and_has_no_time(tmp_path: Path) -> None:
    path = written(album(["Ross"], ["a b/c.jpg"]), tmp_path / "a.csv")
    row = path.read_text(encoding="utf-8").splitlines()[1]
    assert row.startswith("a b/c.jpg,,0,100,50,180,150,Ross,1.000000,confirmed,Ann,")


def test_parts_of_pixels_and_tracks_are_told(tmp_path: Path) -> None:
    labels = Labels("", (frame(3, [face(7, "A", Box(-1.256, 0, 10.5, 20.0), frame=3, track=4)], time=1.23456),))
    row = written(labels, tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()[1]
    assert row == "film.mp4,1.235,7,-1.26,0,10.5,20,A,0.750000,predicted,,3,,4"


def test_no_cell_begins_like_a_formula(tmp_path: Path) -> None:
    path = written(hostile(), tmp_path / "a.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(standard.DictReader(file))
    assert len(rows) == len(HOSTILE)
    for row in rows:
        for column in ("source", "name", "annotator", "caption"):
            assert not row[column].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert "'=cmd|' /C calc'!A0" in {row["name"] for row in rows}


def test_pandas_reads_the_same_table(tmp_path: Path) -> None:
    path = written(hostile(), tmp_path / "a.csv")
    table = pd.read_csv(path, keep_default_na=False, dtype={"name": str}, lineterminator="\n")
    assert table["face"].tolist() == list(range(len(HOSTILE)))
    assert table["name"].tolist()[20:22] == [writable(name) for name in HOSTILE[20:22]]


def test_reading_gives_back_every_face(tmp_path: Path) -> None:
    labels = hostile()
    rows = csv.read(written(labels, tmp_path / "a.csv"))
    for row, shown in zip(rows, labels.frames, strict=True):
        label = shown.faces[0]
        assert row == csv.Row(
            source=writable(shown.frame.path),
            time=None,
            face=label.face.id,
            box=label.face.box,
            name=writable(label.name),
            confidence=label.confidence,
            state=label.state,
            annotator=writable(label.annotator),
            frame=shown.frame.id,
            caption=writable(shown.frame.caption),
            track=None,
        )


@given(name=NAMES)
def test_any_name_comes_back(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    for text in (name, f"={name}", f"'={name}", f"'{name}", f"\t{name}"):
        assert [row.name for row in csv.read(written(album([text]), path))] == [writable(text)]


def test_a_table_of_the_agreed_columns_alone_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{CONTRACT}\nx.jpg,,3,1,2,3,4,,0.5,corrected,Ann\n", encoding="utf-8-sig")
    row = csv.Row("x.jpg", None, 3, Box(1, 2, 3, 4), "", 0.5, "corrected", "Ann")
    assert csv.read(path) == [row]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "'source' is missing"),
        (b"source,time\n", "'face' is missing"),
        (f"{CONTRACT}\nx,,zero,1,2,3,4,,1,confirmed,\n".encode(), "row 2.*number"),
        (f"{CONTRACT}\nx,,0,1,2,3,4,,1,maybe,\n".encode(), "row 2.*'maybe'"),
        (f"{CONTRACT}\nx,,0,1,2\n".encode(), "row 2"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_what_is_no_such_table_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=words) as caught:
        csv.read(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        csv.read(tmp_path / "nowhere.csv")
