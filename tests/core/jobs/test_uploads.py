"""Uploaded files stay within their folder, whatever they are called."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest

from core.jobs import uploads


@pytest.mark.parametrize(
    "name",
    ["../../secret.jpg", "/etc/passwd", "a/../../b.jpg", "..\\..\\b.jpg", ".hidden", "...", "", "a\x00b.jpg", "é" * 300],
)
def test_no_uploaded_name_leads_out_of_its_folder(tmp_path: Path, name: str) -> None:
    place = tmp_path / "uploads"
    path = uploads.put(place, name, b"content")
    assert path.resolve().is_relative_to(place)
    assert path.read_bytes() == b"content"
    assert not path.name.startswith(".")


def test_uploads_of_one_name_both_stay_and_folders_are_kept(tmp_path: Path) -> None:
    paths = [uploads.put(tmp_path, "Ross Geller/01.jpg", text) for text in (b"a", b"b", b"c")]
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "Ross Geller/01.jpg", "Ross Geller/01 2.jpg", "Ross Geller/01 3.jpg",
    ]  # fmt: skip
    assert [path.read_bytes() for path in paths] == [b"a", b"b", b"c"]


class File:
    def __init__(self, name: str) -> None:
        self.name = name

    def getbuffer(self) -> memoryview:
        return memoryview(self.name.encode())


@pytest.mark.parametrize(
    ("names", "main", "captions"),
    [
        (["a.mp4", "a.srt"], "a.mp4", "a.srt"),
        (["clip/a.mp4", "clip/a.srt"], "clip/a.mp4", "clip/a.srt"),
        (["a.zip", "t.csv"], "a.zip", "t.csv"),
        (["a.jpg", "b.jpg", "t.csv"], "pictures", "t.csv"),
        (["our/ann/1.jpg", "our/bob/1.jpg", "our/t.csv"], "our", None),
        (["ann/1.jpg", "bob/1.jpg"], "pictures", None),
    ],
)
def test_files_that_belong_together_are_laid_out(tmp_path: Path, names: list[str], main: str, captions: str | None) -> None:
    given = uploads.lay_out(tmp_path, [File(name) for name in names])
    assert given == (tmp_path / main, captions and tmp_path / captions)
    inside = "pictures/" if main == "pictures" else ""
    for name in names:
        assert (tmp_path / (name if name == captions else inside + name)).read_text() == name


def test_folders_for_projects_read_well_and_are_new(tmp_path: Path) -> None:
    assert uploads.new_folder(tmp_path, "Große Pause: Teil 2!").name == "groe-pause-teil-2"
    assert uploads.new_folder(tmp_path, "../..").name == "project"
    assert uploads.new_folder(tmp_path, "映画").name == "project"
    (tmp_path / "film").mkdir()
    assert uploads.new_folder(tmp_path, "Film").name == "film-2"


def test_messages_name_files_as_people_know_them(tmp_path: Path) -> None:
    said = f"{tmp_path}/3/film.srt: no text; see {tmp_path}/a.b"
    assert uploads.in_short(said, tmp_path) == "film.srt: no text; see a.b"
    said = f"{tmp_path}/3/pictures: no face was found; see {tmp_path}/3/pictures/a.jpg"
    assert uploads.in_short(said, tmp_path) == "No face was found; see pictures/a.jpg"
    folder = PureWindowsPath("C:/films/uploads")
    assert uploads.in_short(f"{folder}\\3\\film.srt: no text", folder) == "film.srt: no text"  # type: ignore[arg-type]
