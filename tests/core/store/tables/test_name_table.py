"""The tables of names and of mentions."""

from __future__ import annotations

from core.store.project import Change, Project
from core.store.tables import name_table


def test_mentions_are_called_as_they_are_now_and_merged_ones_share_their_places(project: Project) -> None:
    anna, boris = project.mentions(0)
    project.decide("Ann", Change("rename", name="Anna", other="Annabel"))
    assert [mention.name for mention in project.mentions(0)] == ["Annabel", "Boris"]
    project.decide("Ann", Change("merge", name="Boris", other="Annabel"))
    (one,) = project.mentions(0)
    assert (one.name, one.spans) == ("Annabel", tuple(sorted({*anna.spans, *boris.spans})))


def test_an_added_name_comes_last_until_it_is_taken_back(project: Project) -> None:
    project.decide("Ann", Change("mention", frame=0, name="Zoe"), Change("mention", frame=0, name="Anna"))
    assert [(mention.name, mention.added) for mention in project.mentions(0)] == [
        ("Anna", False),
        ("Boris", False),
        ("Zoe", True),
    ]
    assert project.reader.mentions([0]) == {0: project.mentions(0)}
    project.undo("Ann")
    assert [mention.name for mention in project.mentions(0)] == ["Anna", "Boris"]


def test_a_removed_name_keeps_its_number_and_loses_its_text_and_mentions(project: Project) -> None:
    anna = project.log().find_name("Anna")
    assert anna is not None
    with project.database.transaction():
        name_table.remove(project.database, [anna])
    assert dict(name_table.read(project.database, -1))[anna] == f"(removed) {anna}"
    project.reader.logs.forget()
    assert project.names() == ["Boris", "Chloe", "Dev"]
    assert [mention.name for mention in project.mentions(0)] == ["Boris"]


def test_only_new_names_are_read_and_numbers_count_on(project: Project) -> None:
    last = max(project.log().original)
    with project.database.transaction():
        number = name_table.insert(project.database, "Zoe")
    assert number == last + 1
    assert name_table.read(project.database, last) == [(number, "Zoe")]
