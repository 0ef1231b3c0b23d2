"""What names are called after renames, merges and splits, in force or undone."""

from __future__ import annotations

from core.store.decisions.current_names import CurrentNames
from core.store.decisions.entries import Decision, Kind


def entry(number: int, kind: Kind, name: int, other: int | None = None, text: str = "") -> Decision:
    return Decision(number, f"u{number}", f"s{number}", "", "Ann", kind, None, None, name, other, text, ())


def test_renames_merges_and_splits_count_while_they_are_in_force() -> None:
    undone: set[str] = set()
    names = CurrentNames({0: "Ann", 1: "Anna", 2: "Bob"}, lambda entry: entry.step not in undone)
    for one in (entry(1, "rename", 1, text="Anna K."), entry(2, "merge", 0, 1)):
        names.take(one)
        names.forget()
    assert (names.root(0), names.text(0), names.text(2)) == (1, "Anna K.", "Bob")
    assert names.merged() == {0: 1}
    assert (names.find("Anna K."), names.find("Ann"), names.find("Zoe")) == (1, 1, None)
    undone.add("s2")
    names.forget()
    assert (names.root(0), names.text(0), names.merged()) == (0, "Ann", {})
    undone.clear()
    names.take(entry(3, "split", 0))
    names.forget()
    assert (names.text(0), names.text(1)) == ("Ann", "Anna K.")


def test_names_merged_in_a_circle_stay_names() -> None:
    names = CurrentNames({0: "Ann", 1: "Bob"}, lambda entry: True)
    names.take(entry(1, "merge", 0, 1))
    names.take(entry(2, "merge", 1, 0))  # whichever came first counts
    assert (names.root(0), names.root(1)) == (1, 1)


def test_a_new_name_is_known_at_once() -> None:
    names = CurrentNames({0: "Ann"}, lambda entry: True)
    assert names.find("Bob") is None
    names.add(1, "Bob")
    assert (names.find("Bob"), names.text(1)) == (1, "Bob")
