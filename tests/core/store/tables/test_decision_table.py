"""The log's entries on the disk."""

from __future__ import annotations

from core.store.project import Change, Project
from core.store.tables import decision_table


def test_entries_come_back_as_the_log_has_them(project: Project) -> None:
    project.decide("Ann", Change("is", face=0, name="Anna"))
    project.decide("Bob", Change("nobody", face=0))
    first, second = decision_table.read(project.database, 0)
    assert [first, second] == project.log().entries
    assert second.replaces == (first.uid,)
    assert decision_table.read(project.database, first.id) == [second]


def test_former_names_are_found_and_redacted(project: Project) -> None:
    for text in ("Annabel", "Anne"):
        project.decide("Ann", Change("rename", name=project.names()[0], other=text))
    anna = project.log().find_name("Anne")
    assert anna is not None
    assert decision_table.former_names(project.database, [anna]) == {"Annabel", "Anne"}
    decision_table.redact(project.database, [anna])
    assert [entry.text for entry in decision_table.read(project.database, 0)] == ["(removed)", "(removed)"]
