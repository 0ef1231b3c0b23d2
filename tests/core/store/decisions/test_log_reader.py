"""The log in memory follows the log on the disk, whoever writes it, and forgets what was rolled back."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.store.decisions.log_reader import LogReader
from core.store.project import Change, Project


def test_entries_of_another_process_are_noticed(project: Project) -> None:
    assert project.log().version == 0
    with Project.open(project.folder) as other:
        other.decide("Bob", Change("is", face=0, name="Somebody New"))
    assert [entry.who for entry in project.log().entries] == ["Bob"]
    assert project.log().find_name("Somebody New") is not None


def test_what_was_rolled_back_is_forgotten(project: Project) -> None:
    reader = LogReader(project.database)
    seen: list[str] = []

    def fail() -> None:
        with project.database.transaction():
            seen.append(reader.log().text(reader.name_number("Never Written")))
            raise BadInput("too late")

    with pytest.raises(BadInput, match="too late"):
        fail()
    assert seen == ["Never Written"]
    assert reader.log().find_name("Never Written") is None
    with project.database.transaction():
        number = reader.name_number("Written")
    assert reader.log().text(number) == "Written"
    assert number == max(reader.log().original)


def test_a_name_has_one_number_also_after_a_rename(project: Project) -> None:
    logs = project.reader.logs
    with project.database.transaction():
        zoe = logs.name_number("Zoe")
        assert logs.name_number("Zoe") == zoe
    project.decide("Ann", Change("rename", name="Zoe", other="Zoe Smith"))
    with project.database.transaction():
        assert logs.name_number("Zoe Smith") == logs.name_number("Zoe") == zoe
