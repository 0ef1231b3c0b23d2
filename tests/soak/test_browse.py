"""Hundreds of faces in a browser; 100,000 are in ``make soak``."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.app import make
from core.store.project import Project
from tests.soak.browse import report
from tests.soak.browsing import browse


def test_a_large_project_is_browsed(tmp_path: Path, browser: Browser) -> None:
    make(tmp_path / "large", 600)
    spent = browse(tmp_path / "large", browser, 2)
    assert {len(times) for times in spent.values()} == {2}
    assert 0 < report(spent) < 120
    with Project.open(tmp_path / "large") as project:
        assert len(project.log().entries) == 2  # what was clicked was decided
