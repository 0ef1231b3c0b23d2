"""Names that no captions file holds, in a real browser: read off the screen."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from core.formats.content import content_key
from core.records import Box, NewFace, NewFrame, NewLine, NewMention, NewSource
from core.store.project import Project
from tests.browser.reviewing import App, Watch, opened
from tests.core.media.films import film, noisy
from tests.made import drawn_face


def test_what_stands_on_the_screen_is_shown_where_it_stood(app: App, watch: Watch, tmp_path: Path) -> None:
    path = film(tmp_path / "news.mp4", [noisy(second) for second in range(4)], rate=1)
    high, wide = noisy(0).shape[:2]
    lines = (
        NewLine("screen", 0.0, 4.0, "ANNA BERG", Box(0.1 * wide, 0.7 * high, 0.5 * wide, 0.8 * high), "Anna Berg", 3.5),
        NewLine("screen", 0.0, 4.0, "<b>Reporter</b>", Box(0.1 * wide, 0.8 * high, 0.4 * wide, 0.9 * high)),
    )
    mention = NewMention("Anna Berg", ((0, 9),), "screen")
    face = NewFace(np.eye(8)[0], crop=drawn_face(0))
    shown = BytesIO()
    Image.fromarray(noisy(1)).save(shown, "JPEG")
    frame = NewFrame("ANNA BERG", [mention], [face], 1.0, picture=shown.getvalue(), width=wide, height=high)
    with Project.create(app.place("news")) as project:
        project.add(NewSource("video", str(path), "news.mp4", content_key(path), 4.0, lines=lines), [frame], "made")
        watched = opened(watch, app.url(project, 0))
        page = watched.page
        expect(page.get_by_test_id("screen")).to_have_text("On the screenANNA BERG<b>Reporter</b>")
        boxes = page.get_by_test_id("written")
        expect(boxes).to_have_count(2)
        expect(boxes.first).to_have_attribute("title", "ANNA BERG: read off the screen, names Anna Berg")
        expect(boxes.first).to_have_css("border-top-style", "dotted")
        expect(page.locator("button.name .word").first).to_have_text("Anna Berg")
        picture, box = page.locator("img.picture").first.bounding_box(), boxes.first.bounding_box()
        assert picture is not None
        assert box is not None
        assert (box["x"] - picture["x"]) / picture["width"] == pytest.approx(0.1, abs=0.02)
        assert (box["y"] - picture["y"]) / picture["height"] == pytest.approx(0.7, abs=0.03)
        assert watched.errors == []
