"""The posterior over names: name marginals, confusable names, further clusters, outliers."""

from __future__ import annotations

import numpy as np
import pytest

from core import Correction, Problem
from core.corrections import bind
from core.problem import FloatArray, IntArray
from core.solvers.mixture.cluster_statistics import ClusterStatistics
from core.solvers.mixture.likelihoods import Captions, MentionRates
from core.solvers.mixture.name_posterior import (
    _nearest_clusters,
    _outlier_share,
    _rank_of,
    discount_confusable_names,
    name_marginals,
    name_posterior,
    outliers_as_names,
)
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.settings import Settings
from core.solvers.mixture.sparse_tables import Sparse, sparse

PSI = np.full(8, 20.0, np.float32)


def people(place: FloatArray, who: IntArray) -> PldaSpace:
    """Faces with scatter 1 around where their persons are."""
    return PldaSpace((place[who] + np.random.default_rng(0).normal(size=(len(who), 8))).astype(np.float32), PSI)


def somewhere(many: int, seed: int = 1) -> FloatArray:
    return np.asarray(np.random.default_rng(seed).normal(0, np.sqrt(PSI), (many, 8)))


def statistics(
    space: PldaSpace,
    captions: list[list[str]],
    names: list[str],
    group: IntArray | None = None,
    said: list[Correction] | None = None,
    **settings: bool,
) -> ClusterStatistics:
    """Without groups every face is in a frame of its own."""
    problem = Problem.build(space.y, range(len(space.y)) if group is None else group, captions, names=names)
    problem, constraints = bind(problem, said or [])
    nothing = sparse((len(space.y), len(space.y)))
    return ClusterStatistics(space, nothing, Captions.of(problem, constraints), 0.8, constraints, Settings(**settings))


def one_hot(who: IntArray, many: int) -> Sparse:
    return sparse(np.eye(many)[who])


def even_rates(names: int, visible: float = 0.8, absent: float = 0.1) -> MentionRates:
    return MentionRates(np.full(names, visible), np.full(names, absent), visible)


def test_names_are_uncertain_where_captions_are() -> None:
    """Two persons, two names, always named together: either could be either."""
    who = np.repeat([0, 1], 4)
    space = people(somewhere(2), who)
    sure = statistics(space, [["Ada"]] * 4 + [["Ben"]] * 4, ["Ada", "Ben"])
    unsure = statistics(space, [["Ada", "Ben"]] * 8, ["Ada", "Ben"])
    names, named = name_posterior(one_hot(who, 2), sure, even_rates(2))
    assert names.toarray()[range(8), who].min() > 0.95
    np.testing.assert_allclose(names.sum(1), named, atol=1e-3)
    names, _ = name_posterior(one_hot(who, 2), unsure, even_rates(2))
    np.testing.assert_allclose(names.toarray()[:, 0], names.toarray()[:, 1], atol=1e-6)


@pytest.mark.parametrize(("apart", "doubt"), [(0, 0.1), (1, 0.1 / 4), (4, 0.1 / 25)])
def test_confusable_names_are_discounted(apart: int, doubt: float) -> None:
    """Ada's six captions name Ben too, but for ``apart`` of them; that Ben is another person has many captions."""
    who = np.repeat([0, 1], [6, 30])
    captions = [["Ada"]] * apart + [["Ada", "Ben"]] * (6 - apart) + [["Ben"]] * 30
    judged = statistics(people(somewhere(2), who), captions, ["Ada", "Ben"])
    names, _ = name_posterior(one_hot(who, 2), judged, even_rates(2))
    assert names.toarray()[:6, 1] == pytest.approx(doubt, abs=2e-3)
    assert names.toarray()[:6, 0] == pytest.approx(1 - doubt, abs=2e-3)
    assert (names.toarray()[6:].argmax(1) == 1).all()


def test_an_answer_removes_the_discount() -> None:
    who = np.repeat([0, 1], [6, 30])
    space, captions = people(somewhere(2), who), [["Ada", "Ben"]] * 6 + [["Ben"]] * 30
    judged = statistics(space, captions, ["Ada", "Ben"], said=[Correction(2, "is", "Ada")])
    names, _ = name_posterior(one_hot(who, 2), judged, even_rates(2))
    assert names.toarray()[:6, 0].min() > 0.99


