"""Hostile names, titles, captions and paths, on the terminal and in every file that is handed over."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import defusedxml.ElementTree as ET
import pytest

from core.cli.main import main
from core.formats.write.exports import EXPORTS
from core.store.project import Project
from tests.hostile import ANNOTATOR, NAMES, hostile_project

STEERING = {"Cc", "Cf", "Zl", "Zp", "Cs"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with hostile_project(tmp_path_factory.mktemp("hostile") / "film") as made:
        made.database.run("UPDATE source SET title = 'film.mp4'")
        yield made


def steering(text: str) -> set[str]:
    """What in a text would steer a terminal or turn its lines around."""
    return {c for c in text if unicodedata.category(c) in STEERING and c != "\n"}


def test_the_log_on_a_terminal_shows_signs_and_does_not_obey_them(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "--project", str(project.folder)]) == 0
    said = capsys.readouterr().out
    assert steering(said) == set()
    assert "\\x1b[31mred\\x1b[0m \\x9b31m" in said
    assert "\\u202egpj.exe" in said
    assert len(said.splitlines()) == len(project.log().entries)
    assert main(["log", "--project", str(project.folder), "--json"]) == 0
    told = capsys.readouterr().out
    assert steering(told) == set()
    assert {entry["who"] for entry in json.loads(told)} == {ANNOTATOR, "Ann"}


@pytest.mark.parametrize("name", ["\x1b]0;title\x07.npz", "a\nb.npz", "\u202enpz", "\x9b31m.npz"])
def test_nor_do_complaints(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert steering(said) == set()
    assert said.count("\n") == 1


@pytest.mark.parametrize("format", [format for format in EXPORTS if format not in ("xmp", "captions", "texts")])
def test_no_file_that_is_handed_over_is_more_than_data(project: Project, tmp_path: Path, format: str) -> None:
    out = tmp_path / f"out{EXPORTS[format].suffix}"
    project.export(format, out)
    assert [path for path in tmp_path.iterdir() if path != out] == []
    if out.suffix in (".xml", ".eaf", ".graphml"):
        texts = {text for node in ET.parse(out).iter() for text in (node.text, *node.attrib.values()) if text}
        assert {NAMES[1], NAMES[2], NAMES[8]} <= texts
        assert not {node.tag for node in ET.parse(out).iter()} & {"script", "img", "svg", "b", "a"}
    elif out.suffix == ".csv":
        with out.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert f"'{NAMES[11]}" in cells
    elif out.suffix in (".vtt", ".srt"):
        assert not re.search(r"<(?!/?[0-9])", out.read_text(encoding="utf-8"))
        assert "\x1b" not in out.read_text(encoding="utf-8")
    elif out.suffix == ".json":
        assert NAMES[1] in json.dumps(json.loads(out.read_text(encoding="utf-8")), ensure_ascii=False).replace('\\"', '"')
    elif format == "lfw":
        assert {path.parent.parent for path in out.rglob("*.jpg")} == {out}
