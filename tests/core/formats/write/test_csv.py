"""The table of faces, its columns and cells; and the table of answers."""

import csv as standard
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core import NOBODY, Prediction
from core.formats.write import csv
from core.formats.write.csv import prediction_csv
from core.formats.write.text import writable
from core.prediction import Scores
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, album, face, film, frame, hostile

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


# --- Answers ---------------------------------------------------------------------------------------------------------


def prediction(names: tuple[str, ...], name: list[int], confidence: list[float]) -> Prediction:
    none = np.zeros(0, dtype=np.int64)
    return Prediction(names, np.array(name), np.array(confidence), Scores(none, none, np.zeros(0)))


def test_csv_by_hand() -> None:
    text = prediction_csv(prediction(("Ross", "Rachel"), [1, NOBODY, 0], [0.5, 1.0, 1 / 3]))
    assert text == "face,name,confidence\n0,Rachel,0.500000\n1,,1.000000\n2,Ross,0.333333\n"


def test_csv_of_no_faces_is_its_header() -> None:
    assert prediction_csv(prediction((), [], [])) == "face,name,confidence\n"


@pytest.mark.parametrize("name", ['Dwayne "The Rock" Johnson', "Ross, Geller", "two\nlines", "a\rb", "Zoë", " Ross "])
def test_csv_gives_back_every_name(name: str) -> None:
    text = prediction_csv(prediction((name,), [0, NOBODY], [0.25, 1.0]))
    rows = list(standard.reader(io.StringIO(text, newline="")))
    assert rows == [["face", "name", "confidence"], ["0", name, "0.250000"], ["1", "", "1.000000"]]
