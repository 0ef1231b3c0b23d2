"""Folders written whole or not at all."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats.write.folder import apart, put, safe_part, whole_folder
from tests.core.formats.made import HOSTILE


def build(folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "b.txt").write_text("whole", encoding="utf-8")


def test_a_folder_is_there_when_it_is_whole(tmp_path: Path) -> None:
    def look(folder: Path) -> None:
        build(folder)
        assert not (tmp_path / "out").exists()

    whole_folder(tmp_path / "out", look)
    assert (tmp_path / "out/a/b.txt").read_text(encoding="utf-8") == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ZeroDivisionError()])
def test_what_breaks_off_leaves_nothing(tmp_path: Path, error: Exception) -> None:
    def fail(folder: Path) -> None:
        build(folder)
        raise error

    with pytest.raises(BadInput if isinstance(error, OSError) else ZeroDivisionError):
        whole_folder(tmp_path / "out", fail)
    assert list(tmp_path.iterdir()) == []


def test_a_full_folder_is_left_alone(tmp_path: Path) -> None:
    build(tmp_path)
    with pytest.raises(BadInput, match="not empty"):
        whole_folder(tmp_path, build)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.usefixtures("permissions")
def test_a_place_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be written"):
        whole_folder(tmp_path / "out", build)


def test_hostile_parts_are_names_of_files(tmp_path: Path) -> None:
    parts = apart(safe_part(name) for name in HOSTILE)
    for part in parts:
        (tmp_path / part).touch()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(parts)
    assert len({part.casefold() for part in parts}) == len(HOSTILE)


def test_parts_are_told_apart_whatever_their_capitals() -> None:
    assert apart(["a", "A", "a-2", "b"], taken=["B"]) == ["a", "A-2", "a-2-2", "b-2"]


def test_joined_emoji_and_other_scripts_stay_as_they_are() -> None:
    for name in ("👨‍👩‍👧", "שלום עולם", "山田太郎", "Zoë"):
        assert safe_part(name) == name


def test_many_files_are_written_at_once(tmp_path: Path) -> None:
    put([(str(tmp_path / f"{k}.txt"), f"{k}".encode) for k in range(1000)])
    assert sorted(int(file.read_text()) for file in tmp_path.iterdir()) == list(range(1000))


def test_one_file_that_cannot_be_written_leaves_no_folder(tmp_path: Path) -> None:
    def build(folder: Path) -> None:
        put([(f"{folder}/{k % 900}.txt", b"x".upper) for k in range(1000)])  # the last hundred are there already

    with pytest.raises(BadInput, match="cannot be written"):
        whole_folder(tmp_path / "out", build)
    assert list(tmp_path.iterdir()) == []
