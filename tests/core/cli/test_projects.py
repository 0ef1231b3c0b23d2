"""The commands that work on a project, as a script would call them."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from core.cli.main import main
from core.store.project import Change, Project
from tests.core.cli.commands import check_refused, said
from tests.made import made_project


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_from_a_problem_to_clean_labels(problem, tmp_path, capsys):
    project, out = tmp_path / "p", tmp_path / "labels.csv"
    assert main(["ingest", "--project", str(project), "--problem", str(problem)]) == 0
    assert main(["run", "--project", str(project), "--json"]) == 0
    told = json.loads(said(capsys)[0].split("\n", 1)[1])
    assert told["faces"] == 10
    assert told["method"] == "rollcall"
    (tmp_path / "c.json").write_text('[{"face": 3, "kind": "is", "name": "Monica"}, {"face": 4, "kind": "nobody"}]')
    assert main(["correct", "--project", str(project), "--corrections", str(tmp_path / "c.json"), "--as", "Ann"]) == 0
    assert main(["run", "--project", str(project)]) == 0
    assert main(["export", "--project", str(project), "--format", "csv", "--out", str(out)]) == 0
    table = {int(row["face"]): row for row in rows(out)}
    assert len(table) == 10
    assert out.read_text().startswith("source,time,face,left,top,right,bottom,name,confidence,state,annotator,")
    assert (table[3]["name"], table[3]["state"], table[3]["annotator"]) == ("Monica", "corrected", "Ann")
    assert (table[4]["name"], table[4]["state"]) == ("", "corrected")
    assert (table[0]["source"], table[0]["time"], table[0]["state"]) == ("film.npz", "", "predicted")
    assert main(["export", "--project", str(project), "--format", "csv", "--out", str(out), "--confirmed"]) == 0
    assert {int(row["face"]) for row in rows(out)} == {3, 4}
    filters = ["--confirmed", "--without-nobody"]
    assert main(["export", "--project", str(project), "--format", "csv", "--out", str(out), *filters]) == 0
    assert {int(row["face"]) for row in rows(out)} == {3}


def test_the_log_is_readable(problem, tmp_path, capsys):
    project = tmp_path / "p"
    main(["ingest", "--project", str(project), "--problem", str(problem)])
    with Project.open(project) as opened:
        opened.decide("Ann", Change("is", face=0, name="Ross"))
        opened.decide("Bob", Change("nobody", face=1))
        opened.undo("Bob")
    said(capsys)
    assert main(["log", "--project", str(project)]) == 0
    lines = said(capsys)[0].splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("Ann: face 0 is Ross")
    assert lines[1].endswith("Bob: face 1 is nobody  (undone)")
    assert main(["log", "--project", str(project), "--json"]) == 0
    entries = json.loads(said(capsys)[0])
    assert [(entry["who"], entry["kind"]) for entry in entries] == [("Ann", "is"), ("Bob", "nobody"), ("Bob", "undo")]


def test_two_copies_are_merged(problem, tmp_path, capsys):
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    main(["ingest", "--project", str(mine), "--problem", str(problem)])
    shutil.copytree(mine, theirs)
    with Project.open(mine) as one, Project.open(theirs) as other:
        one.decide("Ann", Change("is", face=0, name="Ross"))
        other.decide("Bob", Change("is", face=0, name="Joey"))
    said(capsys)
    assert main(["merge", "--project", str(mine), str(theirs)]) == 0
    assert "1 decisions" in said(capsys)[0]
    with Project.open(mine) as one:
        assert one.log().conflicts == {0}


def test_a_whole_project_goes_out_and_comes_in_again(problem, tmp_path):
    main(["ingest", "--project", str(tmp_path / "p"), "--problem", str(problem)])
    main(["run", "--project", str(tmp_path / "p")])
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    assert main(["export", "--project", str(tmp_path / "p"), "--format", "json", "--out", str(first)]) == 0
    assert main(["import", "--project", str(tmp_path / "q"), str(first)]) == 0
    assert main(["export", "--project", str(tmp_path / "q"), "--format", "json", "--out", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()


def test_removing_a_person_and_a_project(tmp_path, capsys):
    made_project(tmp_path / "p", frames=6).close()
    assert main(["remove", "--project", str(tmp_path / "p"), "--person", "Anna"]) == 0
    with Project.open(tmp_path / "p") as project:
        assert "Anna" not in project.names()
    assert main(["remove", "--project", str(tmp_path / "p")]) == 0
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["export", "--project", "P", "--format", "pdf", "--out", "x"], "format 'pdf'"),
        (["export", "--project", "P", "--format", "csv", "--out", "NOWHERE/x.csv"], "cannot be written"),
        (["export", "--project", "P", "--format", "xmp", "--out", "x"], "no faces in pictures"),
        (["export", "--project", "P", "--format", "json", "--out", "x.json", "--confirmed"], "whole project"),
        (["merge", "--project", "P", "NOWHERE"], "no such folder"),
        (["remove", "--project", "P", "--person", "Nobody Here"], "nobody called"),
        (["import", "--project", "NEW", "P.npz"], "not JSON"),
        (["correct", "--project", "P", "--corrections", "NOWHERE.json"], "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(in_a_folder, capsys, arguments, words):
    check_refused(arguments, words, capsys)
