"""Number keys: a name has the same one on all frames of a film where it can."""

from __future__ import annotations

from pathlib import Path

from core.records import NewFrame, NewMention, NewSource
from core.store.project import Change
from tests.made import made_project
from ui.parts.number_keys import number_keys

OWN = {"Ada": 1, "Bea": 2, "Cy": 3}


def test_a_name_has_its_own_key_wherever_it_stands() -> None:
    assert number_keys(["Cy", "Ada"], OWN, {}) == {"Cy": 3, "Ada": 1}


def test_others_take_what_is_free() -> None:
    assert number_keys(["Dot", "Bea", "Eve"], OWN, {}) == {"Dot": 4, "Bea": 2, "Eve": 5}
    full = {f"name {k}": k for k in range(1, 10)}
    assert number_keys(["name 9", "Dot", "Eve"], full, {}) == {"name 9": 9, "Dot": 8, "Eve": 7}


def test_keys_that_were_shown_stay_and_the_tenth_has_none() -> None:
    before = {"Dot": 1, "Cy": 3}  # Ada was not there
    assert number_keys(["Dot", "Cy", "Ada"], OWN, before) == {"Dot": 1, "Cy": 3, "Ada": 4}
    assert list(number_keys([f"other {k}" for k in range(10)], {}, {}).values()) == [*range(1, 10), 0]


def test_those_who_are_named_most_have_the_first_keys_and_typed_names_follow(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6, run=False) as project:
        source = project.sources()[0].id
        many = {
            name: sum(m.name == name for f in project.frames() for m in project.mentions(f.id)) for name in project.names()
        }
        keys = project.review.number_keys(source)
        assert list(keys) == sorted(many, key=lambda name: -many[name])
        project.decide("Ann", Change("is", face=0, name="Zoe"))
        assert project.review.number_keys(source) == {**keys, "Zoe": 5}
        project.decide("Ann", Change("merge", name="Dev", other="Anna"))
        assert project.review.number_keys(source)["Anna"] == 1
        assert "Dev" not in project.review.number_keys(source)


def test_in_a_large_cast_only_those_who_are_named_often_have_keys_of_their_own(tmp_path: Path) -> None:
    extras = [f"Extra {k}" for k in range(40)]
    with made_project(tmp_path / "film", frames=0, run=False) as project:
        captions = [["Ada", "Bea"]] * 30 + [[name] for name in extras]
        frames = [NewFrame(caption=" ".join(c), mentions=[NewMention(name) for name in c], faces=[]) for c in captions]
        source = project.add(NewSource("pictures", "/p", "p", "content"), frames, "made")
        assert project.review.number_keys(source) == {"Ada": 1, "Bea": 2}
