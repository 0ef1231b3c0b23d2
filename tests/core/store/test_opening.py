"""Folders that are projects, and those that are not."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.store.project import Project
from core.store.tables.database import FILE


def test_a_damaged_database_says_so(project):
    project.close()
    (project.folder / FILE).write_bytes(b"this is no database at all" * 100)
    with pytest.raises(BadInput, match="damaged"):
        Project.open(project.folder)


@pytest.mark.parametrize("there", ["", "a file", "a full folder"])
def test_no_project_there_is_said(tmp_path, there):
    place = tmp_path / "x"
    if there == "a file":
        place.write_text("x")
    elif there:
        place.mkdir()
        (place / "y").write_text("y")
        with pytest.raises(BadInput, match="something here already"):
            Project.create(place)
    with pytest.raises(BadInput, match=r"no such folder|no project"):
        Project.open(place)
