"""A source that was moved is found again; a film is shown only if it is the one that was added."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats.content import content_key
from core.records import NewFrame, NewSource
from core.store.project import Project
from core.store.sources import locate


def test_a_moved_video_is_found_by_its_content(tmp_path):
    film = tmp_path / "films" / "a.mp4"
    film.parent.mkdir()
    film.write_bytes(b"moving pictures" * 1000)
    (tmp_path / "films" / "b.mp4").write_bytes(b"something else" * 1000)
    with Project.create(tmp_path / "p") as project:
        project.add(NewSource("video", str(film), "a.mp4", content_key(film)), [NewFrame("", [], [])])
        assert locate(project.database, project.folder, project.sources()[0]) == film
        moved = film.rename(tmp_path / "films" / "renamed.mp4")
        assert locate(project.database, project.folder, project.sources()[0]) == moved
        assert project.sources()[0].path == str(moved)
        far = tmp_path / "far" / "away"
        far.mkdir(parents=True)
        moved = moved.rename(far / "c.mp4")
        with pytest.raises(BadInput, match=r"no longer there; say where a\.mp4"):
            locate(project.database, project.folder, project.sources()[0])
        with pytest.raises(BadInput, match="not the video"):
            project.relocate(project.sources()[0].id, tmp_path / "films" / "b.mp4")
        project.relocate(project.sources()[0].id, moved)
        assert locate(project.database, project.folder, project.sources()[0]) == moved


def test_a_film_is_shown_only_if_it_is_the_one_that_was_added(tmp_path: Path) -> None:
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(b"nobody's business")
    with Project.create(tmp_path / "film") as project:
        for kind, content in (("video", ""), ("video", "of another file"), ("pictures", content_key(secret))):
            project.add(NewSource(kind, str(secret), "film.mp4", content), [NewFrame("", [], [])])  # type: ignore[arg-type]
        for source in project.sources():
            with pytest.raises(BadInput, match=r"not the file that was added|no longer there"):
                project.to_play(source)
        project.add(NewSource("video", str(secret), "film.mp4", content_key(secret)), [NewFrame("", [], [])])
        assert project.to_play(project.sources()[-1]) == secret
        secret.write_bytes(b"another film")
        with pytest.raises(BadInput, match="not the file that was added"):
            project.to_play(project.sources()[-1])


def test_a_folder_is_no_film_however_it_is_named(tmp_path: Path, project: Project) -> None:
    with pytest.raises(BadInput, match="this is not the video"):
        project.relocate(project.sources()[0].id, tmp_path)
