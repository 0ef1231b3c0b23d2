"""The settings of a method, read from its package."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import parameters

SOURCE = """
from dataclasses import dataclass
import numpy as np

@dataclass(frozen=True)
class Config:
    rounds: int = 3
    split: float = 1.5
    part: bool = True

RIDGE: float = 0.1
GRID = 1 / np.array([0.5, 0.25])
LOOKS = (0, 2)
MOST, LEAST = 9, 2.5
LONG = np.linspace(0, 1, 11)
CELLS = 1 << 20
WITHOUT = {"part": {"part": False}}
DEFAULTS = Config()
"""


def test_fields_and_constants_are_listed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_method"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inference.py").write_text(SOURCE)
    (package / "labels.py").write_text("from some_method.inference import RIDGE, Config\nNEAREST = 24\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import some_method  # type: ignore[import-not-found]

    assert parameters.of(some_method) == {
        "rounds": "3",
        "split": "1.5",
        "part": "True",
        "inference.RIDGE": "0.1",
        "inference.GRID": "2 / 4",
        "inference.LOOKS": "0 / 2",
        "inference.MOST": "9",
        "inference.LEAST": "2.5",
        "inference.LONG": "0 to 1 (11)",
        "labels.NEAREST": "24",
    }
