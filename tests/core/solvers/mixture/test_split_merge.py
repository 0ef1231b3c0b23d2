"""Leader clustering, splits, merges and name assignment on a few well separated persons."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from core import Correction, Problem
from core.corrections import bind
from core.problem import FloatArray, IntArray
from core.solvers.mixture.cluster_statistics import ANSWER_NATS, ClusterStatistics
from core.solvers.mixture.leader_clustering import _agglomerate, _leader_of, leader_clusters
from core.solvers.mixture.likelihoods import Captions, leave_one_out_llr
from core.solvers.mixture.naming import NameLogOdds, assign_names
from core.solvers.mixture.plda import PldaSpace, cluster_log_marginal
from core.solvers.mixture.settings import Settings
from core.solvers.mixture.sparse_tables import Sparse, soft_counts, sparse
from core.solvers.mixture.split_merge import (
    merge_clusters,
    propose_splits,
    split_clusters,
    split_unmentioned,
)

PSI = np.full(8, 20.0, np.float32)
ASKED = np.ones(1, bool)


def people(who: IntArray, seed: int = 0) -> PldaSpace:
    """Faces with scatter 1 around persons with scatter PSI, as the model has it."""
    rng = np.random.default_rng(seed)
    person = rng.normal(0, np.sqrt(PSI), (int(who.max()) + 1, 8))
    return PldaSpace((person[who] + rng.normal(size=(len(who), 8))).astype(np.float32), PSI)


def statistics(
    space: PldaSpace, captions: list[list[str]], names: list[str], said: list[Correction] | None = None
) -> ClusterStatistics:
    """Every face in a frame of its own."""
    problem = Problem.build(space.y, range(len(space.y)), captions, names=names)
    problem, constraints = bind(problem, said or [])
    nothing = sparse((len(space.y), len(space.y)))
    return ClusterStatistics(space, nothing, Captions.of(problem, constraints), 0.8, constraints, Settings())


def one_hot(who: IntArray, many: int) -> Sparse:
    return sparse(np.eye(many)[who])


def leaders_one_by_one(alike: FloatArray) -> IntArray:
    """Sequential leader clustering."""
    label, many = np.full(len(alike), -1), 0
    for i in np.argsort(-alike.sum(1), kind="stable"):
        if label[i] >= 0:
            continue
        near = np.flatnonzero((alike[i] > 0.3) & (label < 0))
        near = near[near != i]
        if len(near):
            label[i] = label[near] = many
            many += 1
    return label


@pytest.mark.parametrize("seed", range(20))
def test_leaders_equal_those_of_sequential_clustering(seed: int) -> None:
    rng = np.random.default_rng(seed)
    alike = np.where(rng.random((60, 60)) < rng.choice([0.01, 0.05, 0.3]), rng.random((60, 60)), 0)
    alike = np.maximum(alike, alike.T)
    np.fill_diagonal(alike, 0)
    alike = alike.astype(np.float32)
    assert _leader_of(sparse(alike)).tolist() == leaders_one_by_one(alike).tolist()


def test_leader_clusters_are_found_among_free_faces_without_singletons() -> None:
    who = np.array([0] * 6 + [1] * 6 + [2, 3])
    free = np.ones(14, bool)
    free[0] = False
    same = (who[:, None] == who) & ~np.eye(14, dtype=bool)
    found = leader_clusters(people(who), free, csr_array(same.astype(np.float32)), 3.0).toarray()
    assert sorted(found.sum(0).tolist()) == [5, 6]
    assert not found[[0, 12, 13]].any()
    assert all(len(set(who[column > 0])) == 1 for column in found.T)


def agglomerated_one_by_one(size: FloatArray, total: FloatArray, between_variance: FloatArray) -> IntArray:
    """Greedy agglomeration without a heap."""
    root, value = np.arange(len(size)), cluster_log_marginal(size, total, between_variance)
    while True:
        live = np.unique(root)
        a, b = (live[place] for place in np.triu_indices(len(live), 1))
        gain = cluster_log_marginal(size[a] + size[b], total[a] + total[b], between_variance) - value[a] - value[b]
        if not len(gain) or gain.max() <= 0:
            return root
        a, b = a[gain.argmax()], b[gain.argmax()]
        size[a], total[a] = size[a] + size[b], total[a] + total[b]
        value[a] = cluster_log_marginal(size[[a]], total[[a]], between_variance)[0]
        root[root == b] = a


@pytest.mark.parametrize("seed", range(5))
def test_agglomeration_equals_the_greedy_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    who, size = rng.integers(12, size=60), rng.integers(1, 4, size=60).astype(np.float64)
    person = rng.normal(0, np.sqrt(PSI), (12, 8))
    total = person[who] * size[:, None] + rng.normal(size=(60, 8)) * np.sqrt(size)[:, None]
    found = _agglomerate(size.copy(), total.copy(), PSI)
    assert found.tolist() == agglomerated_one_by_one(size.copy(), total.copy(), PSI).tolist()
    assert len(np.unique(found)) < 20


def test_leader_clusters_without_free_faces_or_neighbours() -> None:
    space = people(np.array([0, 0, 1]))
    for free in ([False] * 3, [True, False, False], [True] * 3):
        assert leader_clusters(space, np.array(free), sparse((3, 3)), 3.0).shape == (3, 0)


def test_splits_are_proposed_for_two_persons_and_not_for_one() -> None:
    who = np.array([0] * 7 + [1] * 5 + [2] * 8)
    found = propose_splits(
        one_hot(np.array([0] * 12 + [1] * 8), 2), statistics(people(who), [[]] * 20, []), np.ones(2, bool)
    )
    assert [half.cluster for half in found] == [0]
    assert sorted([who[found[0].leave].tolist(), who[found[0].stay].tolist()]) == [[0] * 7, [1] * 5]


def test_the_mentioned_part_keeps_the_name() -> None:
    who = np.array([0] * 7 + [1] * 5)
    captions = [["Ada"]] * 7 + [[]] * 5
    parted = split_clusters(one_hot(np.zeros(12, np.int64), 1), statistics(people(who), captions, ["Ada"]), ASKED).toarray()
    assert parted.argmax(1).tolist() == who.tolist()


def test_unmentioned_faces_with_low_llr_are_split_off() -> None:
    who = np.array([0] * 7 + [1] * 4)
    captions = [["Ada"]] * 6 + [[]] * 5
    parted = split_unmentioned(
        one_hot(np.zeros(11, np.int64), 1), statistics(people(who), captions, ["Ada"]), ASKED
    ).toarray()
    assert parted.argmax(1).tolist() == who.tolist()
    np.testing.assert_allclose(parted.sum(1), 1)


def test_an_unnamed_cluster_merges_with_its_name_and_another_stays() -> None:
    who = np.array([0] * 6 + [1] * 4)
    guess = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
    captions = [["Ada"]] * 6 + [[]] * 4
    joined = merge_clusters(one_hot(guess, 3), statistics(people(who), captions, ["Ada"]))
    assert soft_counts(joined).tolist() == [6, 0, 4]


def test_names_are_assigned_by_captions() -> None:
    """Ada and Ben were mixed up; the third person is never named."""
    who = np.repeat([0, 1, 2], 5)
    captions = [["Ben"]] * 5 + [["Ada"]] * 5 + [[]] * 5
    named = assign_names(one_hot(who, 3), statistics(people(who), captions, ["Ada", "Ben"])).toarray()
    assert named.argmax(1).tolist() == [1] * 5 + [0] * 5 + [2] * 5


def test_an_answer_counts_for_its_whole_cluster() -> None:
    who = np.repeat([0, 1], 5)
    captions: list[list[str]] = [["Ada"]] * 5 + [["Ben"]] * 5
    said = [Correction(0, "is", "Ben"), Correction(1, "is", "Ben"), Correction(5, "is", "Ada"), Correction(6, "is", "Ada")]
    named = assign_names(one_hot(who, 2), statistics(people(who), captions, ["Ada", "Ben"], said)).toarray()
    assert named.argmax(1).tolist() == [1] * 5 + [0] * 5


def test_an_answer_about_an_outlier_does_not_count_for_its_cluster() -> None:
    who = np.array([0] + [1] * 9)
    captions: list[list[str]] = [["Ada"]] + [["Ben"]] * 9
    said = statistics(people(who), captions, ["Ada", "Ben"], [Correction(0, "is", "Ada"), Correction(4, "is", "Ben")])
    given, asked = said.answers(one_hot(np.zeros(10, int), 2))  # all of them in Ada's column
    assert given.toarray()[0, 0] < 1e-3  # the face that was said to be her is not like the others
    assert given.toarray()[0, 1] > 0.3
    assert asked[0] == pytest.approx(given.sum())


def test_an_answer_counts_by_no_more_than_its_llr() -> None:
    who, captions = np.zeros(6, int), [["Ada"]] * 6
    near = people(who)
    far = replace(near, y=np.r_[0.3 * near.y[:1], near.y[1:]])
    said = [Correction(0, "is", "Ada")]
    strong, weak = (statistics(space, captions, ["Ada"], said) for space in (near, far))
    resp = one_hot(who, 1)
    for one in (strong, weak):
        llr = leave_one_out_llr(one.space, resp).toarray()[0, 0]
        expected = np.clip(one.settings.inverse_temperature * llr / ANSWER_NATS, 0, 1)
        assert one.answers(resp)[1][0] == pytest.approx(expected, abs=2e-3)
    assert weak.answers(resp)[1][0] < strong.answers(resp)[1][0]


def test_an_answer_counts_for_the_clusters_that_its_face_looks_like() -> None:
    """Face 0 was taken for Ada and is nobody: it is no member of hers any more, and still tells of the other five."""
    who, captions = np.zeros(6, int), [["Ada"]] * 6
    said = statistics(people(who), captions, ["Ada"], [Correction(0, "nobody")])
    resp = one_hot(who, 1).toarray()
    resp[0] = 0
    given, asked = said.answers(sparse(resp))
    named = statistics(people(who), captions, ["Ada"], [Correction(0, "is", "Ada")])
    assert asked[0] == pytest.approx(0.5 * named.answers(sparse(resp))[1][0])  # nobody tells half of what a name does
    assert asked[0] > 0.15
    assert given.sum() == 0
    before = NameLogOdds.of(one_hot(who, 1), np.arange(1), statistics(people(who), captions, ["Ada"])).dense()
    after = NameLogOdds.of(sparse(resp), np.arange(1), said).dense()
    assert after[0, 0] < before[0, 0] - 2


@pytest.mark.parametrize("together", [True, False])
def test_a_part_leaves_if_it_may_be_a_further_cluster_of_another_name(together: bool) -> None:
    """Ten faces that look otherwise stand under Ada: they may be a further cluster of Ben where captions hold him."""
    who = np.repeat([0, 1, 2], [10, 10, 20])
    captions = [["Ada"]] * 10 + [["Ada", "Ben"] if together else ["Ada"]] * 10 + [["Ben"]] * 20
    rng = np.random.default_rng(3)
    person = rng.normal(0, 4, 8) + np.array([0, 1.0, 4.0])[:, None] * np.array([5.75] + [0] * 7)
    space = PldaSpace((person[who] + rng.normal(size=(40, 8))).astype(np.float32), PSI)
    resp = one_hot(np.repeat([0, 1], [20, 20]), 2)
    parted = split_clusters(resp, statistics(space, captions, ["Ada", "Ben"]), np.ones(2, bool)).toarray()
    assert parted.shape[1] == (3 if together else 2)
    if together:
        assert (parted[:10, 0].sum(), parted[10:20, 2].sum()) == (10, 10)


def test_answers_split_two_persons_that_captions_keep_together() -> None:
    """Twelve faces of Ben, always named with Ada, stand in her column beside ten of hers that people gave her."""
    who, captions, rng = np.repeat([0, 1], [10, 12]), [["Ada", "Ben"]] * 22, np.random.default_rng(0)
    step = np.array([4.0] + [0] * 7)  # how unlike they are
    space = PldaSpace((rng.normal(0, 4, 8) + who[:, None] * step + rng.normal(size=(22, 8))).astype(np.float32), PSI)
    ada = [Correction(face, "is", "Ada") for face in range(10)]
    ben = [Correction(face, "is", "Ben") for face in (20, 21)]
    resp = np.zeros((22, 2))
    resp[:20, 0] = resp[20:, 1] = 1
    together = split_clusters(sparse(resp), statistics(space, captions, ["Ada", "Ben"]), np.ones(2, bool)).toarray()
    assert (together[:20, 0] == 1).all()  # without answers the captions keep both under one name
    parted = split_clusters(sparse(resp), statistics(space, captions, ["Ada", "Ben"], ada + ben), np.ones(2, bool)).toarray()
    assert parted.shape[1] == 3
    assert (parted[:10, 0] == 1).all()
    assert (parted[10:20, 2] == 1).all()


def test_answers_about_unnamed_clusters_split_without_names() -> None:
    """No name is known at all, two strangers pass for one, and somebody said of a face that it is nobody."""
    who = np.repeat([0, 1], 5)
    said = statistics(people(who), [[]] * 10, [], [Correction(0, "nobody")])
    parted = split_clusters(one_hot(np.zeros(10, int), 1), said, ASKED).toarray()
    assert len(np.unique(parted.argmax(1)[:5])) == len(np.unique(parted.argmax(1)[5:])) == 1
    assert parted.shape[1] == 2


def test_name_log_odds_equal_those_of_every_pair() -> None:
    """Against the fit of every person with every name, one by one; also where a name gains that stands beside nobody."""
    rng = np.random.default_rng(6)
    who, names = np.arange(40) % 5, [f"N{k}" for k in range(6)]
    captions = [[name for k, name in enumerate(names) if rng.random() < (0.9 if k == 5 else 0.1)] for _ in range(40)]
    captions[0::5] = [[name for name in caption if name != "N5"] for caption in captions[0::5]]
    judged = replace(statistics(people(who), captions, names, [Correction(3, "is", "N4")]), common=0.05)
    resp, size = one_hot(who, 5), 8.0
    found = NameLogOdds.of(resp, np.arange(5), judged)
    said, mentions = judged.captions.mentioned.toarray(), judged.captions.mentions
    answered = judged.answers(resp)[1][3]
    assert answered > 0.3
    unnamed = np.log(1 / 6 * max(int((mentions > 0).sum()) - 5 + 1, 1))
    for k in range(5):
        for c in range(6):
            hit = np.array([said[who == k, c].sum()])
            gain = judged.caption_log_bf(hit, np.array([size]), mentions[[c]])[0] - unnamed
            gain += {3: 12.0 if c == 4 else -12.0}.get(k, 0.0) * answered
            assert found.dense()[k, c] == pytest.approx(gain)
    row, name, gain = found.positive()
    table = np.zeros((5, 6))
    table[row, name] = gain
    np.testing.assert_allclose(table, np.maximum(found.dense(), 0))
    assert found.dense()[0, 5] > 0
