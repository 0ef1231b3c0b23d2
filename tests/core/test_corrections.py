"""What people say: read, checked for contradictions, and constraints to a problem."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import NOBODY, BadInput, Correction, Problem
from core.corrections import OPEN, Constraints, bind, read_corrections, unbind
from core.solvers.order import canonical_order

# group 0: faces 0, 1 with A, B; group 1: face 2 with B; group 2: face 3, no caption
PROBLEM = Problem.build(np.eye(4), [0, 0, 1, 2], [["A", "B"], ["B"], []], names=["A", "B", "C"])


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def allowed(constraints: Constraints, names: int) -> list[list[int]]:
    """The names left possible for each face."""
    faces = np.arange(len(constraints.fixed))
    return [[k for k in range(names) if constraints.allows(faces[f : f + 1], np.array([k]))[0]] for f in faces]


# --- Reading ---------------------------------------------------------------------------------------------------------


def test_corrections_are_read(tmp_path: Path) -> None:
    content = [
        {"face": 3, "kind": "is", "name": "Ross"},
        {"face": 4, "kind": "is not", "name": "Zoë"},
        {"face": 5, "kind": "nobody"},
    ]
    assert read_corrections(written(tmp_path / "c.json", content), faces=6) == [
        Correction(3, "is", "Ross"),
        Correction(4, "is not", "Zoë"),
        Correction(5, "nobody"),
    ]


def test_no_corrections_are_read(tmp_path: Path) -> None:
    assert read_corrections(written(tmp_path / "c.json", []), faces=1) == []


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('[{"face": 0, "kind": "nobody"}]', encoding="utf-8-sig")
    assert read_corrections(path, faces=1) == [Correction(0, "nobody")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["not JSON"]),
        ("[{", ["not JSON"]),
        ("[" * 100_000, ["not JSON"]),
        ("\udcff", ["not JSON"]),  # a byte that is no UTF-8
        ('{"face": 0, "kind": "nobody"}', ["list", "dict"]),
        ("null", ["list", "NoneType"]),
        ("[3]", ["correction 1", "int"]),
        ('[{"face": 0, "kind": "nobody"}, []]', ["correction 2", "list"]),
        ('[{"kind": "nobody"}]', ["correction 1", "face None"]),
        ('[{"face": 6, "kind": "nobody"}]', ["face 6", "0 to 5"]),
        ('[{"face": -1, "kind": "nobody"}]', ["face -1", "0 to 5"]),
        ('[{"face": 1.0, "kind": "nobody"}]', ["face 1.0"]),
        ('[{"face": "1", "kind": "nobody"}]', ["face '1'"]),
        ('[{"face": true, "kind": "nobody"}]', ["face True"]),
        ('[{"face": 0}]', ["kind None", '"is not"']),
        ('[{"face": 0, "kind": "IS", "name": "A"}]', ["kind 'IS'"]),
        ('[{"face": 0, "kind": ["is"], "name": "A"}]', ["kind ['is']"]),
        ('[{"face": 0, "kind": "is"}]', ["correction 1", "needs a name"]),
        ('[{"face": 0, "kind": "is", "name": ""}]', ["needs a name", "nobody"]),
        ('[{"face": 0, "kind": "is not", "name": "  "}]', ["needs a name"]),
        ('[{"face": 0, "kind": "is", "name": 5}]', ["needs a name"]),
        ('[{"face": 0, "kind": "is", "name": ["A"]}]', ["needs a name"]),
    ],
)
def test_a_malformed_file_is_refused_in_one_sentence(tmp_path: Path, content: str, words: list[str]) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(BadInput) as caught:
        read_corrections(path, faces=6)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    for word in words:
        assert word in said


def test_a_folder_and_no_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_corrections(tmp_path, faces=1)
    with pytest.raises(BadInput, match=r"nowhere\.json: cannot be read"):
        read_corrections(tmp_path / "nowhere.json", faces=1)


# --- Contradictions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corrections", "words"),
    [
        ([Correction(1, "is", "A"), Correction(1, "is", "B")], ["face 1", "is A", "is B"]),
        ([Correction(1, "is", "A"), Correction(1, "is not", "A")], ["face 1", "is A", "is not A"]),
        ([Correction(1, "is not", "A"), Correction(1, "is", "A")], ["face 1", "is A", "is not A"]),
        ([Correction(2, "is", "A"), Correction(2, "nobody")], ["face 2", "is A", "is nobody"]),
        ([Correction(2, "nobody"), Correction(2, "is", "A")], ["face 2", "is A", "is nobody"]),
        ([Correction(2, "nobody"), Correction(2, "is", "new")], ["face 2", "is new", "is nobody"]),
    ],
)
def test_contradictions_are_refused(corrections: list[Correction], words: list[str]) -> None:
    with pytest.raises(BadInput, match="contradict each other") as caught:
        bind(PROBLEM, corrections)
    for word in words:
        assert word in str(caught.value)


def test_a_contradiction_is_told_in_one_line_whatever_the_names() -> None:
    with pytest.raises(BadInput) as caught:
        bind(PROBLEM, [Correction(0, "is", "A\nB"), Correction(0, "is", "C")])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("correction", [Correction(4, "is", "A"), Correction(-1, "nobody")])
def test_a_face_that_is_not_there_is_refused(correction: Correction) -> None:
    with pytest.raises(BadInput, match=f"face {correction.face}.* 0 to 3"):
        bind(PROBLEM, [correction])


@pytest.mark.parametrize("correction", [Correction(0, "maybe", "A"), Correction(0, "is"), Correction(0, "is not", " ")])  # type: ignore[arg-type]
def test_a_correction_that_says_nothing_is_refused(correction: Correction) -> None:
    with pytest.raises(BadInput, match="face 0"):
        bind(PROBLEM, [correction])


@pytest.mark.parametrize(
    "corrections",
    [
        [Correction(0, "is", "A"), Correction(0, "is", "A")],
        [Correction(0, "nobody"), Correction(0, "nobody")],
        [Correction(0, "is not", "A"), Correction(0, "is not", "A")],
        [Correction(0, "is not", "A"), Correction(0, "is not", "B"), Correction(0, "nobody")],
        [Correction(0, "is", "A"), Correction(0, "is not", "B")],
        [Correction(0, "is", "A"), Correction(1, "is", "A")],
        [Correction(0, "is", "A"), Correction(1, "is not", "A")],
        [Correction(0, "is not", "never heard of")],
    ],
)
def test_consistent_corrections_are_taken(corrections: list[Correction]) -> None:
    _, constraints = bind(PROBLEM, iter(corrections))
    given = {c.face: c for c in corrections if c.kind != "is not"}
    for face in range(4):
        expected = OPEN if face not in given else NOBODY if given[face].kind == "nobody" else PROBLEM.names.index("A")
        assert constraints.fixed[face] == expected


# --- Binding ---------------------------------------------------------------------------------------------------------


def test_without_corrections_nothing_changes() -> None:
    problem, constraints = bind(PROBLEM, [])
    assert problem.names == PROBLEM.names
    assert problem.candidates() == PROBLEM.candidates()
    assert constraints.fixed.tolist() == [OPEN] * 4
    assert allowed(constraints, 3) == [[0, 1, 2]] * 4


def test_a_given_name_excludes_the_others_and_is_taken_in_its_frame() -> None:
    problem, constraints = bind(PROBLEM, [Correction(0, "is", "A")])
    assert constraints.fixed.tolist() == [0, OPEN, OPEN, OPEN]
    assert allowed(constraints, 3) == [[0], [1, 2], [0, 1, 2], [0, 1, 2]]
    assert problem.candidates() == PROBLEM.candidates()
    assert constraints.given(np.array([0, 0, 1]), np.array([0, 1, 0])).tolist() == [True, False, False]


def test_two_faces_of_one_frame_may_be_given_one_name() -> None:
    _, constraints = bind(PROBLEM, [Correction(0, "is", "B"), Correction(1, "is", "B")])
    assert allowed(constraints, 3) == [[1], [1], [0, 1, 2], [0, 1, 2]]
    assert constraints.given(np.array([0, 1, 2]), np.array([1, 1, 1])).tolist() == [True, True, False]


def test_a_refused_name_is_refused_for_that_face_only() -> None:
    _, constraints = bind(
        PROBLEM, [Correction(1, "is not", "A"), Correction(1, "is not", "C"), Correction(2, "is not", "B")]
    )
    assert allowed(constraints, 3) == [[0, 1, 2], [1], [0, 2], [0, 1, 2]]
    assert constraints.fixed.tolist() == [OPEN] * 4


def test_nobody_excludes_every_name_and_takes_none() -> None:
    _, constraints = bind(PROBLEM, [Correction(0, "nobody")])
    assert constraints.fixed.tolist() == [NOBODY, OPEN, OPEN, OPEN]
    assert allowed(constraints, 3) == [[], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    assert not constraints.given(np.array([0]), np.array([0]))[0]


def test_a_name_from_another_caption_becomes_a_mention_of_the_frame() -> None:
    problem, constraints = bind(PROBLEM, [Correction(3, "is", "B"), Correction(2, "is", "A")])
    assert problem.candidates() == [["A", "B"], ["B", "A"], ["B"]]
    assert problem.names == PROBLEM.names
    assert constraints.fixed.tolist() == [OPEN, OPEN, 0, 1]
    assert (np.diff(problem.mention_group) >= 0).all()


def test_a_new_name_is_added_at_the_end() -> None:
    problem, constraints = bind(PROBLEM, [Correction(2, "is", "New"), Correction(0, "is not", "New")])
    assert problem.names == ("A", "B", "C", "New")
    assert problem.candidates() == [["A", "B"], ["B", "New"], []]
    assert constraints.fixed.tolist() == [OPEN, OPEN, 3, OPEN]
    assert allowed(constraints, 4) == [[0, 1, 2], [0, 1, 2, 3], [3], [0, 1, 2, 3]]


def test_refusing_an_unknown_name_brings_in_no_name() -> None:
    problem, _ = bind(PROBLEM, [Correction(0, "is not", "New")])
    assert problem.names == PROBLEM.names


def test_a_name_can_be_given_where_there_are_none() -> None:
    problem, constraints = bind(Problem.build(np.eye(2), [0, 1], [[], []]), [Correction(1, "is", "New")])
    assert (problem.names, problem.candidates()) == (("New",), [[], ["New"]])
    assert constraints.fixed.tolist() == [OPEN, 0]


def test_binding_leaves_the_problem_alone() -> None:
    before = PROBLEM.names, PROBLEM.candidates()
    bind(PROBLEM, [Correction(3, "is", "New"), Correction(0, "is", "C")])
    assert (PROBLEM.names, PROBLEM.candidates()) == before


def test_reordered_says_the_same_about_the_same_faces_and_names() -> None:
    corrections = [Correction(0, "is", "A"), Correction(1, "is not", "B"), Correction(2, "nobody")]
    problem, constraints = bind(PROBLEM, corrections)
    face_order, name_rank, group_rank = np.array([2, 0, 3, 1]), np.array([2, 0, 1]), np.array([1, 2, 0])
    other = constraints.reordered(face_order, name_rank, group_rank)
    table, moved = allowed(constraints, 3), allowed(other, 3)
    for new, old in enumerate(face_order):
        assert moved[new] == sorted(name_rank[table[old]].tolist())
        assert other.group[new] == group_rank[problem.group[old]]
    assert other.fixed.tolist() == [NOBODY, 2, OPEN, OPEN]
    assert constraints.fixed.tolist() == [0, OPEN, NOBODY, OPEN]  # and the first is as it was


# --- Unbinding -------------------------------------------------------------------------------------------------------


def test_unbinding_takes_injected_names_and_mentions_away() -> None:
    said = [Correction(3, "is", "A"), Correction(2, "is", "an injected name"), Correction(0, "is", "A")]
    problem, constraints = unbind(*bind(PROBLEM, said))
    assert problem.names == PROBLEM.names
    assert problem.candidates() == PROBLEM.candidates()
    assert (constraints.fixed == OPEN).all()
    assert not len(constraints.taken)


def test_unbinding_works_in_the_canonical_order() -> None:
    said = [Correction(2, "is", "AA"), Correction(3, "is", "B"), Correction(1, "is not", "A")]
    ordered, constraints, _, _ = canonical_order(*bind(PROBLEM, said))
    bare, _ = unbind(ordered, constraints)
    expected, _, _, _ = canonical_order(*bind(PROBLEM, []))
    assert bare.names == expected.names
    assert bare.candidates() == expected.candidates()
    np.testing.assert_array_equal(bare.features, expected.features)


def test_an_injected_mention_has_no_kind() -> None:
    kinds = [["speaker", "spoken"], ["screen"], []]
    known = Problem.build(np.eye(4), [0, 0, 1, 2], PROBLEM.candidates(), ["A", "B", "C"], mention_kind=kinds)
    problem, constraints = bind(known, [Correction(2, "is", "A"), Correction(3, "is", "C"), Correction(0, "is", "A")])
    assert problem.candidates() == [["A", "B"], ["B", "A"], ["C"]]
    assert problem.mention_kinds() == [["speaker", "spoken"], ["screen", ""], [""]]
    assert unbind(problem, constraints)[0].mention_kinds() == kinds
