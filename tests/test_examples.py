"""The examples in docstrings come out as they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.import_graph import modules

EXAMPLES = [
    name
    for package in ("core", "ui", "assets", "benchmarks")
    for name, path in modules(package).items()
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_of_a_module_are_true(module: str) -> None:
    done = doctest.testmod(import_module(module))
    assert done.attempted
    assert done.failed == 0


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 10
