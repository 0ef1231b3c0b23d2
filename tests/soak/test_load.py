"""A short rush on one project; twenty annotators for ten minutes are in ``make soak``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.install import installed
from tests.soak.load import load


def test_a_rush_loses_nothing(tmp_path: Path) -> None:
    if installed() is None:
        pytest.skip("BROWSER TESTS DID NOT RUN: no Chromium or Chrome on this machine; see tests/browser/install.py")
    seen = load(tmp_path, seconds=10, scripted=18, browsers=2, faces=100)
    assert seen.errors == []
    assert seen.lost == 0
    assert seen.clicks
    assert seen.decided > 0
    assert seen.acknowledged > 0
