"""Every move changes the log-joint by exactly what it claims, and leaves the counts that a fresh count gives."""

from __future__ import annotations

import numpy as np
import pytest

from core import Correction
from core.solvers.identity.model import Data, State, log_joint
from core.solvers.identity.moves import gather, gumbel, insert_unit, join, remove_unit, start_cluster, sweep_units
from core.solvers.identity.start import NOTHING, merge_all
from core.solvers.identity.units import Units, table
from core.solvers.identity.wholes import give_name, groups_of, sweep_names, take_name
from tests.core.solvers.identity.small import PARAMS, prepared, state, tiny


def drawn_state(data: Data, units: Units, seed: int) -> State:
    rng = np.random.default_rng(seed)
    cluster = rng.integers(4, size=units.many)
    return state(data, units, cluster, rng.integers(-1, len(units.counts), size=4))


def recounted(data: Data, units: Units, found: State) -> None:
    """The counts in a state are those of its partition and names."""
    fresh = state(data, units, found.cluster, found.name, found.rate)
    for field in ("visible", "hits", "bearers", "units", "shown"):
        np.testing.assert_array_equal(getattr(found, field), getattr(fresh, field), err_msg=field)
    assert found.counts[1:].tolist() == fresh.counts[1:].tolist()
    assert log_joint(data, found, PARAMS) == pytest.approx(log_joint(data, fresh, PARAMS))


@pytest.mark.parametrize("seed", range(8))
def test_a_unit_adds_what_joining_or_founding_a_cluster_claims(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=6))
    found, hits = drawn_state(data, units, seed), np.zeros(1, np.int64)
    close = np.zeros(len(found.size))
    for unit in range(units.many):
        remove_unit(data, found, PARAMS, unit)
        values = {}
        for k in np.flatnonzero(found.size > 0).tolist():
            gather(data, found, unit, close, 1.0)
            claimed = join(data, found, PARAMS, unit, k, hits, close)
            gather(data, found, unit, close, 0.0)
            assert not close.any()
            insert_unit(data, found, PARAMS, unit, k, found.name[k])
            values[k] = (claimed, log_joint(data, found, PARAMS))
            recounted(data, units, found)
            remove_unit(data, found, PARAMS, unit)
        for name in range(-1, len(units.counts)):
            claimed = start_cluster(data, found, PARAMS, unit, name, hits)
            insert_unit(data, found, PARAMS, unit, -1, name)
            values[("new", name)] = (claimed, log_joint(data, found, PARAMS))
            recounted(data, units, found)
            remove_unit(data, found, PARAMS, unit)
        gaps = [claimed - value for claimed, value in values.values()]  # all alternatives start from the same remainder
        assert np.ptp(gaps) == pytest.approx(0, abs=1e-8)
        insert_unit(data, found, PARAMS, unit, -1, -1)


@pytest.mark.parametrize("seed", range(8))
def test_a_name_adds_what_giving_and_taking_it_claim(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=6))
    found = drawn_state(data, units, seed)
    start, members = table(found.cluster, np.arange(units.many), len(found.size))
    mark, out = np.full(data.groups, -1, np.int64), np.empty(data.groups, np.int64)
    for stamp, k in enumerate(np.flatnonzero(found.size > 0).tolist()):
        mine = members[start[k] : start[k + 1]]
        groups = out[: groups_of(data, mine, mark, stamp, out)]
        before = log_joint(data, found, PARAMS)
        if found.name[k] >= 0:
            claimed = take_name(data, found, PARAMS, k, mine, groups)
            assert log_joint(data, found, PARAMS) - before == pytest.approx(claimed, abs=1e-8)
            before += claimed
        for name in range(len(units.counts)):
            claimed = give_name(data, found, PARAMS, k, name, mine, groups)
            assert log_joint(data, found, PARAMS) - before == pytest.approx(claimed, abs=1e-8)
            recounted(data, units, found)
            take_name(data, found, PARAMS, k, mine, groups)
            assert log_joint(data, found, PARAMS) == pytest.approx(before, abs=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_the_log_joint_never_falls_at_temperature_zero(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=12, names=3, groups=6))
    found = drawn_state(data, units, seed)
    value = log_joint(data, found, PARAMS)
    for turn in range(4):
        sweep_units(data, found, PARAMS, np.arange(units.many), 0.0, 0, turn, *NOTHING)
        recounted(data, units, found)
        start, members = table(found.cluster, np.arange(units.many), len(found.size))
        swept = log_joint(data, found, PARAMS)
        sweep_names(data, found, PARAMS, np.flatnonzero(found.size > 0), start, members, 0.0, 0, turn)
        recounted(data, units, found)
        named = log_joint(data, found, PARAMS)
        merge_all(data, found, PARAMS)
        recounted(data, units, found)
        merged = log_joint(data, found, PARAMS)
        assert value - 1e-8 <= swept <= named + 1e-8 <= merged + 2e-8
        value = merged


def test_what_people_said_is_never_overruled_by_a_move() -> None:
    said = (Correction(0, "is", "name 1"), Correction(1, "nobody"), Correction(2, "is not", "name 0"))
    data, units = prepared(tiny(3, faces=10, names=3, groups=8), said)
    found = state(data, units, np.arange(10), np.full(10, -1))
    for turn in range(20):
        sweep_units(data, found, PARAMS, np.arange(units.many), 2.0, 7, turn, *NOTHING)
        start, members = table(found.cluster, np.arange(units.many), len(found.size))
        sweep_names(data, found, PARAMS, np.flatnonzero(found.size > 0), start, members, 2.0, 7, turn)
        name = found.name[found.cluster[units.unit]]
        assert (name[0], name[1]) == (1, -1)
        assert name[2] != 0


def test_noise_is_gumbel_and_repeats() -> None:
    noise = np.array([gumbel(1, 2, who, k) for who in range(200) for k in range(50)])
    assert noise.mean() == pytest.approx(np.euler_gamma, abs=0.05)
    assert noise.var() == pytest.approx(np.pi**2 / 6, rel=0.05)
    assert gumbel(1, 2, 3, 4) == gumbel(1, 2, 3, 4) != gumbel(1, 2, 3, 5)
