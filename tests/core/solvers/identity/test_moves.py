"""Every move changes the log-joint by exactly what it claims, and leaves the counts that a fresh count gives."""

from __future__ import annotations

import numpy as np
import pytest

from core import Correction
from core.solvers.identity.beside import empty_beside, names_beside
from core.solvers.identity.model import crowd_steps, log_joint
from core.solvers.identity.moves import gather, gumbel, join, start_cluster, sweep_units
from core.solvers.identity.names import (
    give_name,
    give_value,
    groups_of,
    rival_values,
    sweep_names,
    take_name,
    worth,
)
from core.solvers.identity.start import NOTHING, merge_all
from core.solvers.identity.state import Data, State
from core.solvers.identity.steps import insert_unit, remove_unit
from core.solvers.identity.units import Units, table
from tests.core.solvers.identity.small import PARAMS, prepared, state, tiny


def drawn_state(data: Data, units: Units, seed: int) -> State:
    rng = np.random.default_rng(seed)
    cluster = rng.integers(4, size=units.many)
    return state(data, units, cluster, rng.integers(-1, len(units.counts), size=4))


def recounted(data: Data, units: Units, found: State) -> None:
    """The counts in a state are those of its partition and names."""
    fresh = state(data, units, found.cluster, found.name, found.rate)
    for field in ("visible", "hits", "bearers", "units"):
        np.testing.assert_array_equal(getattr(found, field), getattr(fresh, field), err_msg=field)
    assert found.counts[1:].tolist() == fresh.counts[1:].tolist()
    assert log_joint(data, found, PARAMS) == pytest.approx(log_joint(data, fresh, PARAMS))


@pytest.mark.parametrize("seed", range(8))
def test_a_unit_adds_what_joining_or_founding_a_cluster_claims(seed: int) -> None:
    data, units = prepared(tiny(seed, faces=6))
    found, hits = drawn_state(data, units, seed), np.zeros(1, np.int64)
    close, crowd = np.zeros(len(found.size)), np.empty(3)
    for unit in range(units.many):
        remove_unit(data, found, PARAMS, unit)
        values = {}
        for k in np.flatnonzero(found.size > 0).tolist():
            gather(data, found, unit, close, 1.0)
            crowd_steps(found, PARAMS, crowd)
            claimed = join(data, found, PARAMS, unit, k, hits, crowd, close)
            gather(data, found, unit, close, 0.0)
            assert not close.any()
            insert_unit(data, found, PARAMS, unit, k, found.name[k])
            values[k] = (claimed, log_joint(data, found, PARAMS))
            recounted(data, units, found)
            remove_unit(data, found, PARAMS, unit)
        for name in range(-1, len(units.counts)):
            crowd_steps(found, PARAMS, crowd)
            claimed = start_cluster(data, found, PARAMS, unit, name, hits, crowd)
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
def test_names_are_weighed_by_what_handing_them_over_adds(seed: int) -> None:
    said = (Correction(0, "is", "name 1"), Correction(1, "is not", "name 0")) if seed % 2 else ()
    data, units = prepared(tiny(seed, faces=9, names=3, groups=6), said)
    found = drawn_state(data, units, seed)
    start, members = table(found.cluster, np.arange(units.many), len(found.size))
    beside, near = empty_beside(3, 1), np.empty(3, np.int64)
    mark, spare = np.full(data.groups, -1, np.int64), np.empty((4, data.groups), np.int64)
    mine = {k: members[start[k] : start[k + 1]] for k in np.flatnonzero(found.size > 0).tolist()}
    seen = {k: spare[k][: groups_of(data, mine[k], mark, k, spare[k])] for k in mine}
    for k in mine:
        old = int(found.name[k])
        if old >= 0:
            take_name(data, found, PARAMS, k, mine[k], seen[k])
        for name in near[: names_beside(data, found, k, old, mine[k], seen[k], beside, k, near)].tolist():
            told = beside.told[name] - worth(data, mine[k], -1)
            claimed = told + give_value(data, found, PARAMS, k, name, len(seen[k]), beside)
            assert claimed == pytest.approx(give_name(data, found, PARAMS, k, name, mine[k], seen[k]), abs=1e-6)
            take_name(data, found, PARAMS, k, mine[k], seen[k])
            rival = int(found.bearer[name])
            if found.bearers[name] != 1 or name == old:
                continue
            theirs = mine[rival], seen[rival]
            taken, exchanged = rival_values(data, found, PARAMS, k, old, name, len(seen[k]), beside, *theirs[::-1])
            told -= worth(data, mine[rival], name) - worth(data, mine[rival], -1)
            value = take_name(data, found, PARAMS, rival, *theirs)
            value += give_name(data, found, PARAMS, k, name, mine[k], seen[k])
            assert told + taken == pytest.approx(value, abs=1e-6)
            if old >= 0:
                value += give_name(data, found, PARAMS, rival, old, *theirs)
                assert told + exchanged == pytest.approx(value, abs=1e-6)
                take_name(data, found, PARAMS, rival, *theirs)
            take_name(data, found, PARAMS, k, mine[k], seen[k])
            give_name(data, found, PARAMS, rival, name, *theirs)
        if old >= 0:
            give_name(data, found, PARAMS, k, old, mine[k], seen[k])


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
