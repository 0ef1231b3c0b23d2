"""People of the library are known again, and strangers are not taken for them."""

import numpy as np

from core.solvers.embeddings import FACENET
from core.store.library.likeness import Likeness
from core.store.library.shelf import Known
from tests.core.store.library.drawn import drawn_people


def known_of(vectors: np.ndarray) -> Known:
    people, faces, width = vectors.shape
    names = tuple(f"person {k}" for k in range(people) for _ in range(faces))
    return Known(vectors.reshape(-1, width), names, tuple("Episode 1" for _ in names))


def test_people_are_known_again_and_strangers_are_not() -> None:
    faces = drawn_people(20, 9)
    likeness = Likeness(known_of(faces[:10, :5]), FACENET)
    assert likeness.can
    found = likeness.ask([some[5:] for some in faces])
    assert [one.name for one in found[:10] if one and one.sure] == [f"person {k}" for k in range(10)]
    assert not [one for one in found[10:] if one and one.sure]
    assert found[0] is not None
    assert found[0].reason == "like 5 faces in Episode 1"


def test_one_face_says_less_than_many() -> None:
    faces = drawn_people(6, 8, seed=3)
    likeness = Likeness(known_of(faces[:, :4]), FACENET)
    one, many = (likeness.ratios([faces[0, 4 : 4 + k]])[0, 0] for k in (1, 4))
    assert many > one


def test_other_embedders_are_not_compared() -> None:
    likeness = Likeness(known_of(drawn_people(2, 2)), "another")
    assert not likeness.can
    assert likeness.ask([np.ones((1, 512))]) == [None]
    assert not Likeness(Known(np.zeros((0, 0), np.float32), (), ()), FACENET).can
