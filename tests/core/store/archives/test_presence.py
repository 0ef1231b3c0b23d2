"""Who is on screen for how long in all projects, whatever was replaced, taken out, or written by an earlier version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store.archives.presence import FILE, Presence, Somebody

Seen = tuple[str, str, float, float, int]


def seen(name: str, *spans: tuple[float, float]) -> list[Seen]:
    return [("film.mp4", name, start, stop, 2) for start, stop in spans]


def put(presence: Presence, project: str, times: list[Seen]) -> None:
    presence.replace(project, project.title(), "1-1 1-1", ("made", 64), 0, [], times)


@pytest.fixture
def presence(tmp_path: Path) -> Iterator[Presence]:
    made = Presence(tmp_path)
    put(made, "one", seen("Ann", (0, 2), (5, 9)) + seen("Bob", (1, 2)))
    put(made, "two", seen("Ann", (3, 4)) + seen("Annabel", (0, 3)))
    yield made
    made.close()


def test_times_are_added_up_over_projects(presence: Presence) -> None:
    assert presence.names() == [Somebody("Ann", 2, 7.0), Somebody("Annabel", 1, 3.0), Somebody("Bob", 1, 1.0)]
    assert [one.name for one in presence.names("ANN")] == ["Ann", "Annabel"]
    assert presence.names(many=1) == [Somebody("Ann", 2, 7.0)]


def test_one_person_is_told_over_all_projects_with_a_face(presence: Presence) -> None:
    faces = [(7, "film.mp4", 1.0, "Bob"), (8, "film.mp4", 6.0, "Ann")]
    presence.replace("one", "One", "1-1 1-1", ("made", 64), 0, faces, seen("Ann", (0, 2), (5, 9)) + seen("Bob", (1, 2)))
    assert presence.somebody("Ann") == Somebody("Ann", 2, 7.0)
    assert (presence.somebody("Nobody"), presence.moments("Nobody"), presence.portrait("Nobody")) == (None, 0, None)
    assert (presence.moments("Ann"), presence.people(), presence.people("ann")) == (3, 3, 2)
    assert presence.portrait("Ann") == ("one", 8)  # where she is longest on screen
    assert presence.portrait("Ann", "two") is None
    assert [one.name for one in presence.names(many=1, start=1)] == ["Annabel"]


def test_what_is_replaced_or_taken_out_does_not_count(presence: Presence) -> None:
    put(presence, "one", seen("Bob", (1, 2)))
    assert presence.names() == [Somebody("Annabel", 1, 3.0), Somebody("Ann", 1, 1.0), Somebody("Bob", 1, 1.0)]
    presence.forget("two")
    assert presence.names() == [Somebody("Bob", 1, 1.0)]


def test_the_table_of_an_earlier_version_is_added_up_when_it_is_opened(presence: Presence, tmp_path: Path) -> None:
    before = presence.names()
    with sqlite3.connect(tmp_path / FILE) as earlier:
        earlier.execute("DROP TABLE person")
        earlier.execute("PRAGMA user_version = 1")
    later = Presence(tmp_path)
    assert later.names() == before
    later.close()
