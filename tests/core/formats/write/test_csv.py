"""The table of faces, its columns and cells; and the table of answers."""

import csv as standard
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core import NOBODY, Prediction
from core.formats.write import csv
from core.formats.write.csv import prediction_csv, prediction_json
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
        f"{CONTRACT},frame,caption,track,answer",
        "film.mp4,0,0,10,20,90,120,Ross,0.500000,predicted,,0,They talk.,,name",
        "film.mp4,0,1,110,20,190,120,,0.510000,predicted,,0,They talk.,,nobody",
        'film.mp4,2,2,10,20,90,120,"Zoë, A.",0.500000,predicted,,1,They talk.,,name',
    ]


def test_a_picture_is_called_by_its_path_and_has_no_time(tmp_path: Path) -> None:
    path = written(album(["Ross"], ["a b/c.jpg"]), tmp_path / "a.csv")
    row = path.read_text(encoding="utf-8").splitlines()[1]
    assert row.startswith("a b/c.jpg,,0,100,50,180,150,Ross,1.000000,confirmed,Ann,")


def test_parts_of_pixels_and_tracks_are_told(tmp_path: Path) -> None:
    labels = Labels("", (frame(3, [face(7, "A", Box(-1.256, 0, 10.5, 20.0), frame=3, track=4)], time=1.23456),))
    row = written(labels, tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()[1]
    assert row == "film.mp4,1.235,7,-1.26,0,10.5,20,A,0.750000,predicted,,3,,4,name"


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
    assert text == "face,name,confidence,answer\n0,Rachel,0.500000,name\n1,,1.000000,nobody\n2,Ross,0.333333,unknown\n"


def test_csv_of_no_faces_is_its_header() -> None:
    assert prediction_csv(prediction((), [], [])) == "face,name,confidence,answer\n"


@pytest.mark.parametrize("name", ['Dwayne "The Rock" Johnson', "Ross, Geller", "two\nlines", "a\rb", "Zoë", " Ross "])
def test_csv_gives_back_every_name(name: str) -> None:
    text = prediction_csv(prediction((name,), [0, NOBODY], [0.25, 1.0]))
    rows = list(standard.reader(io.StringIO(text, newline="")))
    assert [row[:3] for row in rows] == [["face", "name", "confidence"], ["0", name, "0.250000"], ["1", "", "1.000000"]]


def test_json_tells_the_same_as_the_table() -> None:
    answers = prediction(("Ross",), [0, NOBODY, 0], [0.75, 1.0, 0.25])
    table = list(standard.DictReader(io.StringIO(prediction_csv(answers))))
    assert [{key: str(value) for key, value in row.items()} for row in json.loads(prediction_json(answers))] == [
        row | {"confidence": str(float(row["confidence"]))} for row in table
    ]


def test_the_name_of_an_unknown_face_is_not_exported(tmp_path: Path) -> None:
    labels = Labels("", (frame(0, [face(0, "Ross", confidence=0.4), face(1, "Ross", confidence=0.6)]),))
    rows = list(standard.DictReader(io.StringIO(written(labels, tmp_path / "a.csv").read_text(encoding="utf-8"))))
    assert [(row["name"], row["answer"]) for row in rows] == [("", "unknown"), ("Ross", "name")]
