"""The commands for several annotators, and those about sources, as a script would call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.store.project import Change, Project
from tests.made import made_project


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made_project(tmp_path / "film", frames=6, kind="pictures").close()
    return tmp_path / "film"


def test_frames_are_given_and_agreement_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assign", "--project", str(folder), "--to", "Ann,Bob", "--double", "0.5", "--as", "Eve"]) == 0
    assert "6 frames given to 2 people" in capsys.readouterr().out
    with Project.open(folder, "Ann") as ann, Project.open(folder, "Bob") as bob:
        for face in ann.faces():
            ann.decide("Ann", Change("is", face=face.id, name="Anna"), seen=0)
            bob.decide("Bob", Change("is", face=face.id, name="Anna" if face.id % 2 else "Boris"), seen=0)
    assert main(["team", "--project", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [member["who"] for member in told["members"]] == ["Ann", "Bob"]
    assert len(told["differences"]) == len([a for a in told["differences"] if len(a["answers"]) == 2]) > 0
    assert told["agreement"][0]["days"][0]["faces"] == 14
    assert main(["assign", "--project", str(folder), "--to", "Ann", "--take-back"]) == 0
    assert main(["team", "--project", str(folder)]) == 0
    assert "Ann: 0 of 0 frames done" in capsys.readouterr().out
    assert main(["assign", "--project", str(folder), "--to", "Ann", "--double", "0.5"]) == 2
    assert "two people are needed" in capsys.readouterr().err


def test_sources_are_listed_recaptioned_and_taken_out(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sources", "--project", str(folder), "--json"]) == 0
    (source,) = json.loads(capsys.readouterr().out)
    assert (source["id"], source["kind"]) == (1, "pictures")
    (tmp_path / "table.csv").write_text("image,caption\npicture-000.jpg,Zelda sings.\n")
    given = ["captions", "--project", str(folder), "--captions", str(tmp_path / "table.csv"), "--source"]
    assert main([*given, "9"]) == 2
    assert "the project has 1 (film.mp4)" in capsys.readouterr().err
    assert main([*given, "film.mp4"]) == 0
    assert "1 caption replaced; captions from table.csv" in capsys.readouterr().out
    assert main(["export", "--project", str(folder), "--format", "xmp", "--beside", "--dry-run"]) == 0
    assert "6 left alone (nothing was written)" in capsys.readouterr().out
    assert main(["export", "--project", str(folder), "--format", "csv", "--beside"]) == 2
    assert main(["remove", "--project", str(folder), "--source", "1", "--as", "Eve"]) == 0
    assert main(["log", "--project", str(folder)]) == 0
    assert "Eve: took film.mp4 (14 faces) out" in capsys.readouterr().out


def test_a_preview_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    (tmp_path / "album").mkdir()
    Image.new("RGB", (20, 20)).save(tmp_path / "album" / "a.png")
    command = ["ingest", "--project", str(tmp_path / "p"), "--images", str(tmp_path / "album"), "--preview"]
    assert main(command) == 0
    assert "Captions: none found: all pictures come in without one" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pictures"], told["uncaptioned"], told["known"]) == (1, 1, 0)
    assert not (tmp_path / "p").exists()