def test_the_discount_goes_to_nobody_without_another_name() -> None:
    who = np.repeat([0], 2)
    judged = statistics(people(somewhere(1), who), [["Ada"], ["Ada"]], ["Ada"])
    name_probability = discount_confusable_names(np.array([[0.999]]), one_hot(who, 1), judged, sparse((1, 1)))
    assert name_probability.tolist() == [[pytest.approx(1 - 0.1 / 9)]]


CAST = [f"N{k}" for k in range(8)]


def two_clusters(apart: bool, **settings: bool) -> FloatArray:
    """Eight names of five faces each; a ninth person looks a little like the first, and the first is named beside it.

    ``apart``: in frames of its own. Otherwise in the first person's frames, whose captions name the first anyway.
    """
    who = np.repeat(np.arange(9), 5)
    place = somewhere(9)
    place[8] = place[0] + 6.0
    frame = np.arange(45) if apart else np.r_[np.arange(40), np.arange(5)]
    captions = [[CAST[k]] for k in np.repeat(np.arange(8), 5)] + ([["N0"]] * 5 if apart else [])
    judged = statistics(people(place, who), captions, CAST, frame, **settings)
    return name_marginals(one_hot(who, 9), np.arange(9), judged, judged.answers(one_hot(who, 9)))


def test_a_further_cluster_takes_the_name() -> None:
    assert two_clusters(apart=True)[8, 0] > 0.9
    assert two_clusters(apart=True)[0, 0] > 0.9
    assert two_clusters(apart=True, outliers=False)[:, 0].sum() < 1.1  # one of them, then


def test_a_cluster_in_the_frames_of_the_name_is_no_further_cluster() -> None:
    np.testing.assert_allclose(two_clusters(apart=False), two_clusters(apart=False, outliers=False), atol=0.02)


def test_ranks_equal_those_of_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.mixture.name_posterior.CELLS", 20)  # a few persons at a time
    who = np.arange(42) % 7
    space = people(somewhere(7), who)
    judged, resp = statistics(space, [[]] * 42, []), one_hot(who, 7)
    k, j = np.array([0, 0, 3, 6]), np.array([1, 6, 2, 0])
    middle = np.array([space.y[who == person].mean(0) for person in range(7)])
    slow = [
        sorted(range(7), key=lambda o: np.linalg.norm(middle[o] - middle[a])).index(b) for a, b in zip(k, j, strict=True)
    ]
    assert _rank_of(resp, k, j, judged).tolist() == slow
    nearest = _nearest_clusters(resp, np.arange(42), judged)
    assert nearest.shape == (42, 7)
    assert nearest[:, 0].tolist() == who.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_the_outlier_share_maximises_the_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    odds, weight = rng.exponential(1.5, 200) ** 2, rng.random(200)
    shares = np.linspace(0.005, 0.995, 397)
    likelihood = weight @ np.log(shares * odds[:, None] + 1 - shares)
    likelihood += 0.5 * np.log(shares) + 0.5 * np.log(1 - shares)
    assert _outlier_share(odds, weight) == pytest.approx(shares[likelihood.argmax()], abs=0.02)


@pytest.mark.parametrize("told", [True, False])
def test_new_faces_are_outliers_of_known_persons_if_their_captions_say_so(told: bool) -> None:
    """Ten odd faces, each nearest to one of two persons; their captions name that one, or nobody."""
    who = np.repeat([0, 1], 10)
    place = somewhere(2)
    lean = np.arange(10) % 2
    odd = place[lean] + 4.0 + np.random.default_rng(3).normal(size=(10, 8))
    space = PldaSpace(np.r_[people(place, who).y, odd].astype(np.float32), PSI)
    names = np.array(["Ada", "Ben"])
    captions = [[name] for name in names[who]] + [[name] if told else [] for name in names[lean]]
    resp = sparse(np.r_[np.eye(2)[who], np.zeros((10, 2))])
    more = outliers_as_names(
        resp, np.arange(2), sparse(np.eye(2)), statistics(space, captions, names.tolist()), even_rates(2)
    )
    assert not more[:20].nnz or more[:20].max() == 0
    given = more.toarray()[20:]
    assert (given[range(10), lean].min() > 0.8) if told else (given.max() < 0.5)
    assert given.sum(1).max() <= 1 + 1e-6
