"""One person or two: people's word on two faces, in the log like every other."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.records import NewFace
from core.store.decisions.persons import judged, strays
from core.store.project import Change, Project
from core.store.replace_faces import Refound, replace_faces

ROOT = Path(__file__).parents[4]
KILLED = """
import os, signal, sys
from pathlib import Path
from core.store.project import Change, Project
project = Project.open(Path(sys.argv[1]))
project.decide("Ann", Change("same person", face=2), Change("same person", face=0))
os.kill(os.getpid(), signal.SIGKILL)
"""


def word(project: Project, kind: str, one: int, other: int, who: str = "Ann") -> None:
    project.decide(who, Change(kind, face=one), Change(kind, face=other))  # type: ignore[arg-type]


def test_the_latest_word_on_a_pair_counts_and_is_undone_like_any_other(project: Project) -> None:
    word(project, "same person", 3, 1)
    word(project, "same person", 5, 4)
    word(project, "two people", 1, 3, "Bob")
    assert judged(project.log()).same == ((4, 5),)
    assert judged(project.log()).apart == ((1, 3),)
    project.undo("Bob")
    assert judged(project.log()).same == ((1, 3), (4, 5))
    project.decide("Ann", Change("is", face=4, name="Zoe"))
    word(project, "two people", 4, 7)
    assert project.log().standing(4).settled  # who somebody is stays said
    assert project.log().said(project.log().entries[0]) == "face 3 and face 1 are one person"


def test_such_a_word_needs_two_faces(project: Project) -> None:
    for faces in ((1,), (1, 1), (1, 2, 3)):
        with pytest.raises(BadInput, match="two different faces"):
            project.decide("Ann", *(Change("same person", face=face) for face in faces))
    with pytest.raises(BadInput, match="a face is needed"):
        project.decide("Ann", Change("same person"), Change("same person", face=1))
    assert not project.log().entries


def test_it_survives_kill_9_a_copy_that_is_merged_and_new_embeddings(project: Project, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(project.folder)], cwd=ROOT, timeout=60, check=False)
    assert done.returncode == -9
    assert judged(project.log()).same == ((0, 2),)
    with Project.open(Path(shutil.copytree(project.folder, tmp_path / "copy"))) as copy:
        word(copy, "two people", 4, 5, "Bob")
        project.merge(copy)
    assert judged(project.log()).apart == ((4, 5),)
    random = np.random.default_rng(3)
    again = [
        Refound(face.id, face.frame, NewFace(random.normal(size=8).astype(np.float32), face.box)) for face in project.faces()
    ]
    replace_faces(project.reader, again, {}, "another")
    assert judged(project.log()).same == ((0, 2),)
    groups = [set(group.faces.tolist()) for group in project.groups.overview().groups]
    assert {0, 2} in groups  # without a run everybody else is alone
    project.run("cluster-voting")
    assert judged(project.log()).same == ((0, 2),)


def test_who_is_left_out_of_a_named_group_is_a_stray_and_a_whole_group_is_none(project: Project) -> None:
    project.decide("Ann", Change("is", face=0, name="Zoe"), Change("is not", face=1, name="Zoe"))
    both = [Change("two people", face=2), Change("two people", face=0)]
    project.decide("Ann", *both, Change("is not", face=2, name="Zoe"))
    assert strays(project.log(), {0, 1, 2}) == {1}
    project.undo("Ann")
    project.undo("Ann")
    assert strays(project.log(), {0, 1, 2}) == set()
