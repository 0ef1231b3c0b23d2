"""The data model: what it takes, and that it refuses everything else in one sentence."""

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from core import NOBODY, BadInput, Problem

GOOD: dict[str, Any] = {
    "features": [[1.0, 0.0], [0.0, 1.0], [1.0, 0.1]],
    "group": [0, 0, 1],
    "names": ["Ross", "Rachel"],
    "candidates": [["Ross", "Rachel"], ["Ross"]],
    "truth": [0, 1, NOBODY],
}


def refusal(**changes: Any) -> str:
    """What is said about the good problem with some parts exchanged."""
    with pytest.raises(BadInput) as caught:
        Problem.build(**{**GOOD, **changes})
    said = str(caught.value)
    assert said
    assert "\n" not in said
    return said


def test_build_gives_faces_groups_mentions_and_names() -> None:
    problem = Problem.build(**GOOD)
    assert (problem.faces, problem.groups, problem.mentions) == (3, 2, 3)
    assert problem.names == ("Ross", "Rachel")
    assert problem.features.dtype == np.float32
    assert problem.group.tolist() == [0, 0, 1]
    assert problem.mention_group.tolist() == [0, 0, 1]
    assert problem.mention_name.tolist() == [0, 1, 0]
    assert problem.truth is not None
    assert problem.truth.tolist() == [0, 1, -1]
    assert problem.candidates() == GOOD["candidates"]
    assert problem.captions is None


def test_mentions_follow_groups_then_the_order_of_the_caption() -> None:
    problem = Problem.build([[1.0]], [2], [["B", "A"], [], ["A"]], names=["A", "B"])
    assert problem.mention_group.tolist() == [0, 0, 2]
    assert problem.mention_name.tolist() == [1, 0, 0]


def test_names_default_to_the_captions_in_their_order() -> None:
    assert Problem.build([[1.0]], [0], [["B", "A"], ["C", "A"]]).names == ("B", "A", "C")


def test_mention_keys_tell_all_mentions_apart() -> None:
    problem = Problem.build([[1.0]], [0], [["A", "B"], ["B", "C"], ["A"]])
    assert problem.mention_keys().tolist() == [0, 1, 4, 5, 6]
    assert Problem.build([[1.0]], [0], [[]]).mention_keys().tolist() == []


def test_a_name_twice_in_a_caption_is_one_mention() -> None:
    problem = Problem.build([[1.0]], [0], [["A", "B", "A"]])
    assert problem.candidates() == [["A", "B"]]


def test_empty_captions_unmentioned_names_and_groups_without_faces_are_fine() -> None:
    problem = Problem.build([[1.0], [2.0]], [1, 3], [["A"], [], ["A"], []], names=["A", "never mentioned"])
    assert problem.candidates() == [["A"], [], ["A"], []]
    assert problem.names == ("A", "never mentioned")
    assert (problem.groups, problem.mentions) == (4, 2)


def test_no_names_at_all_are_fine() -> None:
    problem = Problem.build([[1.0], [2.0]], [0, 0], [[]], truth=[NOBODY, NOBODY])
    assert (problem.names, problem.mentions) == ((), 0)


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.int8, np.uint16])
def test_features_of_any_kind_of_number_become_float32(kind: type) -> None:
    problem = Problem.build(np.array([[1, 2], [3, 4]], dtype=kind), [0, 0], [[]])
    assert problem.features.dtype == np.float32
    assert problem.features.tolist() == [[1, 2], [3, 4]]


def test_features_are_contiguous_whatever_they_came_from() -> None:
    problem = Problem.build(np.arange(1.0, 13).reshape(3, 4).T, [0, 0, 0, 0], [[]])
    assert problem.features.flags.c_contiguous
    assert problem.features[1].tolist() == [2, 6, 10]


def test_large_but_finite_features_are_fine() -> None:
    assert Problem.build(np.full((2, 3), 1e15), [0, 0], [[]]).faces == 2


def test_captions_are_kept() -> None:
    assert Problem.build([[1.0]], [0], [["A"]], captions=["A enters."]).captions == ("A enters.",)


OPTIONAL: dict[str, Any] = {
    "track": [4, -1, 4],
    "quality": [1, 0.5, 0],
    "evidence_face": [2, 0],
    "evidence_name": [1, 0],
    "evidence_logodds": [-1.5, 2],
    "mention_kind": [["speaker", "screen"], [""]],
    "film": [7, -3],
    "embedder": "facenet-vggface2",
}


def test_what_is_optional_is_kept() -> None:
    problem = Problem.build(**GOOD, **OPTIONAL)
    assert problem.track is not None
    assert problem.quality is not None
    assert problem.film is not None
    assert problem.track.tolist() == [4, -1, 4]
    assert problem.quality.tolist() == [1, 0.5, 0]
    assert problem.evidence_face.tolist() == [2, 0]
    assert problem.evidence_name.tolist() == [1, 0]
    assert problem.evidence_logodds.tolist() == [-1.5, 2]
    assert problem.mention_kinds() == [["speaker", "screen"], [""]]
    assert problem.film.tolist() == [7, -3]
    assert problem.embedder == "facenet-vggface2"


def test_what_is_optional_may_be_missing() -> None:
    problem = Problem.build(**GOOD)
    assert problem.track is problem.quality is problem.mention_kind is problem.film is None
    assert not len(problem.evidence_face) + len(problem.evidence_name) + len(problem.evidence_logodds)
    assert problem.embedder == ""
    assert problem.mention_kinds() is None


