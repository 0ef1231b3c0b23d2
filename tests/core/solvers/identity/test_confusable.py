"""Names that captions hardly tell apart stay in doubt."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from core import Correction, Problem
from core.solvers.identity.config import DEFAULTS
from core.solvers.identity.confusable import discounted, rivals
from tests.core.solvers.identity.small import prepared, state

LEAST = DEFAULTS.confusable
CAPTIONS = [["Ann", "Bob"], ["Ann", "Bob"], ["Ann"], ["Cy"], []]


def problem() -> Problem:
    return Problem.build(np.eye(6), np.array([0, 1, 1, 2, 3, 4]), CAPTIONS, names=["Ann", "Bob", "Cy"])


def test_a_rival_stands_beside_a_name_and_captions_without_it_tell_them_apart() -> None:
    """By hand: cluster 0 is Ann in frames 0, 1 and 2, cluster 1 Bob in frame 1, cluster 2 Cy in frames 3 and 4."""
    data, units = prepared(problem())
    found = state(data, units, np.array([0, 0, 1, 0, 2, 2]), np.array([0, 1, 2]))
    rival, apart = rivals(units, found)
    assert rival[:3].tolist() == [1, 0, -1]
    assert apart[:3].tolist() == [1, 0, 1]


def test_at_least_so_much_goes_to_the_rival_but_for_what_people_said() -> None:
    for corrections in ((), (Correction(2, "is", "Bob"),)):
        data, units = prepared(problem(), corrections)
        found = state(data, units, np.array([0, 0, 1, 0, 2, 2]), np.array([0, 1, 2]))
        sure = csr_array(np.eye(4)[[0, 0, 1, 0, 2, 3]])
        table = discounted(sure, units, found, DEFAULTS).toarray()
        np.testing.assert_allclose(table.sum(1), 1)
        np.testing.assert_allclose(table[0], [1 - LEAST / 4, LEAST / 4, 0, 0])  # one caption tells
        doubt = 0 if corrections else LEAST
        np.testing.assert_allclose(table[2], [doubt, 1 - doubt, 0, 0])
        np.testing.assert_allclose(table[4], [0, 0, 1 - LEAST / 4, LEAST / 4])
        np.testing.assert_allclose(table[5], [0, 0, 0, 1])  # nobody already is what is likelier
