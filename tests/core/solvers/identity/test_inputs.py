"""What all chains share."""

from __future__ import annotations

import numpy as np

from core.corrections import bind
from core.evaluation.generate import mpii_md
from core.problem import Problem
from core.solvers.identity.config import DEFAULTS
from core.solvers.identity.inputs import inputs_of
from core.solvers.identity.units import units_of


def test_pairs_of_look_alikes_are_worth_the_same_from_both_ends() -> None:
    inputs = inputs_of(*bind(mpii_md(faces=80, groups=50, names=12), ()), DEFAULTS, 0)
    start, other, weight = inputs.edges
    one = np.repeat(np.arange(inputs.units.many), np.diff(start))
    table = np.zeros((inputs.units.many, inputs.units.many))
    np.add.at(table, (one, other), weight)
    np.testing.assert_allclose(table, table.T)
    assert not table.diagonal().any()
    assert 0 <= weight.min() < weight.max() <= DEFAULTS.likeness
    near = (inputs.alike.index[0] >= 0).sum()
    assert (table[0] > 0).sum() >= near


def test_as_many_directions_are_kept_as_the_cosines_tell() -> None:
    problem = mpii_md(faces=80, groups=50, names=12)
    inputs = inputs_of(*bind(problem, ()), DEFAULTS, 0)
    assert inputs.spectrum is not None
    assert inputs.x.shape == (80, inputs.spectrum.dimensions)
    assert inputs.spectrum.dimensions < problem.features.shape[1]


def test_a_crowd_counts_for_more_than_its_faces() -> None:
    def work(faces: int, names: int, frames: int) -> float:
        group = np.repeat(np.arange(frames), faces)
        captions = [[f"name {k}" for k in range(names)]] * frames
        problem = Problem.build(np.ones((len(group), 3)), group, captions)
        return units_of(*bind(problem, ())).work(DEFAULTS.crowd)

    assert work(faces=2, names=2, frames=50) == 100
    assert work(faces=60, names=40, frames=1) == 60 * 100 / DEFAULTS.crowd
