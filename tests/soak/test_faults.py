"""A few kills, a full disk, too little memory; hundreds of kills are in ``make soak``."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.project import Project
from tests.made import made_project
from tests.soak.faults import fill_disk, kill_ingest, kill_worker, little_memory, small_disk


def test_a_killed_ingest_leaves_all_or_nothing(tmp_path: Path) -> None:
    assert kill_ingest(tmp_path, 12, random.Random(3)) <= 12


def test_a_killed_run_is_noticed_and_loses_no_decision(tmp_path: Path) -> None:
    assert kill_worker(tmp_path, 3, random.Random(3)) <= 3


def test_a_full_disk_is_said_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with small_disk(tmp_path, 4000) as disk:
        if disk is None:
            pytest.skip("only root may mount a small disk")
        assert fill_disk(disk) > 1


def test_too_little_memory_is_said_in_one_sentence(tmp_path: Path) -> None:
    code, said = little_memory(tmp_path)
    assert (code, said.count("Traceback")) == (2, 0), said
    assert "not enough memory" in said.strip().split("\n")[-1]


def test_a_crop_that_is_no_picture_stops_nothing(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=4) as project:
        crop = project.faces(0)[0].crop
        assert crop is not None
        crop.write_bytes(b"no picture")
        assert project.queue().left
        for format in ("csv", "json", "lfw"):
            project.export(format, tmp_path / format)
    with Project.open(tmp_path / "film") as project:
        assert project.damage == ""
