"""A good problem file, bad ones made of it, and what is said about them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import NOBODY, BadInput
from core.formats import read_problem

GOOD: dict[str, Any] = {
    "features": np.array([[1, 0], [0, 1], [1, 0.1]], dtype=np.float32),
    "group": np.array([0, 0, 1]),
    "names": np.array(["Ross", "Rachel"]),
    "candidates_json": np.array(json.dumps([["Ross", "Rachel"], ["Ross"]])),
    "truth": np.array([0, 1, NOBODY]),
}


class Trap:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def saved(path: Path, leave_out: str = "", **changes: Any) -> Path:
    """The good problem with some arrays exchanged or left out, as a file."""
    arrays = {name: value for name, value in {**GOOD, **changes}.items() if name != leave_out}
    np.savez(path, **arrays)
    return path


def refusal(path: Path) -> str:
    """What is said about a bad file, without the path that it must begin with."""
    with pytest.raises(BadInput) as caught:
        read_problem(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    return said.removeprefix(f"{path}: ")
