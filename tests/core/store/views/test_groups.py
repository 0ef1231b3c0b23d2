"""Groups of look-alikes without a name: who they may be, and what people say about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import BadInput
from core.store.project import Change, Project, Suggestion


def by_truth(project: Project, faces: list[int]) -> set[str | None]:
    return {face.truth for face in project.faces(ids=faces)}


def test_groups_are_people_with_the_name_that_captions_suggest(project: Project) -> None:
    found = project.groups.overview()
    assert found.left == 0
    assert found.known == ()
    sizes = [len(group.faces) for group in found.groups]
    assert sizes == sorted(sizes, reverse=True)
    for group in found.groups:
        (truth,) = by_truth(project, group.faces.tolist())
        if truth:
            first = group.suggestions[0]
            assert first.name == truth
            assert first.captions == group.frames  # every caption of these frames names who is in it


def test_a_name_is_founded_where_something_speaks_for_it() -> None:
    usual = Suggestion("Anna", captions=0, chance=0.01)
    assert not usual.founded
    for more in ({"captions": 1}, {"chance": 0.02}, {"reason": "looks like Anna"}):
        assert replace(usual, **more).founded  # type: ignore[arg-type]


def test_a_named_group_is_known_and_its_name_is_offered_to_nobody_beside_it(project: Project) -> None:
    first = project.groups.overview().groups[0]
    name = first.suggestions[0].name
    step = project.decide("Ann", *project.groups.name(first.faces.tolist(), name))
    found = project.groups.overview()
    assert [known.name for known in found.known] == [name]
    assert first.key not in [group.key for group in found.groups]
    frames = {face.frame for face in project.faces(ids=first.faces.tolist())}
    for group in found.groups:
        if frames & {face.frame for face in project.faces(ids=group.faces.tolist())}:
            assert name not in [one.name for one in group.suggestions]
    assert len(project.log().of_step(step)) == len(first.faces)
    project.undo("Ann")  # one step
    assert project.groups.overview().groups[0].key == first.key


def test_what_the_run_says_too_is_a_confirmation_and_a_stray_is_refused(project: Project) -> None:
    first = project.groups.overview().groups[0]
    *faces, stray = first.faces.tolist()
    name = first.suggestions[0].name
    changes = project.groups.name(faces, name, [stray])
    assert [change.kind for change in changes] == ["confirm"] * len(faces) + ["is not"]
    assert {change.kind for change in project.groups.name(faces, "Zoe")} == {"is"}
    project.decide("Ann", *changes)
    left = {face: group for group in project.groups.overview().groups for face in group.faces.tolist()}
    assert left[stray].faces.tolist() == [stray]


def test_groups_are_merged_and_parted_again(project: Project) -> None:
    one, other, third, *_ = project.groups.overview().groups
    both = sorted([*one.faces.tolist(), *other.faces.tolist()])
    project.decide("Ann", *project.groups.judge(one.key, other.key, same=True))
    with Project.open(project.folder, "Bob") as again:  # somebody else sees it, too
        assert sorted(again.groups.overview().groups[0].faces.tolist()) == both
    assert project.groups.together(one.faces.tolist(), other.faces.tolist()) == sorted(
        {f.frame for f in project.faces(ids=one.faces.tolist())} & {f.frame for f in project.faces(ids=other.faces.tolist())}
    )
    project.undo("Ann")
    assert project.groups.overview().groups[0].key == one.key
    project.redo("Ann")
    assert sorted(project.groups.overview().groups[0].faces.tolist()) == both
    with pytest.raises(BadInput, match="changed meanwhile"):
        project.groups.judge(other.key if other.key > one.key else one.key, third.key, same=True)


def test_two_people_are_two_groups_whatever_a_run_says(project: Project) -> None:
    first = project.groups.overview().groups[0]
    one, other = first.faces.tolist()[:2]
    project.decide("Ann", Change("two people", face=one), Change("two people", face=other))
    found = {face: group.key for group in project.groups.overview().groups for face in group.faces.tolist()}
    assert found[one] != found[other]
    assert len([face for face in first.faces.tolist() if found[face] == found[one]]) == len(first.faces) - 1


def test_two_groups_of_one_person_are_suggested_until_somebody_says_no(project: Project) -> None:
    first = project.groups.overview().groups[0]
    name = first.suggestions[0].name
    half = first.faces.tolist()[::2]
    project.decide("Ann", *project.groups.name(half, name))
    pair = next(pair for pair in project.groups.overview().pairs if pair.name == name)
    assert by_truth(project, [pair.one]) == {name}
    project.decide("Ann", *project.groups.judge(pair.one, pair.other, same=False, name=name))
    found = project.groups.overview()
    assert all((p.one, p.name) != (pair.one, name) for p in found.pairs)
    group = next(group for group in found.groups if group.key == pair.one)  # it stays together,
    assert len(group.faces) == len(first.faces) - len(half)
    assert name not in [one.name for one in group.suggestions]  # and is not that person for any run
    refused = {project.log().text(n) for face in group.faces.tolist() for n in project.log().standing(face).refused}
    assert refused == {name}
