"""Runs of a project that take up the last one, and those that cannot."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from core.project import Change, Project, Run
from core.store.solving import REMEMBERED
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path):
    with made_project(tmp_path / "film", frames=12, names=("Annabella", "Boris", "Chloe")) as made:
        made.run(from_nothing=True)
        yield made


def warm(run: Run) -> bool:
    return bool(json.loads(run.settings).get("warm"))


def test_a_run_after_a_correction_takes_up_the_last_one_in_another_process_too(project):
    assert not warm(project.runs()[-1])
    assert (project.cache / REMEMBERED).is_file()
    other = next(name for name in project.names() if name != project.solved().prediction.label(0))
    project.decide("Ann", Change("is", face=0, name=other))
    with Project.open(project.folder) as again:
        assert warm(again.run())
        assert again.solved().prediction.label(0) == other
        rerun = again.solved().prediction
        assert not warm(again.run(from_nothing=True))
        assert np.mean(again.solved().prediction.name == rerun.name) >= 0.95


def test_a_run_of_another_kind_or_without_the_cache_begins_from_nothing(project):
    assert not warm(project.run("pair-clustering"))
    assert warm(project.run())
    assert not warm(project.run(seed=1))
    project.decide("Ann", Change("mention", frame=1, name="Dora"))
    assert not warm(project.run(seed=1))
    shutil.rmtree(project.cache)
    assert not warm(project.run(seed=1))


def test_nothing_of_a_removed_person_is_remembered(project):
    project.remove_person("Annabella")
    assert not (project.cache / REMEMBERED).exists()
    assert not warm(project.run())


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(project):
    shutil.rmtree(project.cache)
    project.cache.write_text("not a folder")
    assert project.run().faces == len(project.faces())


def test_the_truth_goes_by_the_names_of_today(project):
    project.decide("Ann", Change("rename", name="Annabella", other="Bella"), Change("merge", name="Boris", other="Chloe"))
    asked, ids = project.problem()
    today = {"Annabella": "Bella", "Boris": "Chloe", "Chloe": "Chloe", "": ""}
    assert set(asked.names) == {"Bella", "Chloe"}
    truth = [asked.names[name] if name >= 0 else "" for name in asked.truth]
    assert truth == [today[face.truth] for face in project.faces(ids=ids)]
    project.run()
    with Project.open(project.folder) as again:
        assert again.troubles() == []
        assert len(set(again.solved().name_id)) == 2
