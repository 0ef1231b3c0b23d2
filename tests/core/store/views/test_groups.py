"""Groups of look-alikes without a name: who they may be, and what people say about them."""

from __future__ import annotations

from core.store.project import Project


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
    one, other, *_ = project.groups.overview().groups
    both = sorted([*one.faces.tolist(), *other.faces.tolist()])
    project.groups.judge(one.key, other.key, "joined")
    with Project.open(project.folder) as again:  # a reload keeps it
        assert sorted(again.groups.overview().groups[0].faces.tolist()) == both
    assert project.groups.together(one.faces.tolist(), other.faces.tolist()) == sorted(
        {f.frame for f in project.faces(ids=one.faces.tolist())} & {f.frame for f in project.faces(ids=other.faces.tolist())}
    )
    project.groups.unjudge(other.key, one.key)
    assert project.groups.overview().groups[0].key == one.key


def test_two_groups_of_one_person_are_suggested_until_somebody_says_no(project: Project) -> None:
    first = project.groups.overview().groups[0]
    name = first.suggestions[0].name
    half = first.faces.tolist()[::2]
    project.decide("Ann", *project.groups.name(half, name))
    pair = next(pair for pair in project.groups.overview().pairs if pair.name == name)
    assert by_truth(project, [pair.one]) == {name}
    project.groups.judge(pair.one, pair.other, "apart")
    assert all((p.one, p.other) != (pair.one, pair.other) for p in project.groups.overview().pairs)
