"""The table of sources."""

from __future__ import annotations

from core.store.project import Project
from core.store.tables import source_table


def test_sources_are_noted_by_where_they_lie_or_by_their_titles_alone(project: Project) -> None:
    (film,) = project.sources()
    assert (film.kind, film.path, film.title) == ("video", "/films/film.mp4", "film.mp4")
    source_table.set_path(project.database, film.id, "/elsewhere/film.mp4")
    assert project.sources()[0].path == "/elsewhere/film.mp4"
    project.forget_source_folders()
    assert project.sources()[0].path == "film.mp4"
