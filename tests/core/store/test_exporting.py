"""What leaves a project: who is who now, less what was not asked for; or all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats.read import csv
from core.store import exporting
from core.store.project import Change, Project


def test_only_what_people_said_or_what_is_sure_is_chosen(project: Project, tmp_path: Path) -> None:
    project.decide("Ann", Change("nobody", face=0), Change("is", face=1, name="Zoe"))
    said = exporting.chosen_labels(project.reader, confirmed=True, min_confidence=0.0, without_nobody=False)
    assert said.title == project.title
    assert {face.face.id: face.name for frame in said.frames for face in frame.faces} == {0: "", 1: "Zoe"}
    exporting.write(project.reader, "csv", tmp_path / "out.csv", True, 0.0, True)
    assert [(row.face, row.name) for row in csv.read(tmp_path / "out.csv")] == [(1, "Zoe")]


def test_a_whole_project_leaves_nothing_out(project: Project, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds the whole project"):
        exporting.write(project.reader, "json", tmp_path / "all.json", True, 0.0, False)
    assert not (tmp_path / "all.json").exists()
    exporting.write(project.reader, "json", tmp_path / "all.json", False, 0.0, False)
    with Project.from_json(tmp_path / "all.json", tmp_path / "again") as again:
        assert again.count("face") == project.count("face")
