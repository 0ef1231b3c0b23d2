"""The table of frames."""

from __future__ import annotations

import re
from pathlib import Path

from core.records import NewFrame, NewSource
from core.store.project import Project
from core.store.tables import frame_table


def test_moments_come_by_source_and_time(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p") as project:
        project.add(NewSource("video", "/a", "a"), [NewFrame("", [], [], time=9.0), NewFrame("", [], [], time=1.0)])
        project.add(NewSource("pictures", "/b", "b"), [NewFrame("", [], [])])
        assert frame_table.moments(project.database) == [(1, 1.0, 1), (0, 9.0, 1), (2, None, 2)]
        assert frame_table.next_number(project.database) == 3


def test_captions_are_redacted_and_the_changed_ones_told(tmp_path: Path) -> None:
    captions = ["Ross waves; ROSS leaves.", "Rossini plays.", ""]
    with Project.create(tmp_path / "p") as project:
        project.add(NewSource("video", "/a", "a"), [NewFrame(caption, [], []) for caption in captions])
        assert frame_table.redact(project.database, re.compile(r"\bross\b", re.IGNORECASE), "-") == [0]
        assert [frame.caption for frame in project.frames()] == ["- waves; - leaves.", "Rossini plays.", ""]
