"""The commands links and evaluate; solve has a file of its own, effort is tried with what it measures."""

import json
from pathlib import Path

import numpy as np
import pytest

from core import Problem
from core.formats import read_problem
from core.formats.write.npz import write_problem
from tests.core.cli.program import CHEAP, called, complaint

ARRAYS = {
    "mention_group",
    "mention_name",
    "within_face",
    "within_mention",
    "within_weight",
    "cross_face",
    "cross_mention",
    "cross_weight",
    "cross_similarity",
}


def test_links_writes_both_graphs(film: Path, tmp_path: Path) -> None:
    out = tmp_path / "links.npz"
    done = called("links", film, "--out", out, "--pair-distance", "0.95", "--neighbour-distance", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.95" in done.stdout
    with np.load(out, allow_pickle=False) as archive:
        links = dict(archive)
    assert set(links) >= ARRAYS
    problem = read_problem(film)
    assert links["mention_group"].tolist() == problem.mention_group.tolist()
    for kind in ("within", "cross"):
        many = {len(links[name]) for name in links if name.startswith(kind)}
        assert len(many) == 1
        assert links[f"{kind}_face"].max() < problem.faces
        assert links[f"{kind}_mention"].max() < problem.mentions
        assert ((links[f"{kind}_weight"] >= 0) & (links[f"{kind}_weight"] <= 1)).all()
    assert links["within_weight"].dtype.kind == "f"
    within, cross = len(links["within_face"]), len(links["cross_face"])
    assert f"{within} within-group and {cross} cross-group links" in done.stdout
    assert list(tmp_path.iterdir()) == [out]


def test_links_writes_whole_or_not_at_all(tiny: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "links.npz"
    assert complaint("links", tiny, "--out", nowhere).startswith(f"{nowhere}: cannot be written")
    assert list(tmp_path.iterdir()) == []


def test_links_of_no_names(tmp_path: Path) -> None:
    path, out = tmp_path / "a.npz", tmp_path / "links.npz"
    write_problem(Problem.build(np.eye(2), [0, 1], [[], []]), path)
    assert called("links", path, "--out", out).returncode == 0
    with np.load(out, allow_pickle=False) as archive:
        assert {len(archive[name]) for name in archive} == {0}


@pytest.mark.parametrize("distance", ["0", "-1", "nan", "inf", "near"])
def test_links_refuses_what_is_no_distance(tiny: Path, tmp_path: Path, distance: str) -> None:
    done = called("links", tiny, "--out", tmp_path / "a.npz", f"--pair-distance={distance}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{distance}' is no distance" in done.stderr
    assert "Traceback" not in done.stderr


def test_evaluate_prints_a_table(film: Path) -> None:
    done = called("evaluate", film, "--methods", f"cluster-voting,{CHEAP}", "--seeds", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "film" in done.stdout
    for method in ("cluster-voting", CHEAP):
        row = next(line for line in done.stdout.splitlines() if line.startswith(f"| {method} "))
        assert "±" in row


def test_evaluate_as_json(film: Path) -> None:
    done = called("evaluate", film, "--methods", f"cluster-voting, {CHEAP}", "--seeds", 2, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert [(row["method"], row["seed"]) for row in rows] == [(m, s) for m in ("cluster-voting", CHEAP) for s in (0, 1)]
    for row in rows:
        assert list(row) == ["problem", "method", "seed", "accuracy", "f1", "seconds", "unknown"]
        assert row["problem"] == "film"
        assert 0 <= row["f1"] <= 1
        assert 0 <= row["accuracy"] <= 1


def test_evaluate_refuses_a_problem_without_truth(tiny: Path) -> None:
    assert complaint("evaluate", tiny, "--methods", CHEAP).startswith(f"{tiny}: this problem has no truth")


def test_evaluate_refuses_an_unknown_method_in_one_line(film: Path) -> None:
    assert "'magic'" in complaint("evaluate", film, "--methods", f"{CHEAP},magic")


def test_evaluate_of_no_methods_is_refused(film: Path) -> None:
    done = called("evaluate", film, "--methods", ",")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("seeds", ["0", "-1", "many", "1.5"])
def test_evaluate_refuses_a_count_that_is_none(film: Path, seeds: str) -> None:
    done = called("evaluate", film, "--methods", CHEAP, f"--seeds={seeds}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{seeds}'" in done.stderr
