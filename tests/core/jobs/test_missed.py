"""A face that the detector missed comes in by a box that a person drew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.jobs.missed import add_missed, can_embed
from core.media.faces.finder import FaceFinder
from core.media.faces.registry import EMBEDDER
from core.records import Box, NewFace, NewFrame, NewSource
from core.store.project import Project
from tests.core.media.pretended import MeanColour, pretended_finder
from tests.made import drawn_face

FACE = NewFace(np.array([1, 0, 0], np.float32), Box(0, 0, 9, 9))


@pytest.fixture(scope="module")
def colours() -> FaceFinder:
    return pretended_finder()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A frame of 320 pixels a side, shown in 160, and one without a picture."""
    with Project.create(tmp_path / "p") as made:
        frames = [NewFrame("", [], [FACE], 1.0, picture=drawn_face(0), width=320, height=320), NewFrame("", [], [])]
        made.add(NewSource("video", "/films/a.mp4", "a.mp4"), frames, MeanColour.kind)
        yield made


def test_the_box_is_in_pixels_of_the_whole_frame(project: Project, colours: FaceFinder) -> None:
    number = add_missed(project, "Eva", 0, (0.25, 0.25, 0.75, 1.0), finder=colours)
    (face,) = project.faces(ids=[number])
    assert face.box == Box(80, 80, 240, 320)
    assert face.crop is not None
    assert np.linalg.norm(project.embeddings()[number]) == pytest.approx(1.0, abs=1e-5)
    assert [(entry.who, entry.kind) for entry in project.log().entries] == [("Eva", "face")]


def test_where_there_is_nothing_to_look_at_it_is_said(project: Project, colours: FaceFinder) -> None:
    with pytest.raises(BadInput, match="no picture to look at"):
        add_missed(project, "Eva", 1, (0.0, 0.0, 0.5, 0.5), finder=colours)
    with pytest.raises(BadInput, match="no picture to look at"):
        add_missed(project, "Eva", 99, (0.0, 0.0, 0.5, 0.5), finder=colours)
    picture = project.frames([0])[0].picture
    assert picture is not None
    picture.unlink()
    with pytest.raises(BadInput, match="the picture cannot be read"):
        add_missed(project, "Eva", 0, (0.0, 0.0, 0.5, 0.5), finder=colours)


def test_only_vectors_of_a_known_embedder_can_be_added_to(project: Project, tmp_path: Path) -> None:
    assert not can_embed(project)
    with Project.create(tmp_path / "ours") as ours:
        ours.add(NewSource("video", "/films/a.mp4", "a.mp4"), [NewFrame("", [], [FACE])], EMBEDDER)
        assert can_embed(ours)
