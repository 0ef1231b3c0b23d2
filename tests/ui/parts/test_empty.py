"""A project without faces: every page says so in the same way, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.store.project import Project
from core.store.tables import job_table
from tests.ui.opened import opened, words


@pytest.mark.parametrize("page", ["who", "review", "people", "model", "export"])
def test_every_page_says_that_there_is_nothing_yet_and_why(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project.create(tmp_path / "empty") as project:
        app = opened(monkeypatch, tmp_path, page, project="empty")
        assert not app.exception
        assert "<div class='nothing'><h2>No" in words(app)
        assert "role='alert'" not in words(app)
        number = job_table.add(project.database, "ingest", "running", "{}")
        said = f"{project.folder}/uploads/1/<b>.mp4: no face was found in 9 frames"
        job_table.end(project.database, number, "failed", said, [])
        app = opened(monkeypatch, tmp_path, page, project="empty")
        assert "<b>Taking it in failed.</b> &lt;b&gt;.mp4: no face was found in 9 frames" in words(app)
