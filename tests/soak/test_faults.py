"""A few kills, a full disk, too little memory; hundreds of kills, of films and pictures too, are in ``make soak``."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from core.store.project import Project
from tests.made import made_project
from tests.soak import seeds
from tests.soak.faults import fill_disk, full_disk, little_memory, small_files
from tests.soak.kills import kill_app, kill_ingest, kill_worker


def test_a_killed_ingest_leaves_all_or_nothing(tmp_path: Path) -> None:
    kill_ingest(tmp_path, 1, random.Random(3))
    with Project.open(tmp_path / "whole") as project:  # the one that was left alone
        assert (project.count("frame"), project.count("face")) == (seeds.GROUPS, seeds.FACES)


def test_a_killed_run_is_noticed_and_loses_no_decision(tmp_path: Path) -> None:
    runs = kill_worker(tmp_path, 1, random.Random(3))
    with Project.open(tmp_path / "run") as project:
        assert len(project.log().entries) == runs + 1 > 1
        assert project.solved() is not None


def test_a_killed_app_loses_no_answered_click(tmp_path: Path, browser: Browser) -> None:
    assert kill_app(tmp_path, 1, random.Random(4), browser) > 0


def test_a_full_disk_is_said_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    kept, said = full_disk(tmp_path)
    assert kept > 1
    assert "full" in said


def test_a_file_that_cannot_grow_is_said_too(tmp_path: Path) -> None:
    """The way to test it where nobody may mount a small disk."""
    kept, said = fill_disk(tmp_path, lambda: small_files(400))
    assert kept > 1
    assert "nothing was changed; see whether it is full" in said


@pytest.mark.parametrize("megabytes", [60, 40], ids=["for a copy of the vectors", "for the vectors"])
def test_too_little_memory_is_said_in_one_sentence(tmp_path: Path, megabytes: int) -> None:
    code, said = little_memory(tmp_path, megabytes)
    assert (code, said.count("Traceback")) == (2, 0), said
    assert "not enough memory" in said.strip().split("\n")[-1]


def test_a_crop_that_is_no_picture_stops_nothing(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=4) as project:
        crop = project.faces(0)[0].crop
        assert crop is not None
        crop.write_bytes(b"no picture")
        assert project.review.queue().left
        for format in ("csv", "json", "lfw"):
            project.export(format, tmp_path / format)
    with Project.open(tmp_path / "film") as project:
        assert project.damage == ""
