"""What lies beside or inside of what was given."""

from pathlib import Path

import pytest
from PIL import Image

from core.media.found import captions_beside, folder_person, people_folders, table_of
from core.media.pictures import shelf


@pytest.mark.parametrize(
    ("path", "person"),
    [
        ("amy/1.jpg", "Amy"),
        ("x/Ross Geller/1.jpg", "Ross Geller"),
        ("zoë_o'neill/1.jpg", "Zoë O'neill"),
        ("1.jpg", ""),
        ("Holiday 2019/1.jpg", ""),
        ("new photos/1.jpg", ""),
        ("DCIM/1.jpg", ""),
        ("a b c d e/1.jpg", ""),
    ],
)
def test_folders_that_may_be_called_after_people(path: str, person: str) -> None:
    assert folder_person(path) == person


def test_one_folder_alone_says_nothing() -> None:
    assert people_folders(["amy/1.jpg", "amy/2.jpg"]) == {}
    assert people_folders(["amy/1.jpg", "amy/2.jpg", "raj/1.jpg", "x.jpg"]) == {"Amy": 2, "Raj": 1}


def test_captions_of_a_film_lie_beside_it(tmp_path: Path) -> None:
    video = tmp_path / "film.mp4"
    assert captions_beside(video) is None
    assert captions_beside(tmp_path / "nowhere" / "film.mp4") is None
    for name in ("films.srt", "film.jpg", "film.notes.txt"):
        (tmp_path / name).touch()
    assert captions_beside(video) is None
    for name in ("film.de.srt", "film.en.vtt", "film.srt"):  # each is better than those before
        (tmp_path / name).touch()
        assert captions_beside(video) == tmp_path / name


def test_the_table_inside_comes_before_the_one_beside(tmp_path: Path) -> None:
    album = tmp_path / "album"
    album.mkdir()
    Image.new("RGB", (9, 9)).save(album / "a.png")
    (tmp_path / "album.csv").write_text("image,caption\na.png,Beside.\n")
    with_table = table_of(album, shelf(album))
    assert with_table is not None
    assert (with_table.path, with_table.rows[0].caption) == ("album.csv", "Beside.")
    (album / "zzz.csv").write_text("image;caption\na.png;Inside.\n")
    (album / "captions.json").write_text('{"A.PNG": "Called so."}')
    inside = table_of(album, shelf(album))
    assert inside is not None
    assert (inside.path, inside.rows[0].caption) == ("captions.json", "Called so.")


def test_of_a_folder_with_many_films_only_the_films_own_captions_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("film.mp4", "film.de.srt", "film.en.srt", *(f"other {k}.srt" for k in range(50))):
        (tmp_path / name).touch()
    looked: list[str] = []
    is_file = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: looked.append(path.name) or is_file(path))
    assert captions_beside(tmp_path / "film.mp4") == tmp_path / "film.en.srt"
    assert looked == ["film.de.srt", "film.en.srt"]