def test_a_name_mentioned_twice_has_the_kind_of_its_first_mention() -> None:
    problem = Problem.build([[1.0]], [0], [["A", "B", "A"]], mention_kind=[["speaker", "", "spoken"]])
    assert problem.mention_kinds() == [["speaker", ""]]


def test_a_problem_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Problem.build(**GOOD).groups = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"features": [1.0, 2.0, 3.0]}, ["features", "(3,)"]),
        ({"features": np.ones((3, 2, 2))}, ["features", "(3, 2, 2)"]),
        ({"features": np.full((3, 2), "x")}, ["features", "numbers"]),
        ({"features": np.ones((3, 2), dtype=complex)}, ["features", "complex128"]),
        ({"features": np.ones((3, 2), dtype=bool)}, ["features", "bool"]),
        ({"features": np.zeros((0, 2)), "group": np.zeros(0, int), "truth": None}, ["no faces", "(0, 2)"]),
        ({"features": [[1.0, 0.0], [np.nan, 1.0], [1.0, 1.0]]}, ["face 1", "no finite number"]),
        ({"features": [[1.0, 0.0], [0.0, 1.0], [np.inf, 1.0]]}, ["face 2", "no finite number"]),
        ({"features": [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]}, ["face 1", "all zero"]),
        ({"features": [[1.0, 0.0], [1e30, 0.0], [1.0, 1.0]]}, ["face 1", "too large"]),
        ({"group": [0, 0]}, ["group", "2 entries", "3 faces"]),
        ({"group": [[0, 0, 1]]}, ["group", "(1, 3)"]),
        ({"group": [0.0, 0.0, 1.0]}, ["group", "whole numbers", "float64"]),
        ({"group": [0, 0, 2]}, ["face 2", "group 2", "0 to 1"]),
        ({"group": [0, -1, 1]}, ["face 1", "group -1"]),
        ({"group": [0, 0, 0], "candidates": []}, ["face 0", "group 0"]),
        ({"truth": [0, 1]}, ["truth", "2 entries", "3 faces"]),
        ({"truth": [0, 2, 1]}, ["truth", "face 1", "is 2", "no name", "below 2"]),
        ({"truth": [0, 1, -2]}, ["truth", "face 2", "is -2", "no name"]),
        ({"truth": [0.0, 1.0, np.nan]}, ["truth", "whole numbers"]),
        ({"names": ["Ross"]}, ["group 0", "'Rachel'", "not in names"]),
        ({"names": ["Ross", "Rachel", "Ross"]}, ["names", "'Ross'", "twice"]),
        ({"names": ["Ross", "Rachel", " "]}, ["names", "empty name"]),
        ({"candidates": ["Ross", ["Ross"]]}, ["group 0", "list of names", "str"]),
        ({"candidates": [["Ross"], None]}, ["group 1", "list of names", "NoneType"]),
        ({"candidates": [["Ross"], {"Ross": 1}]}, ["group 1", "list of names", "dict"]),
        ({"candidates": [["Ross"], [7]]}, ["group 1", "7", "not in names"]),
        ({"candidates": [["Ross"], [None]]}, ["group 1", "None", "not in names"]),
        ({"candidates": [["Ross"], [["Ross"]]]}, ["group 1"]),  # a list where a name should be
        ({"candidates": [["Ross"], [{"name": "Ross"}]]}, ["group 1"]),
        ({"captions": ["only one"]}, ["captions", "1 entries", "2 groups"]),
        ({"track": [0, 0]}, ["track", "2 entries", "3 faces"]),
        ({"track": [0.5, 0, 1]}, ["track", "whole numbers"]),
        ({"track": [0, -2, 1]}, ["track of face 1", "-2"]),
        ({"quality": [1.0]}, ["quality", "1 entries", "3 faces"]),
        ({"quality": [0.5, 1.5, 0.0]}, ["quality of face 1", "1.5"]),
        ({"quality": [0.5, np.nan, 0.0]}, ["quality", "face 1", "no finite number"]),
        ({"quality": ["good", "bad", "bad"]}, ["quality", "number a face"]),
        ({"evidence_face": [0]}, ["evidence_face", "[1, 0, 0]"]),
        ({"evidence_face": [3], "evidence_name": [0], "evidence_logodds": [1.0]}, ["evidence_face", "3", "0 to 2"]),
        ({"evidence_face": [0], "evidence_name": [-1], "evidence_logodds": [1.0]}, ["evidence_name", "-1", "0 to 1"]),
        ({"evidence_face": [0], "evidence_name": [0], "evidence_logodds": [np.inf]}, ["evidence_logodds", "no finite"]),
        ({"mention_kind": [["spoken", "spoken"]]}, ["mention_kind", "1 entries", "2 groups"]),
        ({"mention_kind": [["spoken", "spoken"], []]}, ["mention_kind of group 1", "1 kinds"]),
        ({"mention_kind": [["spoken", "sung"], [""]]}, ["mention_kind of group 0", "'sung'", "'speaker'"]),
        ({"mention_kind": [["spoken", "spoken"], "s"]}, ["mention_kind of group 1"]),
        ({"mention_kind": [["spoken", ["spoken"]], [""]]}, ["mention_kind of group 0"]),
        ({"film": [0]}, ["film", "1 entries", "2 groups"]),
        ({"film": [0.0, 1.0]}, ["film", "whole numbers"]),
        ({"embedder": 3}, ["embedder", "text", "int"]),
    ],
)
def test_bad_input_is_refused_in_one_sentence(changes: dict[str, Any], words: list[str]) -> None:
    said = refusal(**changes)
    for word in words:
        assert word in said


def test_a_table_without_columns_is_not_called_empty_of_faces() -> None:
    assert "no faces" not in refusal(features=np.zeros((3, 0)))
