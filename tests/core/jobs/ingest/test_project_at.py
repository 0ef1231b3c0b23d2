"""The project that an ingest works on: made if it is not there, and gone again if it got nothing."""

from pathlib import Path

from core.jobs.ingest import project_at
from core.store.project import Project


def test_a_project_that_got_nothing_is_not_left_behind(tmp_path: Path) -> None:
    with project_at(tmp_path / "a" / "b"):
        pass
    assert list(tmp_path.iterdir()) == []
    Project.create(tmp_path / "c").close()
    with project_at(tmp_path / "c") as project:
        assert project.title == "c"
    assert (tmp_path / "c").is_dir()  # it was there before
