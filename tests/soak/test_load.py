"""A short rush on one project; twenty annotators for ten minutes are in ``make soak``."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.soak.load import load


def test_a_rush_loses_nothing(tmp_path: Path, browser: Browser) -> None:
    seen = load(tmp_path, seconds=1, scripted=4, browsers=1, faces=60, running=browser)
    assert seen.errors == []
    assert seen.lost == 0
    assert seen.clicks
    assert seen.decided > 0
    assert seen.acknowledged > 0
