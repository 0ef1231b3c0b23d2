"""The table of an archive's films keeps what it was told."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.archives.archive import Archive, NewFilm


def new(*names: str, project: str = "p-1") -> list[NewFilm]:
    return [NewFilm(project, "P", Path("/films") / name) for name in names]


def test_a_film_is_added_once(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "a") as archive:
        assert archive.states.add(new("a.mp4", "b.mp4")) == 2
        archive.states.set_state(1, "done", "came in")
        assert archive.states.add(new("a.mp4", "b.mp4", "c.mp4")) == 1
    with Archive.open(tmp_path / "a") as archive:
        assert archive.states.counts() == {"waiting": 2, "running": 0, "done": 1, "failed": 0}
        assert archive.states.film(1).message == "came in"
        assert [film.path.name for film in archive.states.films(text="B.MP4")] == ["b.mp4"]
        assert [film.id for film in archive.states.films(start=1, many=1)] == [2]
        assert [film.id for film in archive.states.films_after(2, "waiting", 9)] == [3]


def test_what_was_left_running_waits_again(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "a") as archive:
        archive.states.add(new("a.mp4", "b.mp4"))
        archive.states.set_state(1, "running")
        archive.states.set_state(2, "failed", "no film")
        archive.states.begin(retry=False)
        assert [film.state for film in archive.states.films()] == ["waiting", "failed"]
        archive.states.begin(retry=True)
        assert [film.state for film in archive.states.films()] == ["waiting", "waiting"]


def test_pieces_of_another_film_in_its_place_do_not_count(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "a") as archive:
        archive.states.add(new("a.mp4"))
        archive.states.scanned(1, "content", 60.0, 3)
        archive.states.looked_at(1, 0)
        archive.states.looked_at(1, 0)
        archive.states.scanned(1, "content", 60.0, 3)
        assert (archive.states.pieces(1), archive.states.film(1).looked) == ({0}, 1)
        archive.states.scanned(1, "another", 60.0, 3)
        assert (archive.states.pieces(1), archive.states.film(1).looked) == (set(), 0)


def test_a_project_is_named_anew_when_a_film_came_in(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "a") as archive:
        archive.states.add(new("a.mp4", "b.mp4"))
        archive.states.set_project("p-1", "done", "named")
        archive.states.set_state(1, "failed", "no film")
        assert archive.states.project("p-1").state == "done"
        archive.states.set_state(2, "done")
        assert archive.states.project("p-1").state == "waiting"
        with pytest.raises(BadInput, match="no project"):
            archive.states.project("other")


def test_a_damaged_table_is_said(tmp_path: Path) -> None:
    Archive.at(tmp_path / "a").close()
    (tmp_path / "a" / "archive.sqlite").write_bytes(b"x" * 5000)
    with pytest.raises(BadInput, match="restore it from a backup"):
        Archive.open(tmp_path / "a")
