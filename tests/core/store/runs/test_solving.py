"""Runs of a project that take up the last one, and those that cannot."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import METHODS
from core.corrections import Correction
from core.problem import NOBODY
from core.records import NewFace, NewFrame, NewSource
from core.solvers.dbgae.method import dbgae
from core.store.project import Change, Project, Run
from core.store.runs.solving import CHECKPOINT, corrections
from tests.core.solvers.solving import SMALL
from tests.made import made_project

DEFAULT = "rollcall"  # takes up its last run


@pytest.fixture(scope="module")
def solved_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a cold run, which takes a second."""
    folder = tmp_path_factory.mktemp("solved") / "film"
    with made_project(folder, frames=8, names=("Annabella", "Boris", "Chloe")) as made:
        made.run(cold=True)
    return folder


@pytest.fixture
def project(solved_once: Path, tmp_path: Path):
    with Project.open(shutil.copytree(solved_once, tmp_path / "film")) as made:
        yield made


def warm(run: Run) -> bool:
    return bool(json.loads(run.settings).get("warm"))


def test_a_run_after_a_correction_takes_up_the_last_one_in_another_process_too(project):
    assert not warm(project.runs()[-1])
    assert (project.cache / CHECKPOINT.format(DEFAULT)).is_file()
    other = next(name for name in project.names() if name != project.solved().prediction.label(0))
    project.decide("Ann", Change("is", face=0, name=other))
    with Project.open(project.folder) as again:
        assert warm(again.run(DEFAULT))
        assert again.solved().prediction.label(0) == other
        rerun = again.solved().prediction
        assert not warm(again.run(DEFAULT, cold=True))
        assert np.mean(again.solved().prediction.name == rerun.name) >= 0.95


def test_a_run_of_another_kind_or_without_the_cache_is_a_cold_start(project):
    assert not warm(project.run("pair-clustering"))
    assert warm(project.run(DEFAULT))
    assert not warm(project.run(DEFAULT, seed=1))
    project.decide("Ann", Change("mention", frame=1, name="Dora"))
    assert not warm(project.run(DEFAULT, seed=1))
    shutil.rmtree(project.cache)
    assert not warm(project.run(DEFAULT, seed=1))


def test_nothing_of_a_removed_person_is_remembered(project):
    project.run(DEFAULT)
    project.remove_person("Annabella")
    assert not (project.cache / CHECKPOINT.format(DEFAULT)).exists()
    assert not warm(project.run(DEFAULT))


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(project):
    shutil.rmtree(project.cache, ignore_errors=True)
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


# --- What people said stands ---


def test_a_run_never_overrules_a_person(project):
    first = project.solved().prediction
    names = project.names()
    wrong = next(name for name in names if name != first.label(0))
    project.decide("Ann", Change("is", face=0, name=wrong), Change("nobody", face=1))
    run = project.run()
    labels = {label.face.id: label for frame in project.labels().frames for label in frame.faces}
    assert (labels[0].name, labels[0].state, labels[0].confidence, labels[0].annotator) == (wrong, "corrected", 1.0, "Ann")
    assert (labels[1].name, labels[1].state) == ("", "corrected")
    assert run.answered == 2
    assert project.solved().prediction.label(0) == wrong


def test_a_refused_name_is_not_given_again(project):
    given = project.solved().prediction.label(0)
    project.decide("Ann", Change("is not", face=0, name=given))
    project.run()
    assert project.solved().prediction.label(0) != given


def test_an_added_name_is_a_mention_of_that_frame_only(project):
    project.decide("Ann", Change("mention", frame=2, name="Zed"))
    assert project.mentions(2)[-1].name == "Zed"
    assert project.mentions(2)[-1].added
    assert all("Zed" not in [m.name for m in project.mentions(frame)] for frame in (0, 1, 3))
    problem, _ = project.problem()
    assert problem.candidates()[2][-1] == "Zed"


def test_a_conflict_is_left_out_of_what_a_run_takes_as_fixed(project):
    project.decide("Ann", Change("is", face=0, name="A"), seen=0)
    project.decide("Bob", Change("is", face=0, name="B"), seen=0)
    project.decide("Bob", Change("is", face=1, name="B"))
    assert corrections(project.log(), {}) == [Correction(1, "is", "B")]
    project.run()


# --- The paper's method ---


def test_a_rerun_of_the_papers_method_takes_up_the_last_one(project, monkeypatch):
    monkeypatch.setitem(METHODS, "dbgae", lambda task: dbgae(replace(task, settings=SMALL)))
    assert not warm(project.run("dbgae"))
    assert (project.cache / CHECKPOINT.format("dbgae")).is_file()
    other = next(name for name in project.names() if name != project.solved().prediction.label(0))
    project.decide("Ann", Change("is", face=0, name=other))
    curve = []
    with Project.open(project.folder) as again:
        assert warm(again.run("dbgae", progress=lambda *step: curve.append(step)))
        rerun = again.solved().prediction
        assert rerun.label(0) == other
        assert not warm(again.run("dbgae", cold=True))
        assert (again.solved().prediction.name == rerun.name).all()
    assert curve
    assert all(stage == "autoencoder" and loss > 0 for stage, _, _, loss in curve)
    assert curve[-1][1] == curve[-1][2] == SMALL.rerun_epochs


def test_a_damaged_checkpoint_of_the_papers_method_costs_nothing_but_time(project, monkeypatch):
    monkeypatch.setitem(METHODS, "dbgae", lambda task: dbgae(replace(task, settings=SMALL)))
    project.run("dbgae")
    first, path = project.solved().prediction, project.cache / CHECKPOINT.format("dbgae")
    path.write_bytes(path.read_bytes()[:-1000])
    assert not warm(project.run("dbgae"))
    assert (project.solved().prediction.name == first.name).all()
    assert warm(project.run("dbgae"))


def test_where_no_caption_names_anybody_all_are_unknown_but_those_whom_people_answered(tmp_path: Path) -> None:
    with made_project(tmp_path / "silent", frames=10, names=(), strangers=2, run=False) as silent:
        silent.run()
        assert silent.solved().counts.text() == "named 0 of 4 faces; 4 unknown: name a group to go on"
        first, *_, last = silent.faces()
        silent.decide("Ann", Change("is", face=first.id, name="Dora"), Change("nobody", face=last.id))
        silent.run()
        solved = silent.solved()
        dora, *others = (face for face in range(4) if solved.prediction.label(face) == "Dora")
        assert (dora, others) == (0, [2])  # her other face follows
        assert solved.ranked(1) == [(NOBODY, 0.0)]
        counts = silent.current_labels().counts
        assert (counts.named, counts.nobody, counts.unknown) == (2, 1, 1)


def test_people_of_a_film_without_captions_beside_one_with_captions_are_unknown(tmp_path: Path) -> None:
    with made_project(tmp_path / "two", frames=10, strangers=2, run=False) as two:
        captioned, dimension = len(two.faces()), two.embeddings().shape[1]
        looks = np.random.default_rng(7).normal(size=(3, dimension)).astype(np.float32)
        looks /= np.linalg.norm(looks, axis=1, keepdims=True)
        silent = [NewFrame("", [], [NewFace(looks[k % 3])], time=float(k)) for k in range(6)]
        two.add(NewSource("video", "/films/silent.mp4", "silent.mp4", "content of silent", 6.0), silent, "made")
        two.run()
        solved = two.solved().prediction
    assert (solved.name[captioned:] == NOBODY).all()
    assert solved.unknown[captioned:].all()
    assert (solved.name[:captioned] != NOBODY).any()
    assert not solved.unknown[:captioned].any()
