"""Reference photos: whose name a photo stands for."""

from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.media.people import references


def test_names_come_from_folders_or_files(tmp_path: Path) -> None:
    for path in [
        "Ross Geller/1.jpg",
        "Ross Geller/more/2.jpg",
        "Rachel Green.png",
        "joey_tribbiani 2.jpg",
        "amy/x.png",
        "notes.txt",
    ]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("txt"):
            (tmp_path / path).write_text("no photo")
        else:
            Image.new("RGB", (8, 8)).save(tmp_path / path)
    _, found = references(tmp_path)
    assert {photo.path: photo.name for photo in found} == {
        "Ross Geller/1.jpg": "Ross Geller",
        "Ross Geller/more/2.jpg": "Ross Geller",
        "Rachel Green.png": "Rachel Green",
        "joey_tribbiani 2.jpg": "Joey Tribbiani",
        "amy/x.png": "Amy",
    }


def test_a_folder_without_photos_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no photos"):
        references(tmp_path)
