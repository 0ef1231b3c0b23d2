"""The dual bipartite graph against small graphs worked out by hand, scikit-learn, and the authors' own links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN

from core import Correction, Problem
from core.evaluation.generate import films
from core.solvers.dbgae.links import Distances, Links, contradiction_share, pair_counts, pair_up
from core.solvers.neighbours import find_neighbours
from tests.core.solvers.dbgae.on_a_line import PLACES, linked, on_a_line, small


def within(problem: Problem, found: Links) -> dict[tuple[int, str], float]:
    """(face, name in its own caption) -> weight."""
    name = [problem.names[k] for k in problem.mention_name[found.within_mention]]
    return dict(zip(zip(found.within_face.tolist(), name, strict=True), found.within_weight.tolist(), strict=True))


def cross(problem: Problem, found: Links) -> dict[tuple[int, int, str], float]:
    """(face, other group, name in the caption of that group) -> weight."""
    group = problem.mention_group[found.cross_mention].tolist()
    name = [problem.names[k] for k in problem.mention_name[found.cross_mention]]
    key = zip(found.cross_face.tolist(), group, name, strict=True)
    return dict(zip(key, found.cross_weight.tolist(), strict=True))


def approx(expected: dict[object, float]) -> object:
    return pytest.approx(expected, abs=1e-12)


# --- Within-group links ----------------------------------------------------------------------------------------------


def test_pairs_are_all_faces_with_all_names_of_their_caption() -> None:
    face, mention = pair_up(small())
    assert face.tolist() == [0, 0, 1, 1, 2, 3, 3, 4, 4]
    assert mention.tolist() == [0, 1, 0, 1, 2, 3, 4, 3, 4]


def test_pair_counts_by_hand() -> None:
    problem = small()
    face, mention = pair_up(problem)
    count = pair_counts(problem, face, mention, find_neighbours(problem.features, 1.0))
    # face-name pairs near another pair of the same name: (0, A) with (2, A); (1, B) with (3, B)
    assert count.tolist() == [2, 1, 1, 2, 2, 2, 1, 1, 1]


def test_pair_counts_of_a_chain_count_the_whole_chain() -> None:
    problem = on_a_line([0.0, 0.9, 1.8, 5.0], [0, 1, 2, 3], [["A"], ["A"], ["A", "B"], ["A"]])
    face, mention = pair_up(problem)
    count = pair_counts(problem, face, mention, find_neighbours(problem.features, 1.0))
    assert count.tolist() == [3, 3, 3, 1, 1]


def test_faces_of_one_group_can_cluster_too() -> None:
    problem = on_a_line([0.0, 0.5], [0, 0], [["A", "B"]])
    face, mention = pair_up(problem)
    assert pair_counts(problem, face, mention, find_neighbours(problem.features, 1.0)).tolist() == [2, 2, 2, 2]


def test_contradiction_share_by_hand() -> None:
    # two faces, two mentions, all linked; then a link that contradicts nothing; then one without any count
    count = np.array([2.0, 1.0, 1.0, 3.0, 5.0, 0.0])
    face, mention = np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 0, 1, 2, 3])
    expected = [2 / (3 + 3 - 2), 1 / (3 + 4 - 1), 1 / (4 + 3 - 1), 3 / (4 + 4 - 3), 1, 0]
    np.testing.assert_allclose(contradiction_share(count, face, mention), expected, rtol=1e-15)


def test_within_weights_by_hand() -> None:
    expected = {
        (0, "A"): 2 / (2 + 1 + 2 + 1 - 2),
        (0, "B"): 1 / (2 + 1 + 1 + 2 - 1),
        (1, "A"): 1 / (1 + 2 + 2 + 1 - 1),
        (1, "B"): 2 / (1 + 2 + 1 + 2 - 2),
        (2, "A"): 1,
        (3, "B"): 2 / (2 + 1 + 2 + 1 - 2),
        (3, "C"): 1 / (2 + 1 + 1 + 1 - 1),
        (4, "B"): 1 / (1 + 1 + 2 + 1 - 1),
        (4, "C"): 1 / (1 + 1 + 1 + 1 - 1),
    }
    assert within(*linked(small())) == approx(expected)


# --- Cross-group links -----------------------------------------------------------------------------------------------


def test_cross_links_by_hand() -> None:
    problem, found = linked(small())
    expected = {
        (0, 1, "A"): 1,  # the weight of (2, A)
        (1, 2, "B"): 1 / 2,
        (1, 2, "C"): 1 / 4,
        (2, 0, "A"): 1 / 2,
        (2, 0, "B"): 1 / 5,
        (3, 0, "A"): 1 / 5,
        (3, 0, "B"): 1 / 2,
    }
    assert cross(problem, found) == approx(expected)
    assert found.cross_neighbour.tolist() == [2, 3, 3, 0, 0, 1, 1]


def test_cross_similarity_is_the_cosine_to_the_look_alike() -> None:
    _, found = linked(small())
    expected = []
    for one, other in zip(found.cross_face, found.cross_neighbour, strict=True):
        a, b = np.array([PLACES[one], 1.0]), np.array([PLACES[other], 1.0])
        expected.append(a @ b / np.sqrt((a @ a) * (b @ b)))
    np.testing.assert_allclose(found.cross_similarity, expected, atol=1e-6)
    assert found.cross_similarity[0] == pytest.approx(1 / np.sqrt(1.25), abs=1e-6)  # (0, 1) and (0.5, 1)


def test_of_several_look_alikes_in_a_group_the_nearest_gives_its_weight() -> None:
    # face 0 is near faces 1 and 2 of group 1; face 2 is nearer, and has a twin in group 2 that raises its weight for B
    problem, found = linked(on_a_line([0.0, -0.9, 0.5, 1.2], [0, 1, 1, 2], [[], ["A", "B"], ["B"]]))
    own = within(problem, found)
    assert own[1, "B"] != own[2, "B"]
    far = cross(problem, found)
    assert far[0, 1, "A"] == own[2, "A"]
    assert far[0, 1, "B"] == own[2, "B"]
    assert found.cross_neighbour[(found.cross_face == 0)].tolist() == [2, 2]


def test_links_are_ordered_by_face_then_mention() -> None:
    problem = films(films=2, groups=30, names=10, dimensions=8)
    _, found = linked(problem, distances=Distances(0.9, 1.0))
    for face, mention in ((found.within_face, found.within_mention), (found.cross_face, found.cross_mention)):
        key = face * problem.mentions + mention
        assert len(key)
        assert (np.diff(key) > 0).all()


def test_no_cross_link_leads_into_the_own_group() -> None:
    problem = films(films=2, groups=30, names=10, dimensions=8)
    _, found = linked(problem, distances=Distances(0.9, 1.2))
    assert (problem.group[found.cross_face] != problem.mention_group[found.cross_mention]).all()
    assert (problem.group[found.cross_neighbour] == problem.mention_group[found.cross_mention]).all()


def test_look_alikes_of_one_group_are_not_linked_crosswise() -> None:
    _, found = linked(on_a_line([0.0, 0.1], [0, 0], [["A", "B"]]))
    assert len(found.cross_face) == 0


def test_a_pair_at_the_limit_counts_but_a_neighbour_at_the_limit_does_not() -> None:
    problem = on_a_line([0.0, 1.0], [0, 1], [["A", "B"], ["A"]])
    _, at_limit = linked(problem)
    assert len(at_limit.cross_face) == 0
    assert at_limit.within_weight.tolist() == pytest.approx([2 / 3, 1 / 3, 1])
    _, apart = linked(problem, distances=Distances(0.9999, 1.0001))
    assert apart.cross_face.tolist() == [0, 1, 1]
    assert apart.within_weight.tolist() == pytest.approx([1 / 2, 1 / 2, 1])


def test_a_name_twice_in_a_caption_changes_nothing() -> None:
    once = linked(small())[1]
    twice = linked(on_a_line(PLACES, [0, 0, 1, 2, 2], [["A", "B", "A"], ["A", "A"], ["B", "C"]]))[1]
    assert twice.within_weight.tolist() == once.within_weight.tolist()
    assert twice.cross_weight.tolist() == once.cross_weight.tolist()


def test_groups_without_faces_and_faces_without_names() -> None:
    # group 0 has no face, group 2 no name; face 1 hears of A and B only through its look-alike
    problem, found = linked(on_a_line([0.0, 0.5, 9.0], [1, 2, 2], [["A", "C"], ["A", "B"], []]))
    assert within(problem, found) == approx({(0, "A"): 0.5, (0, "B"): 0.5})
    assert cross(problem, found) == approx({(1, 1, "A"): 0.5, (1, 1, "B"): 0.5})


@pytest.mark.parametrize("candidates", [[[], []], [["A"], []]])
def test_no_links_at_all(candidates: list[list[str]]) -> None:
    _, found = linked(on_a_line([0.0, 0.1], [1, 1], candidates))
    for field in found.__dataclass_fields__:
        assert len(getattr(found, field)) == 0


def test_one_face() -> None:
    _, found = linked(on_a_line([3.0], [0], [["A", "B"]]))
    assert found.within_weight.tolist() == [0.5, 0.5]
    assert len(found.cross_face) == 0


# --- Corrections -----------------------------------------------------------------------------------------------------


def test_a_given_name_is_1_and_what_contradicts_it_0() -> None:
    problem, found = linked(small(), [Correction(0, "is", "A")])
    assert within(problem, found) == approx(
        {
            (0, "A"): 1,
            (0, "B"): 0,
            (1, "A"): 0,  # the name is taken in this frame
            (1, "B"): 1,  # and nothing contradicts this one any more
            (2, "A"): 1,
            (3, "B"): 1 / 2,
            (3, "C"): 1 / 4,
            (4, "B"): 1 / 4,
            (4, "C"): 1 / 3,
        }
    )
    assert cross(problem, found) == approx(
        {
            (0, 1, "A"): 1,
            (1, 2, "B"): 1 / 2,
            (1, 2, "C"): 1 / 4,
            (2, 0, "A"): 1,  # the look-alike's correction spreads
            (2, 0, "B"): 0,
            (3, 0, "A"): 0,
            (3, 0, "B"): 1,
        }
    )


def test_a_given_name_binds_the_cross_links_of_its_face_and_frame() -> None:
    problem, found = linked(small(), [Correction(1, "is", "A")])
    far = cross(problem, found)
    assert far[0, 1, "A"] == 0  # A is taken in the frame of face 0
    assert far[1, 2, "B"] == 0
    assert far[1, 2, "C"] == 0  # face 1 has its name
    assert far[3, 0, "A"] == 1


def test_two_faces_of_one_frame_with_one_name_are_both_right() -> None:
    problem, found = linked(small(), [Correction(3, "is", "B"), Correction(4, "is", "B")])
    own = within(problem, found)
    assert [own[3, "B"], own[3, "C"], own[4, "B"], own[4, "C"]] == [1, 0, 1, 0]


def test_a_refused_name_is_0_and_no_longer_contradicts() -> None:
    problem, found = linked(small(), [Correction(3, "is not", "B")])
    own = within(problem, found)
    assert own[3, "B"] == 0
    assert own[3, "C"] == pytest.approx(1 / 2)  # against (4, C)
    assert own[4, "B"] == pytest.approx(1 / 2)  # against (4, C)
    assert own[1, "B"] == pytest.approx(1 / (1 + 1 + 1 + 1 - 1))  # its pair with (3, B) is gone
    far = cross(problem, found)
    assert far[3, 0, "B"] == 0
    assert far[1, 2, "B"] == 0
    assert far[3, 0, "A"] > 0


def test_nobody_has_no_link_and_contradicts_none() -> None:
    problem, found = linked(small(), [Correction(1, "nobody")])
    own = within(problem, found)
    assert (own[1, "A"], own[1, "B"]) == (0, 0)
    assert own[0, "A"] == pytest.approx(2 / 3)
    assert own[0, "B"] == pytest.approx(1 / 3)
    far = cross(problem, found)
    assert (far[1, 2, "B"], far[1, 2, "C"]) == (0, 0)
    assert (far[3, 0, "A"], far[3, 0, "B"]) == (0, 0)  # nobody's look-alike learns no name


def test_a_name_from_another_caption_enters_as_a_link_of_weight_1() -> None:
    problem, found = linked(small(), [Correction(1, "is", "C")])
    own = within(problem, found)
    assert own[1, "C"] == 1
    assert (own[1, "A"], own[1, "B"], own[0, "C"]) == (0, 0, 0)
    assert own[0, "A"] == pytest.approx(2 / 3)
    far = cross(problem, found)
    assert far[1, 2, "C"] == 1
    assert far[3, 0, "C"] == 1  # its look-alike hears of it
    assert far[1, 2, "B"] == 0


def test_a_new_name_enters_as_a_link_of_weight_1() -> None:
    problem, found = linked(small(), [Correction(2, "is", "New")])
    own = within(problem, found)
    assert (own[2, "New"], own[2, "A"]) == (1, 0)
    assert own[0, "A"] == pytest.approx(1 / 3)  # it has lost its pair
    far = cross(problem, found)
    assert far[0, 1, "New"] == 1
    assert far[0, 1, "A"] == 0


# --- Pair counts -----------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 2**32 - 1), eps=st.floats(0.1, 1.5))
def test_pair_counts_are_the_cluster_sizes_of_dbscan(seed: int, eps: float) -> None:
    rng = np.random.default_rng(seed)
    faces, groups, names = int(rng.integers(1, 40)), int(rng.integers(1, 20)), int(rng.integers(1, 5))
    listed = [[str(k) for k in range(names) if rng.random() < 0.5] for _ in range(groups)]
    problem = Problem.build(
        rng.normal(size=(faces, 3)), rng.integers(groups, size=faces), listed, names=[str(k) for k in range(names)]
    )
    face, mention = pair_up(problem)
    count = pair_counts(problem, face, mention, find_neighbours(problem.features, eps))
    assert len(count) == len(face)
    for name in range(names):
        mine = problem.mention_name[mention] == name
        if not mine.any():
            continue
        label = DBSCAN(eps=eps, min_samples=2).fit(problem.features[face[mine]].astype(np.float64)).labels_
        expected = [1 if k == -1 else int((label == k).sum()) for k in label]
        assert count[mine].tolist() == expected


# --- The authors' sample -----------------------------------------------------------------------------------------------
