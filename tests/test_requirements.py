"""What is installed, and what comes along with it, has one version."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("file", ["requirements.txt", "constraints.txt", "tests/requirements.txt", "tests/readers.txt"])
def test_what_is_installed_has_one_version(file: str) -> None:
    lines = [line.partition("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line and not re.fullmatch(r"[\w.\[\]-]+==[\w.]+(; .+)?", line)] == []


def test_what_comes_along_has_one_version_too() -> None:
    pinned = {canonicalize_name(name) for name in _pins("requirements.txt") | _pins("constraints.txt")}
    wanted = {Requirement(name) for name in _pins("requirements.txt")}
    loose, seen = set(), set()
    while wanted:
        one = wanted.pop()
        name = canonicalize_name(one.name)
        if name in seen:
            continue
        seen.add(name)
        if name not in pinned:
            loose.add(name)
        asked = [Requirement(text) for text in requires(name) or ()]
        wanted |= {other for other in asked if other.marker is None or other.marker.evaluate({"extra": ""})}
    assert loose == set()  # add them to constraints.txt, in the version that is installed


def _pins(file: str) -> set[str]:
    return set(re.findall(r"^([\w.-]+)==", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))
