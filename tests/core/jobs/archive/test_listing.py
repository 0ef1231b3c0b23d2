"""Which films there are, and which of them belong together."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.archive.listing import films_of


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_films_side_by_side_in_a_folder_are_a_series(tmp_path: Path) -> None:
    touch(tmp_path, "a.mp4", "b.MKV", "note.txt", ".hidden.mp4", "s 1/x.mp4", "s 1/y.avi", "s 1/cast.txt", "s 1/x.srt")
    found = films_of(tmp_path)
    assert [film.path.name for film in found] == ["a.mp4", "b.MKV", "x.mp4", "y.avi"]
    assert [film.title for film in found] == ["A", "B", "S 1", "S 1"]
    assert len({film.project for film in found}) == 3
    assert [film.cast for film in found] == [None, None, *[tmp_path / "s 1" / "cast.txt"] * 2]
    assert len({film.project for film in films_of(tmp_path, one_each=True)}) == 4
    assert films_of(tmp_path) == found


def test_titles_that_read_alike_are_two_projects(tmp_path: Path) -> None:
    touch(tmp_path, "Ä.mp4", "A.mp4", "日本.mp4", "中国.mp4")
    projects = {film.project for film in films_of(tmp_path)}
    assert len(projects) == 4
    assert all(name.isascii() and "/" not in name for name in projects)


def test_a_table_says_what_belongs_together(tmp_path: Path) -> None:
    table = tmp_path / "films.csv"
    table.write_text("film,captions,cast,project\na.mp4,c/a.srt,,News\nb.mp4,,who.txt,News\n\nc.mp4,,,\n", encoding="utf-8")
    one, two, three = films_of(table)
    assert (one.path, one.captions, one.cast) == (tmp_path / "a.mp4", tmp_path / "c" / "a.srt", None)
    assert (two.captions, two.cast, two.title) == (None, tmp_path / "who.txt", "News")
    assert one.project == two.project != three.project


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("path\na.mp4\n", "no column film"),
        ("film,cast\n,x\n", "line 2 names no film"),
        ("film\na.mp4\n./a.mp4\n", "a second time"),
        ("", "the file is empty"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "films.csv").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        films_of(tmp_path / "films.csv")


def test_nothing_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no film in it"):
        films_of(tmp_path)
    with pytest.raises(BadInput, match="no such folder or file"):
        films_of(tmp_path / "gone")
