"""Rollcall's own file: what is written is read back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Problem
from core.formats import read_problem
from core.formats.write.npz import write_problem
from core.problem import MENTION_KINDS
from tests.core.formats.read.problem_files import GOOD, saved


def check_same(one: Problem, other: Problem) -> None:
    assert one.features.dtype == other.features.dtype
    for name in ("features", "group", "mention_group", "mention_name"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.names, one.groups, one.captions) == (other.names, other.groups, other.captions)
    assert one.embedder == other.embedder
    for name in ("truth", "track", "quality", "mention_kind", "film"):
        assert (getattr(one, name) is None) == (getattr(other, name) is None)
    for name in ("truth", "track", "quality", "mention_kind", "film", "evidence_face", "evidence_name", "evidence_logodds"):
        if getattr(one, name) is not None:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_good_file_is_read(tmp_path: Path) -> None:
    problem = read_problem(saved(tmp_path / "a.npz"))
    assert problem.names == ("Ross", "Rachel")
    assert problem.candidates() == [["Ross", "Rachel"], ["Ross"]]
    assert problem.features.tolist() == GOOD["features"].tolist()
    assert problem.truth is not None
    assert problem.truth.tolist() == [0, 1, -1]


def test_a_path_may_be_text(tmp_path: Path) -> None:
    assert read_problem(str(saved(tmp_path / "a.npz"))).faces == 3


def test_a_compressed_file_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "problem.data"
    with path.open("wb") as file:
        np.savez_compressed(file, **GOOD)
    assert read_problem(path).faces == 3


def test_truth_and_captions_may_be_missing(tmp_path: Path) -> None:
    problem = read_problem(saved(tmp_path / "a.npz", leave_out="truth"))
    assert problem.truth is None
    assert problem.captions is None


def test_other_arrays_are_left_alone(tmp_path: Path) -> None:
    assert read_problem(saved(tmp_path / "a.npz", within_face=np.arange(3))).faces == 3


def test_empty_captions_unmentioned_names_and_groups_without_faces_are_fine(tmp_path: Path) -> None:
    candidates = np.array(json.dumps([[], ["Ross", "Ross"], [], ["Ross"]]))
    problem = read_problem(saved(tmp_path / "a.npz", candidates_json=candidates))
    assert problem.candidates() == [[], ["Ross"], [], ["Ross"]]


OPTIONAL = ("truth", "captions", "track", "quality", "mention_kind", "film", "embedder", "evidence")
names = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip), unique=True)


@given(names=names, seed=st.integers(0, 2**32 - 1), optional=st.sets(st.sampled_from(OPTIONAL)))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], seed: int, optional: set[str]
) -> None:
    rng = np.random.default_rng(seed)
    faces, groups, links = int(rng.integers(1, 6)), int(rng.integers(1, 5)), int(rng.integers(1, 4)) if names else 0
    candidates = [[name for name in names if rng.random() < 0.5] for _ in range(groups)]
    everything: dict[str, Any] = {
        "truth": rng.integers(-1, len(names), size=faces),
        "captions": [f"caption {k}: “Ä\n”" for k in range(groups)],
        "track": rng.integers(-1, 3, size=faces),
        "quality": rng.random(faces),
        "mention_kind": [[str(rng.choice(MENTION_KINDS)) for _ in caption] for caption in candidates],
        "film": rng.integers(-2, 3, size=groups),
        "embedder": "facenet-vggface2",
    }
    evidence: dict[str, Any] = {
        "evidence_face": rng.integers(faces, size=links),
        "evidence_name": rng.integers(max(len(names), 1), size=links),
        "evidence_logodds": rng.normal(size=links),
    }
    problem = Problem.build(
        features=rng.normal(size=(faces, 3)),
        group=rng.integers(groups, size=faces),
        names=names,
        candidates=candidates,
        **{name: value for name, value in everything.items() if name in optional},
        **(evidence if "evidence" in optional else {}),
    )
    path = tmp_path_factory.mktemp("npz") / "a.npz"
    write_problem(problem, path)
    check_same(read_problem(path), problem)


def test_what_is_written_holds_no_pickle(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_problem(read_problem(saved(tmp_path / "good.npz")), path)
    with np.load(path, allow_pickle=False) as archive:
        assert {archive[name].dtype.kind for name in archive.files} <= set("fiU")
