"""Who is in a project, named or not."""

from __future__ import annotations

from core.problem import NOBODY
from core.store.project import Change, Project


def test_people_come_by_number_of_faces_and_a_name_without_faces_last(project: Project) -> None:
    project.decide("Ann", Change("mention", frame=0, name="Zoe"))
    project.decide("Ann", Change("is", face=0, name="Anna"))
    people = project.people.named()
    sizes = [len(person.faces) for person in people]
    assert sizes == sorted(sizes, reverse=True)
    assert (people[-1].name, sizes[-1]) == ("Zoe", 0)
    assert project.people.names() == [person.name for person in people]
    anna = next(person for person in people if person.name == "Anna")
    assert anna.settled == 1
    assert anna.faces[0] == 0  # the surest, for a person said so


def test_a_stranger_who_returns_is_one_person_until_named(project: Project) -> None:
    truth = {face.id: face.truth for face in project.faces()}
    (stranger,) = project.people.strangers()
    assert len(stranger.faces) > 1
    assert {truth[int(face)] for face in stranger.faces} == {""}
    labels = project.current_labels()
    assert (labels.name[labels.rows(stranger.faces)] == NOBODY).all()
    project.decide("Ann", *(Change("is", face=int(face), name="Zoe") for face in stranger.faces))
    assert project.people.strangers() == []
