"""Captions that were read or heard: kept, exported, in the problem, and gone with their person or film."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.records import Box, NewFace, NewFrame, NewLine, NewMention, NewSource, NewTrack
from core.store.project import Change, Project

LINES = (
    NewLine("screen", 1.0, 4.0, "ANNA BERG", Box(60, 280, 200, 304), "Anna Berg", 3.5, 0.99),
    NewLine("screen", 1.0, 4.0, "Reporter", Box(60, 304, 160, 320)),
    NewLine("speech", 2.0, 3.0, "Anna Berg reports.", score=0.8),
    NewLine("credits", 60.0, 64.0, "Walter Keane", Box(1, 2, 3, 4), "Walter Keane"),
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    boxes = tuple((time, Box(200, 50, 300, 150)) for time in (0.5, 1.5, 2.5, 3.5))
    source = NewSource("video", "/news.mp4", "news.mp4", "content", 70.0, (NewTrack(0.0, 5.0, boxes),), LINES)
    face = NewFace(np.eye(4, dtype=np.float32)[0], Box(200, 50, 300, 150), track=0)
    frame = NewFrame("ANNA BERG", [NewMention("Anna Berg", ((0, 9),), "screen")], [face], 2.0, width=640, height=360)
    with Project.create(tmp_path / "news") as made:
        made.add(source, [frame], "made")
        yield made


def test_they_come_back_as_they_were(project: Project) -> None:
    first, second, *_ = project.lines(1)
    assert (first.kind, first.text, first.name, first.logodds, first.box) == (
        *("screen", "ANNA BERG", "Anna Berg", 3.5),
        Box(60, 280, 200, 304),
    )
    assert (second.text, second.name) == ("Reporter", "")
    assert [line.text for line in project.lines(1, 2.5)] == ["ANNA BERG", "Reporter", "Anna Berg reports."]
    assert project.lines(1, 30.0) == []
    assert "Walter Keane" in project.names()  # the credits are a cast list


def test_a_name_on_the_screen_is_evidence_in_the_problem(project: Project) -> None:
    problem, _ = project.problem()
    assert problem.evidence_logodds.tolist() == [3.5]
    assert problem.names[problem.evidence_name[0]] == "Anna Berg"
    project.decide("Ann", Change("rename", name="Anna Berg", other="Anna B."))
    problem, _ = project.problem()
    assert problem.names[problem.evidence_name[0]] == "Anna B."


def test_they_are_part_of_the_whole_export(project: Project, tmp_path: Path) -> None:
    project.export("json", tmp_path / "all.json")
    with Project.from_json(tmp_path / "all.json", tmp_path / "again") as again:
        assert again.lines() == project.lines()


def test_a_removed_person_is_gone_from_them(project: Project) -> None:
    project.remove_person("Anna Berg")
    assert all("anna" not in line.text.lower() and not line.name.startswith("Anna") for line in project.lines())
    assert all(b"anna berg" not in path.read_bytes().lower() for path in project.folder.rglob("*") if path.is_file())


def test_they_go_with_their_film_and_what_is_heard_anew_takes_their_place(project: Project) -> None:
    project.set_heard(1, [NewLine("speech", 5.0, 6.0, "Good night.")])
    assert [line.text for line in project.lines() if line.kind == "speech"] == ["Good night."]
    assert len(project.lines()) == 4
    project.remove_source("Ann", 1)
    assert project.lines() == []
