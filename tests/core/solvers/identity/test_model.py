"""The log-joint against plain formulas, and sampling against all states of tiny problems."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaln
from scipy.stats import multivariate_normal

from core.solvers.identity.model import caption_step, caption_term, log_joint, log_joint_parts, log_marginal
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.names import sweep_names
from core.solvers.identity.start import NOTHING, merge_all
from core.solvers.identity.state import ALIVE
from core.solvers.identity.units import table
from tests.core.solvers.identity.small import PARAMS, all_states, prepared, state, tiny


def test_the_marginal_is_that_of_a_gaussian_with_its_mean_integrated_out() -> None:
    rng = np.random.default_rng(0)
    y, psi = rng.normal(size=(4, 3)), np.array([0.3, 1.0, 4.0])
    found = log_marginal(4.0, y.sum(0), psi) - 0.5 * np.log1p(4 * psi).sum()
    joint = sum(
        multivariate_normal(np.zeros(4), np.eye(4) + psi[d]).logpdf(y[:, d])
        - multivariate_normal(np.zeros(4), np.eye(4)).logpdf(y[:, d])
        for d in range(3)
    )
    assert found == pytest.approx(joint)


@pytest.mark.parametrize("seed", range(4))
def test_one_more_visible_group_adds_the_difference_of_the_beta_binomials(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=6, groups=8))
    rate = np.array([[6.0, 4.0, 0.2, 2.0]])
    for name in range(len(units.counts)):
        mentions = int(units.counts[name, 0])
        if not mentions:
            assert caption_term(data, rate, name, 3, np.array([0])) == 0
            continue
        yes, no, a0, b0 = rate[0]
        by_hand = betaln(yes + 1, no + 1) - betaln(yes, no)
        by_hand += betaln(a0 + mentions - 1, b0 + 8 - 2 - mentions + 1) - betaln(a0, b0)
        before = caption_term(data, rate, name, 2, np.array([1]))
        assert before == pytest.approx(by_hand)
        for kinds in (0, 1):
            if mentions - 1 - kinds < 0 or 8 - 3 - (mentions - 1 - kinds) < 0:
                continue
            after = caption_term(data, rate, name, 3, np.array([1 + kinds]))
            step = caption_step(data, rate, name, 2, np.array([1]), kinds)
            assert after - before == pytest.approx(step)


def test_the_parts_of_a_state_counted_by_hand() -> None:
    data, units = prepared(tiny(1, faces=4, groups=2))
    alone = log_joint_parts(data, state(data, units, np.arange(4), np.full(4, -1)), PARAMS)
    assert alone["exclusivity"] == 0
    together = log_joint_parts(data, state(data, units, np.zeros(4, np.int64), np.array([-1])), PARAMS)
    seen = len(np.unique(data.unit_group))
    assert together["exclusivity"] == -PARAMS.exclusivity * (4 - seen)


@pytest.mark.parametrize("seed", range(3))
def test_sweeps_visit_states_as_often_as_the_log_joint_says(seed: int) -> None:
    """The chance that each face bears each name, over all states, and over those that the sampler visits."""
    data, units = prepared(tiny(seed, faces=4, names=2, groups=3))
    value, names = [], []
    for one in all_states(data, units):
        if all(one.name[k] < 0 or data.mentions[one.name[k]].sum() > 0 for k in range(int(one.counts[ALIVE]))):
            value.append(log_joint(data, one, PARAMS))
            names.append(one.name[one.cluster])
    weight = np.exp(np.array(value) - max(value))
    weight /= weight.sum()
    exact = np.array([[weight[np.array(names)[:, i] == c].sum() for c in (-1, 0, 1)] for i in range(4)])
    found, counted = state(data, units, np.arange(4), np.full(4, -1)), np.zeros((4, 3))
    many = 6000
    for turn in range(many):
        sweep_units(data, found, PARAMS, np.arange(4), 1.0, seed, turn, *NOTHING)
        start, members = table(found.cluster, np.arange(4), len(found.size))
        sweep_names(data, found, PARAMS, np.flatnonzero(found.size > 0), start, members, 1.0, seed, turn)
        counted[np.arange(4), found.name[found.cluster] + 1] += 1
    assert np.abs(counted / many - exact).max() < 0.1  # exchanges of names are not proposed equally often both ways


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_states_is_found(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=5, names=2, groups=3))
    best = max(log_joint(data, one, PARAMS) for one in all_states(data, units))
    found = -np.inf
    for chain in range(3):
        one = state(data, units, np.arange(units.many), np.full(units.many, -1))
        for turn in range(40):
            heat = max(2.0 - turn / 15, 0.0)
            sweep_units(data, one, PARAMS, np.arange(units.many), heat, chain, turn, *NOTHING)
            start, members = table(one.cluster, np.arange(units.many), len(one.size))
            sweep_names(data, one, PARAMS, np.flatnonzero(one.size > 0), start, members, heat, chain, turn)
            if heat == 0.0:
                merge_all(data, one, PARAMS)
        found = max(found, log_joint(data, one, PARAMS))
    assert found == pytest.approx(best, abs=0.5)
