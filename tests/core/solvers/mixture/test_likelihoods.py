"""Likelihoods of faces and captions against scipy's distributions."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import beta as beta_function
from scipy.stats import beta as beta_distribution
from scipy.stats import multivariate_normal, norm

from core import Correction
from core.corrections import bind
from core.problem import Problem
from core.solvers.mixture.likelihoods import (
    Captions,
    LogLikelihoodRatios,
    caption_log_bayes_factor,
    leave_one_out_llr,
    mention_rates,
)
from core.solvers.mixture.plda import PldaSpace, cluster_log_marginal, plda_basis
from core.solvers.mixture.sparse_tables import lookup, soft_counts, sparse


def test_plda_basis_whitens_the_within_person_covariance() -> None:
    """Persons differ along the first axis, faces of one person along the second."""
    rng = np.random.default_rng(2)
    who = np.arange(600) % 30
    person = rng.normal(0, 3, 30)
    faces = np.c_[person[who], rng.normal(0, 2, 600)] + rng.normal(0, 0.3, (600, 2))
    resp = sparse(np.eye(30)[who])
    basis, between_variance = plda_basis(faces, resp, 0.0, same_person_cosine=0.5)
    y = faces @ basis
    mean = np.array([y[who == k].mean(0) for k in range(30)])
    np.testing.assert_allclose(np.cov((y - mean[who]).T) * 599 / 570, np.eye(2), atol=0.01)
    tells = int(np.abs(basis[0]).argmax())
    assert between_variance[tells] == pytest.approx((3 / 0.3) ** 2, rel=0.5)
    assert between_variance[1 - tells] < 0.2 * between_variance[tells]


def test_plda_basis_is_finite_without_clusters_or_variance() -> None:
    for faces in (np.ones((4, 1)), np.random.default_rng(0).normal(size=(4, 3))):
        for resp in (np.zeros((4, 0)), np.ones((4, 1)), np.full((4, 2), 0.1)):
            basis, between_variance = plda_basis(faces, sparse(resp), 0.3, same_person_cosine=0.5)
            assert np.isfinite(basis).all()
            assert (between_variance > 0).all()


def test_cluster_log_marginal_is_the_marginal_likelihood() -> None:
    """Faces that share a mean have covariance I + psi; the terms left out do not depend on who is who."""
    rng = np.random.default_rng(3)
    between_variance, y = np.array([2.0, 0.5]), rng.normal(size=(3, 2))
    exact = sum(multivariate_normal.logpdf(y[:, d], np.zeros(3), np.eye(3) + between_variance[d]) for d in range(2))
    same = norm.logpdf(y).sum()
    assert cluster_log_marginal(np.array([3.0]), y.sum(0)[None], between_variance)[0] == pytest.approx(exact - same)


def test_llr_leaves_each_face_out() -> None:
    rng = np.random.default_rng(4)
    between_variance = np.array([3.0, 1.0, 0.2], np.float32)
    y = rng.normal(0, 1.5, (7, 3)).astype(np.float32)
    resp = rng.dirichlet([0.4, 0.4, 0.4], 7)
    resp[resp < 0.05] = 0
    llr = LogLikelihoodRatios.of(PldaSpace(y, between_variance), sparse(resp))
    found = llr.rows(np.arange(7))
    for i in range(7):
        for k in range(3):
            weight = np.delete(resp[:, k], i)
            n, s = weight.sum(), weight @ np.delete(y, i, 0)
            mean, variance = (
                s * between_variance / (1 + n * between_variance),
                1 + between_variance / (1 + n * between_variance),
            )
            exact = (norm.logpdf(y[i], mean, np.sqrt(variance)) - norm.logpdf(y[i], 0, np.sqrt(1 + between_variance))).sum()
            assert found[i, k] == pytest.approx(exact, abs=1e-4)
    np.testing.assert_allclose(llr.at(np.repeat(range(7), 3), np.tile(range(3), 7)), found.ravel(), rtol=1e-5)
    np.testing.assert_allclose(llr.by_cluster(sparse(resp))(slice(None)), resp.T @ found, atol=1e-4)
    own = leave_one_out_llr(PldaSpace(y, between_variance), sparse(resp))
    np.testing.assert_allclose(own.toarray(), np.where(resp > 0, found, 0), atol=1e-4)


def test_llr_of_many_clusters_survives_the_low_rank_factors() -> None:
    """Hundreds of persons, from a tenth of a face to a hundred: against the formula in float64."""
    rng = np.random.default_rng(5)
    between_variance, y = rng.gamma(1, 3, 40) + 1e-3, rng.normal(0, 2, (300, 40))
    resp = sparse(np.where(rng.random((300, 200)) < np.geomspace(1e-3, 0.4, 200), rng.random((300, 200)), 0))
    found = LogLikelihoodRatios.of(PldaSpace(y.astype(np.float32), between_variance.astype(np.float32)), resp).rows(
        np.arange(300)
    )
    n, s = soft_counts(resp), resp.T.astype(np.float64) @ y
    mean, v = (
        (s * between_variance)[None] / (1 + n[:, None] * between_variance),
        1 + between_variance / (1 + n[:, None] * between_variance),
    )
    apart = (y[:, None] - mean) ** 2 / v + np.log(v)
    exact = 0.5 * (y**2 / (1 + between_variance) + np.log1p(between_variance)).sum(1)[:, None] - 0.5 * apart.sum(2)
    other = resp.toarray() == 0
    np.testing.assert_allclose(found[other], exact[other], rtol=1e-4, atol=1e-2)


def test_lookup_finds_stored_values() -> None:
    table = sparse(np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]))
    assert lookup(table, np.array([1, 0, 0, 1]), np.array([2, 1, 0, 0])).tolist() == [4, 2, 0, 3]
    assert lookup(sparse((2, 3)), np.array([1]), np.array([2])).tolist() == [0]


def test_mention_rates_of_visible_and_absent_persons() -> None:
    """Ada is in groups 0 to 3 and named in 0 to 2, and once more, in group 4, where she is not."""
    problem = Problem.build(np.eye(6), range(6), [["Ada"], ["Ada"], ["Ada"], [], ["Ada"], []])
    resp = sparse(np.array([[1.0], [1], [1], [1], [0], [0]]))
    found = mention_rates(resp, Captions.of(*bind(problem, [])), strength=0.0)
    assert found.common == pytest.approx((3 + 1) / (4 + 2))
    assert found.visible[0] == pytest.approx(3 / 4)
    assert found.absent[0] == pytest.approx((1 + 0.5) / (2 + 2))
    assert found.llr_mentioned[0] == pytest.approx(np.log(0.75 / 0.375))
    assert found.llr_unmentioned[0] == pytest.approx(np.log(0.25 / 0.625))


def test_corrections_do_not_change_mention_rates() -> None:
    """A person says that face 3 is Ada, whom its caption leaves out: that is still a caption which leaves her out."""
    problem = Problem.build(np.eye(6), range(6), [["Ada"], ["Ada"], ["Ada"], [], ["Ada"], []])
    said, asked = Captions.of(*bind(problem, [])), Captions.of(*bind(problem, [Correction(3, "is", "Ada")]))
    assert (said.mentioned.toarray() == asked.mentioned.toarray()).all()
    assert said.mentions.tolist() == asked.mentions.tolist() == [4]
    new = Captions.of(*bind(problem, [Correction(3, "is", "Eve"), Correction(0, "is", "Ada")]))
    assert new.mentions.tolist() == [4, 0]
    assert new.never_mentioned.tolist() == [False, True]
    found = mention_rates(sparse(np.eye(6)[:, [0, 3]]), new, strength=1.0)
    assert (found.llr_mentioned[1], found.llr_unmentioned[1]) == (0, 0)  # of Eve captions tell nothing
    assert found.common == pytest.approx((1 + 1) / (1 + 2))  # nor does she of captions


def test_llr_of_a_few_faces_equals_that_of_all() -> None:
    rng = np.random.default_rng(7)
    space = PldaSpace(rng.normal(0, 2, (30, 5)).astype(np.float32), np.array([4, 2, 1, 0.5, 0.1], np.float32))
    resp = sparse(np.where(rng.random((30, 6)) < 0.3, rng.random((30, 6)), 0))
    few = np.array([2, 11, 29])
    np.testing.assert_allclose(
        LogLikelihoodRatios.of(space, resp, few).rows(slice(None)),
        LogLikelihoodRatios.of(space, resp).rows(few),
        rtol=1e-4,
        atol=1e-4,
    )


def test_caption_log_bayes_factor_by_hand() -> None:
    """Seen 3 times, named twice; 4 mentions in 10 groups: 2 hits, 1 miss; 2 of the 7 frames without him name him."""
    found = caption_log_bayes_factor(np.array([2.0]), np.array([3.0]), np.array([4.0]), 10, 0.75, 8.0)
    seen = beta_function(6 + 2, 2 + 1) / beta_function(6, 2)
    absent = beta_function(0.5 + 2, 2 + 5)
    never = beta_function(0.5 + 4, 2 + 6)
    assert found[0] == pytest.approx(np.log(seen * absent / never))


def test_caption_log_bayes_factor_integrates_the_rates_out() -> None:
    def averaged(hits: int, misses: int, a: float, b: float) -> float:
        return float(quad(lambda p: p**hits * (1 - p) ** misses * beta_distribution.pdf(p, a, b), 0, 1)[0])

    found = caption_log_bayes_factor(np.array([2.0]), np.array([3.0]), np.array([4.0]), 10, 0.75, 8.0)
    exact = averaged(2, 1, 6, 2) * averaged(2, 5, 0.5, 2) / averaged(4, 6, 0.5, 2)
    assert found[0] == pytest.approx(np.log(exact), abs=1e-5)
