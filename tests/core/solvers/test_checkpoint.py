"""Checkpoints: what their key depends on, and what their file survives."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import METHODS, Correction, Problem
from core.prediction import Scores
from core.solve import solve_from
from core.solvers.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from core.solvers.method import Task

PROBLEM = Problem.build(np.eye(4), [0, 0, 1, 2], [["A", "B"], ["B"], []], names=["A", "B", "C"])


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method whose checkpoint counts its runs."""

    def count(task: Task) -> Scores:
        runs = np.array(1) if task.checkpoint is None else task.checkpoint.arrays["runs"] + 1
        none = np.zeros(0, np.int64)
        return Scores(none, none, np.zeros(0), state={"runs": runs}, warm=task.checkpoint is not None)

    monkeypatch.setitem(METHODS, "counting", count)
    monkeypatch.setitem(METHODS, "other", count)


def runs(checkpoint: Checkpoint | None, problem: Problem = PROBLEM, method: str = "counting", **more: Any) -> int:
    """How many runs in a row there were, this one included."""
    found = solve_from(checkpoint, problem, method, **more)
    assert found.checkpoint is not None
    assert found.warm == (int(found.checkpoint.arrays["runs"]) > 1)
    return int(found.checkpoint.arrays["runs"])


def first() -> Checkpoint | None:
    return solve_from(None, PROBLEM, "counting").checkpoint


@pytest.mark.parametrize(
    "corrections",
    [
        [],
        [Correction(0, "is", "A")],
        [Correction(3, "is", "B"), Correction(1, "is not", "A")],
        [Correction(2, "is", "a new name"), Correction(0, "nobody")],
    ],
)
def test_corrections_do_not_change_the_key(corrections: list[Correction]) -> None:
    assert runs(first(), corrections=corrections) == 2


def test_the_order_of_faces_and_names_does_not_change_the_key() -> None:
    other = Problem.build(np.eye(4)[::-1], [0, 1, 2, 2], [[], ["B"], ["B", "A"]], names=["C", "B", "A"])
    assert runs(first(), other) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 1},
        {"method": "other"},
        {"settings": ("other",)},
        {"problem": replace(PROBLEM, mention_name=PROBLEM.mention_name[::-1].copy())},
        {"problem": replace(PROBLEM, features=PROBLEM.features * 2)},
        {"problem": replace(PROBLEM, names=("A", "B", "D"))},
        {"problem": replace(PROBLEM, group=np.array([0, 0, 1, 1]))},
    ],
)
def test_whatever_else_changes_is_a_cold_start(changed: dict[str, Any]) -> None:
    assert runs(first(), **changed) == 1


def test_a_method_without_state_leaves_no_checkpoint() -> None:
    found = solve_from(first(), PROBLEM, "dbgae-no-autoencoder")
    assert found.checkpoint is None
    assert not found.warm


def test_a_file_gives_back_the_checkpoint(tmp_path: Path) -> None:
    arrays = {"a": np.arange(3), "b": np.array("text"), "c": np.zeros((2, 0), np.float32)}
    write_checkpoint(tmp_path / "a folder" / "c.npz", Checkpoint("k", arrays))
    found = read_checkpoint(tmp_path / "a folder" / "c.npz")
    assert found is not None
    assert found.key == "k"
    assert found.arrays.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].dtype == array.dtype


def test_a_lost_or_damaged_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    assert read_checkpoint(path) is None
    write_checkpoint(path, Checkpoint("k", {"a": np.arange(1000)}))
    whole = path.read_bytes()
    for damaged in (b"", b"no such thing", whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        assert read_checkpoint(path) is None
    np.savez(path, a=np.arange(3))
    assert read_checkpoint(path) is None
