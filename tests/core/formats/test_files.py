"""Files written whole or not at all."""

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from core import BadInput
from core.formats import whole_file


def test_a_file_is_written_and_nothing_else_left(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    whole_file(path, lambda file: file.write(b"after"))
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")

    def fail(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match=r"a\.csv: cannot be written \(No space left on device\)"):
        whole_file(path, fail)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_bug_while_writing_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"

    def fail(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        whole_file(path, fail)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="folder"):
        whole_file(tmp_path, lambda file: file.write(b"x"))


@pytest.mark.parametrize("name", ["nowhere/a.csv", "a" * 300, "file/a.csv"])
def test_a_place_that_is_not_there_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be written"):
        whole_file(tmp_path / name, lambda file: file.write(b"x"))


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    """As /dev/null must stay what it is: only plain files may be replaced."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        whole_file(path, lambda file: file.write(b"text"))
        assert path.is_fifo()
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    """As /dev/stdout must, which leads to a plain file where output is redirected into one."""
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("before")
    link.symlink_to(file)
    whole_file(link, lambda stream: stream.write(b"after"))
    assert link.is_symlink()
    assert file.read_text() == "after"


@pytest.mark.usefixtures("permissions")
def test_a_folder_without_permission_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match=r"cannot be written \(Permission denied\)"):
        whole_file(tmp_path / "a.csv", lambda file: file.write(b"x"))
    tmp_path.chmod(0o700)
