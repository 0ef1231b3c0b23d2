"""Cases worked out by hand."""

import numpy as np

from core.evaluation import cases
from core.problem import NOBODY, Problem
from tests.core.evaluation.two_groups import ANN, BOB, CAL, two_groups


def test_cases_by_hand() -> None:
    problem = two_groups()
    ours = np.array([ANN, BOB, NOBODY, BOB, CAL])  # group 0 right, group 1 wrong
    other = np.array([ANN, CAL, CAL, ANN, CAL])  # group 0 wrong, group 1 right
    (win,) = cases.choose(problem, ours, other, "wins")
    (failure,) = cases.choose(problem, ours, other, "failures")
    assert (win.group, failure.group) == (0, 1)
    assert win.truth == win.ours == ("Ann", "Bob", "nobody")
    assert cases.case_table([win, failure], "ours", "other").splitlines()[2:] == [
        "| 0 | Ann, Cal | Ann<br>Bob<br>nobody | Ann<br>Bob<br>nobody | Ann<br>Cal ✗<br>Cal ✗ |",
        "| 1 | Ann | Ann<br>Cal | Bob ✗<br>Cal | Ann<br>Cal |",
    ]


def test_cases_with_more_kinds_of_faces_come_first() -> None:
    problem = Problem.build(
        np.eye(5), [0, 0, 1, 1, 1], [["Ann"], ["Ann"]], names=["Ann", "Bob"], truth=[ANN, ANN, ANN, BOB, NOBODY]
    )
    wrong = np.array([BOB, BOB, BOB, BOB, NOBODY])
    assert [case.group for case in cases.choose(problem, wrong, wrong, "failures")] == [1, 0]
    assert [case.group for case in cases.choose(problem, wrong, wrong, "failures", many=1)] == [1]
    assert cases.choose(problem, wrong, wrong, "wins") == []  # where both err nobody wins
