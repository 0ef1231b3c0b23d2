"""What becomes of a chain: who is one person."""

from __future__ import annotations

import numpy as np

from core.corrections import bind
from core.solvers.identity.answer import evidence_of
from core.solvers.identity.appearance import PldaSpace
from core.solvers.identity.config import DEFAULTS
from core.solvers.identity.inference import Chain
from core.solvers.identity.inputs import inputs_of
from tests.core.solvers.identity.small import prepared, state, tiny


def test_a_name_stands_for_its_largest_cluster_and_further_ones_stand_by_themselves() -> None:
    problem = tiny(0, faces=7)
    data, units = prepared(problem)
    found = state(data, units, np.array([0, 0, 1, 1, 1, 2, 3]), np.array([0, 0, 1, -1]))
    chain = Chain(PldaSpace(data.y, data.psi, 0.0), found, 0.0, np.zeros((7, 1), np.int64), np.zeros((7, 1)))
    inputs = inputs_of(*bind(problem, ()), DEFAULTS, 0)
    persons = evidence_of(inputs.units, inputs.alike, chain).persons.toarray()
    assert persons.sum(1).tolist() == [1.0] * 7
    assert persons.shape == (7, 4)
    column = persons.argmax(1)
    assert column[2:5].tolist() == [0, 0, 0]  # three faces of the first name, against two
    assert column[5] == 1
    assert sorted({int(column[0]), int(column[6])}) == [2, 3]
    assert column[0] == column[1]
