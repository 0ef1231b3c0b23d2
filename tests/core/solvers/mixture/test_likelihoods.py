"""Pictures and captions against slow computations with scipy's own distributions."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import beta as beta_function
from scipy.stats import beta as beta_distribution
from scipy.stats import multivariate_normal, norm

from core import Correction
from core.corrections import bind
from core.evidence import Captions, Looks, Picture, caption_fit, left_out, one_person, rates
from core.members import size_of, sparse, value_at
from core.problem import Problem
from core.scatter import scatter_basis


def test_scatter_basis_whitens_what_varies_within_persons() -> None:
    """Persons differ along the first axis, faces of one person along the second."""
    rng = np.random.default_rng(2)
    who = np.arange(600) % 30
    person = rng.normal(0, 3, 30)
    faces = np.c_[person[who], rng.normal(0, 2, 600)] + rng.normal(0, 0.3, (600, 2))
    members = sparse(np.eye(30)[who])
    basis, psi = scatter_basis(faces, members, 0.0, typical=0.5)
    y = faces @ basis
    mean = np.array([y[who == k].mean(0) for k in range(30)])
    np.testing.assert_allclose(np.cov((y - mean[who]).T) * 599 / 570, np.eye(2), atol=0.01)
    tells = int(np.abs(basis[0]).argmax())
    assert psi[tells] == pytest.approx((3 / 0.3) ** 2, rel=0.5)
    assert psi[1 - tells] < 0.2 * psi[tells]


def test_scatter_basis_is_finite_without_persons_or_spread() -> None:
    for faces in (np.ones((4, 1)), np.random.default_rng(0).normal(size=(4, 3))):
        for members in (np.zeros((4, 0)), np.ones((4, 1)), np.full((4, 2), 0.1)):
            basis, psi = scatter_basis(faces, sparse(members), 0.3, typical=0.5)
            assert np.isfinite(basis).all()
            assert (psi > 0).all()


def test_one_person_is_the_marginal_likelihood() -> None:
    """Faces that share a mean have covariance I + psi; the terms left out do not depend on who is who."""
    rng = np.random.default_rng(3)
    psi, y = np.array([2.0, 0.5]), rng.normal(size=(3, 2))
    exact = sum(multivariate_normal.logpdf(y[:, d], np.zeros(3), np.eye(3) + psi[d]) for d in range(2))
    same = norm.logpdf(y).sum()
    assert one_person(np.array([3.0]), y.sum(0)[None], psi)[0] == pytest.approx(exact - same)


def test_looks_leave_each_face_out() -> None:
    rng = np.random.default_rng(4)
    psi = np.array([3.0, 1.0, 0.2], np.float32)
    y = rng.normal(0, 1.5, (7, 3)).astype(np.float32)
    members = rng.dirichlet([0.4, 0.4, 0.4], 7)
    members[members < 0.05] = 0
    looks = Looks.of(Picture(y, psi), sparse(members))
    found = looks.rows(np.arange(7))
    for i in range(7):
        for k in range(3):
            weight = np.delete(members[:, k], i)
            n, s = weight.sum(), weight @ np.delete(y, i, 0)
            mean, variance = s * psi / (1 + n * psi), 1 + psi / (1 + n * psi)
            exact = (norm.logpdf(y[i], mean, np.sqrt(variance)) - norm.logpdf(y[i], 0, np.sqrt(1 + psi))).sum()
            assert found[i, k] == pytest.approx(exact, abs=1e-4)
    np.testing.assert_allclose(looks.at(np.repeat(range(7), 3), np.tile(range(3), 7)), found.ravel(), rtol=1e-5)
    np.testing.assert_allclose(looks.by_person(sparse(members))(slice(None)), members.T @ found, atol=1e-4)
    own = left_out(Picture(y, psi), sparse(members))
    np.testing.assert_allclose(own.toarray(), np.where(members > 0, found, 0), atol=1e-4)


def test_looks_of_many_persons_lose_nothing_in_narrow_tables() -> None:
    """Hundreds of persons, from a tenth of a face to a hundred: against the formula in float64."""
    rng = np.random.default_rng(5)
    psi, y = rng.gamma(1, 3, 40) + 1e-3, rng.normal(0, 2, (300, 40))
    members = sparse(np.where(rng.random((300, 200)) < np.geomspace(1e-3, 0.4, 200), rng.random((300, 200)), 0))
    found = Looks.of(Picture(y.astype(np.float32), psi.astype(np.float32)), members).rows(np.arange(300))
    n, s = size_of(members), members.T.astype(np.float64) @ y
    mean, v = (s * psi)[None] / (1 + n[:, None] * psi), 1 + psi / (1 + n[:, None] * psi)
    apart = (y[:, None] - mean) ** 2 / v + np.log(v)
    exact = 0.5 * (y**2 / (1 + psi) + np.log1p(psi)).sum(1)[:, None] - 0.5 * apart.sum(2)
    other = members.toarray() == 0
    np.testing.assert_allclose(found[other], exact[other], rtol=1e-4, atol=1e-2)


def test_value_at_finds_what_is_there() -> None:
    table = sparse(np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]))
    assert value_at(table, np.array([1, 0, 0, 1]), np.array([2, 1, 0, 0])).tolist() == [4, 2, 0, 3]
    assert value_at(sparse((2, 3)), np.array([1]), np.array([2])).tolist() == [0]


def test_rates_count_mentions_of_the_seen_and_the_absent() -> None:
    """Ada is in groups 0 to 3 and named in 0 to 2, and once more, in group 4, where she is not."""
    problem = Problem.build(np.eye(6), range(6), [["Ada"], ["Ada"], ["Ada"], [], ["Ada"], []])
    members = sparse(np.array([[1.0], [1], [1], [1], [0], [0]]))
    found = rates(members, Captions.of(*bind(problem, [])), strength=0.0)
    assert found.common == pytest.approx((3 + 1) / (4 + 2))
    assert found.rho[0] == pytest.approx(3 / 4)
    assert found.beta[0] == pytest.approx((1 + 0.5) / (2 + 2))
    assert found.said[0] == pytest.approx(np.log(0.75 / 0.375))
    assert found.unsaid[0] == pytest.approx(np.log(0.25 / 0.625))


def test_answers_are_no_captions() -> None:
    """A person says that face 3 is Ada, whom its caption leaves out: that is still a caption which leaves her out."""
    problem = Problem.build(np.eye(6), range(6), [["Ada"], ["Ada"], ["Ada"], [], ["Ada"], []])
    said, asked = Captions.of(*bind(problem, [])), Captions.of(*bind(problem, [Correction(3, "is", "Ada")]))
    assert (said.said.toarray() == asked.said.toarray()).all()
    assert said.mentions.tolist() == asked.mentions.tolist() == [4]
    new = Captions.of(*bind(problem, [Correction(3, "is", "Eve"), Correction(0, "is", "Ada")]))
    assert new.mentions.tolist() == [4, 0]
    assert new.unheard.tolist() == [False, True]
    found = rates(sparse(np.eye(6)[:, [0, 3]]), new, strength=1.0)
    assert (found.said[1], found.unsaid[1]) == (0, 0)  # of Eve captions tell nothing
    assert found.common == pytest.approx((1 + 1) / (1 + 2))  # nor does she of captions


def test_looks_of_a_few_faces_are_those_of_all() -> None:
    rng = np.random.default_rng(7)
    picture = Picture(rng.normal(0, 2, (30, 5)).astype(np.float32), np.array([4, 2, 1, 0.5, 0.1], np.float32))
    members = sparse(np.where(rng.random((30, 6)) < 0.3, rng.random((30, 6)), 0))
    few = np.array([2, 11, 29])
    np.testing.assert_allclose(
        Looks.of(picture, members, few).rows(slice(None)), Looks.of(picture, members).rows(few), rtol=1e-4, atol=1e-4
    )


def test_caption_fit_by_hand() -> None:
    """Seen 3 times, named twice; 4 mentions in 10 groups: 2 hits, 1 miss; 2 of the 7 frames without him name him."""
    found = caption_fit(np.array([2.0]), np.array([3.0]), np.array([4.0]), 10, 0.75, 8.0)
    seen = beta_function(6 + 2, 2 + 1) / beta_function(6, 2)
    absent = beta_function(0.5 + 2, 2 + 5)
    never = beta_function(0.5 + 4, 2 + 6)
    assert found[0] == pytest.approx(np.log(seen * absent / never))


def test_caption_fit_integrates_rho_and_beta_out() -> None:
    def averaged(hits: int, misses: int, a: float, b: float) -> float:
        return float(quad(lambda p: p**hits * (1 - p) ** misses * beta_distribution.pdf(p, a, b), 0, 1)[0])

    found = caption_fit(np.array([2.0]), np.array([3.0]), np.array([4.0]), 10, 0.75, 8.0)
    exact = averaged(2, 1, 6, 2) * averaged(2, 5, 0.5, 2) / averaged(4, 6, 0.5, 2)
    assert found[0] == pytest.approx(np.log(exact), abs=1e-5)
