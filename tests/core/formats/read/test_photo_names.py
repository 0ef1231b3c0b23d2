"""Whose photo it is, told by its path."""

from pathlib import Path

import pytest

from core.formats.read.photo_names import person_of, photos_of


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Ross Geller/1.jpg", "Ross Geller"),
        ("Ross Geller/more/2.jpg", "Ross Geller"),
        ("Rachel Green.png", "Rachel Green"),
        ("joey_tribbiani 2.jpg", "Joey Tribbiani"),
        ("Ross (2).jpg", "Ross"),
        ("amy/x.png", "Amy"),
        ("12.jpg", ""),
    ],
)
def test_a_name_comes_from_the_folder_or_the_file(path: str, name: str) -> None:
    assert person_of(path) == name


def test_all_photos_of_a_person_are_found_whatever_a_browser_put_around_them(tmp_path: Path) -> None:
    for path in ["Ross Geller/1.jpg", "ross_geller.png", "Rachel.png", "photos/Ross Geller/2.jpg"]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    found = {photo.relative_to(tmp_path).as_posix() for photo in photos_of(tmp_path, {"ross geller"})}
    assert found == {"Ross Geller/1.jpg", "ross_geller.png", "photos/Ross Geller/2.jpg"}
