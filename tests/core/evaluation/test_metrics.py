"""How right an answer is, by hand."""

import numpy as np
import pytest

from core.evaluation.metrics import accuracy, calibration_error, f1


def test_accuracy_counts_nobody_as_a_class() -> None:
    assert accuracy(np.array([0, -1, 1, -1]), np.array([0, -1, 2, 1])) == 0.5


def test_f1_by_hand() -> None:
    predicted = np.array([0, 1, 2, -1, -1, 3])
    truth = np.array([0, 1, 1, 2, -1, -1])
    precision, recall = 2 / 4, 2 / 4  # names given: 4, due: 4, right: 2
    assert f1(predicted, truth) == pytest.approx(2 * precision * recall / (precision + recall))


def test_f1_weighs_precision_and_recall() -> None:
    precision, recall = 1 / 1, 1 / 3
    found = f1(np.array([0, -1, -1]), np.array([0, 1, 2]))
    assert found == pytest.approx(2 * precision * recall / (precision + recall))


def test_nobody_right_adds_nothing_to_f1() -> None:
    assert f1(np.array([0, 1, -1, -1, -1]), np.array([0, 0, -1, -1, -1])) == 0.5


@pytest.mark.parametrize(
    ("predicted", "truth", "expected"),
    [([-1, -1], [-1, -1], 1), ([-1, -1], [0, 1], 0), ([0, 1], [-1, -1], 0), ([0], [0], 1)],
)
def test_f1_at_its_ends(predicted: list[int], truth: list[int], expected: float) -> None:
    assert f1(np.array(predicted), np.array(truth)) == expected


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.95, 0.91, 0.15, 1.0])
    right = np.array([True, False, False, True])
    # the bin from 0.9 to 1 holds three answers: told 2.86, held 2; the bin from 0.1 to 0.2 one: told 0.15, held 0
    assert calibration_error(confidence, right) == pytest.approx((0.86 + 0.15) / 4)


def test_a_calibrated_answer_has_no_error() -> None:
    assert calibration_error(np.full(4, 0.75), np.array([1, 1, 0, 1])) == 0
    assert calibration_error(np.ones(3), np.ones(3, dtype=int)) == 0


def test_fewer_bins_hide_what_cancels() -> None:
    confidence, right = np.array([0.2, 0.8]), np.array([1, 0])
    assert calibration_error(confidence, right, bins=1) == pytest.approx(0)
    assert calibration_error(confidence, right, bins=2) == pytest.approx(0.8)
