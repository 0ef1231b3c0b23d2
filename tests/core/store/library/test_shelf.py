"""The people library: off until it is turned on, and what is removed is gone from the disk."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.store.library.shelf import FILE, VERSION, Library, LibraryFace, library_folder


def face(name: str, place: int, crop: bytes | None = None) -> LibraryFace:
    return LibraryFace(name, np.eye(4, dtype=np.float32)[place] * 3, crop)


def test_it_is_off_and_not_there_until_it_is_turned_on(library: Path) -> None:
    shelf = Library()
    assert (shelf.on, shelf.people(), shelf.empty(), shelf.remove(["Ann"])) == (False, [], 0, 0)
    shelf.turn(False)
    assert not library.exists()
    with pytest.raises(BadInput, match="is off"):
        shelf.give("p", "Film", "net", [face("Ann", 0)])
    shelf.turn(True)
    assert shelf.on
    assert (library / FILE).stat().st_mode & 0o077 == 0
    shelf.give("p", "Film", "net", [face("Ann", 0)])
    shelf.turn(False)
    assert (shelf.on, len(shelf.people())) == (False, 1)


def test_a_project_replaces_what_it_gave_and_embedders_never_mix(library: Path) -> None:
    shelf = Library()
    shelf.turn(True)
    assert shelf.give("p", "One", "net", [face("Ann", 0, b"1"), face("Bo", 1)]) == 2
    assert shelf.give("q", "Two", "other net", [face("Ann", 2, b"2")]) == 1
    assert shelf.give("p", "One", "net", [face("Ann", 0, b"1")]) == 1
    assert [(one.name, one.faces, one.embedders, one.titles) for one in shelf.people()] == [
        ("Ann", 2, ("other net", "net"), ("Two", "One"))
    ]
    assert shelf.crops("Ann") == [b"2", b"1"]
    known = shelf.known("net")
    assert known.names == ("Ann",)
    assert known.vectors.tolist() == [[1, 0, 0, 0]]
    assert shelf.known("net", without="p").names == ()
    assert shelf.known("third net").names == ()


def test_who_is_removed_is_gone_from_the_disk(library: Path) -> None:
    shelf = Library()
    shelf.turn(True)
    shelf.give("p", "One", "net", [face("Annabella Secret", 0, b"a crop of hers " * 50), face("Bo", 1)])
    assert shelf.remove(["annabella secret", "nobody"]) == 1
    content = b"".join(path.read_bytes() for path in library.iterdir())
    assert b"Annabella" not in content
    assert b"a crop of hers" not in content
    assert [one.name for one in shelf.people()] == ["Bo"]
    assert shelf.empty() == 1
    assert shelf.people() == []
    assert shelf.on


def test_everything_can_be_exported(library: Path, tmp_path: Path) -> None:
    shelf = Library()
    with pytest.raises(BadInput, match="is empty"):
        shelf.export(tmp_path / "people.json")
    shelf.turn(True)
    shelf.give("p", "One", "net", [face("Zoë", 0, b"jpeg")])
    assert shelf.export(tmp_path / "people.json") == 1
    told = json.loads((tmp_path / "people.json").read_text())
    assert told["version"] == VERSION
    assert told["people"]["Zoë"][0]["vector"] == [1.0, 0.0, 0.0, 0.0]


def test_a_damaged_library_is_one_sentence(library: Path) -> None:
    library.mkdir()
    (library / FILE).write_bytes(b"this is no database" * 100)
    with pytest.raises(BadInput, match="the people library cannot be used"):
        Library().people()


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROLLCALL_LIBRARY")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert library_folder() == Path("/data/rollcall")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert library_folder() == Path("/home/me/.local/share/rollcall")
