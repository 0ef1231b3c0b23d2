"""A finder loads its networks when they are needed, and lets go of its own alone."""

from __future__ import annotations

import numpy as np
import pytest

from core.media import looking
from core.media.looking import Finder
from tests.core.media.pretended import pretended_finder

PICTURE = np.full((96, 160, 3), 200, np.uint8)


def test_networks_that_it_loaded_go_and_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    monkeypatch.setattr(looking, "FaceFinder", lambda embedder: loaded.append(embedder) or pretended_finder())
    finder = Finder()
    first = finder.find([PICTURE])
    finder.rest()
    again = finder.find([PICTURE])
    assert len(loaded) == 2
    assert [face.box for face in first[0]] == [face.box for face in again[0]]


def test_networks_that_it_was_given_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "FaceFinder", lambda embedder: pytest.fail("it has a finder"))
    finder = Finder(pretended_finder())
    before = (finder.detector, finder.embedder, finder.sure)
    finder.rest()
    assert len(finder.find([PICTURE])[0]) == 1
    assert (finder.detector, finder.embedder, finder.sure) == before
