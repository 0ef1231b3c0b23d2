"""The table of faces read back, and everything that is no such table."""

from pathlib import Path

import pytest
from hypothesis import given

from core.errors import BadInput
from core.formats.read import csv
from core.formats.write import csv as table
from core.formats.write.text import writable
from core.records import Box, Labels
from tests.core.formats.made import NAMES, album, hostile

CONTRACT = "source,time,face,left,top,right,bottom,name,confidence,state,annotator"


def written(labels: Labels, path: Path) -> Path:
    table.write(labels, path)
    return path


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
