"""Ambiguity and frequency against cases worked out by hand."""

import numpy as np
import pytest

from core.evaluation import ambiguity
from core.evaluation.ambiguity import Levels
from core.evaluation.generate import films
from core.problem import NOBODY, Problem
from tests.core.evaluation.two_groups import ANN, BOB, CAL, two_groups


def test_ambiguity_ratio_by_hand() -> None:
    # Links: 3 faces × 2 mentions in group 0, 2 × 1 in group 1, none in group 2, which shows nobody.
    # Ann: right (Ann-Ann) twice; wrong in group 0: Ann-Cal, Bob-Ann, stranger-Ann; in group 1: Cal-Ann. 4 of 6 wrong.
    # Bob: Bob-Ann, Bob-Cal, both wrong.
    # Cal: group 0: Ann-Cal, Bob-Cal, stranger-Cal; group 1: Cal-Ann; all wrong.
    # Dee is named where no face is, Eve nowhere: no link.
    expected = [4 / 6, 1, 1, np.nan, np.nan]
    np.testing.assert_allclose(ambiguity.ambiguity_ratio(two_groups()), expected)


def test_ambiguity_ratio_is_what_the_links_one_by_one_say() -> None:
    problem = films(films=2, groups=40, names=9, dimensions=4)
    assert problem.truth is not None
    for name, found in enumerate(ambiguity.ambiguity_ratio(problem).tolist()):
        right = wrong = 0
        for group, mentioned in zip(problem.mention_group, problem.mention_name, strict=True):
            for truth in problem.truth[problem.group == group]:
                right += truth == mentioned == name
                wrong += truth != mentioned and name in (truth, mentioned)
        assert found == pytest.approx(1 - right / (right + wrong))


def test_frequency_by_hand() -> None:
    assert ambiguity.ground_truth_frequency(two_groups()).tolist() == [2, 0, 0, 0, 0]


def test_kinds_by_hand() -> None:
    here, elsewhere, nobody = ambiguity.kinds(two_groups()).values()
    assert here.tolist() == [True, False, False, True, False]
    assert elsewhere.tolist() == [False, True, False, False, True]
    assert nobody.tolist() == [False, False, True, False, False]


def test_a_stranger_is_not_taken_for_the_last_name_of_the_frame_before() -> None:
    problem = Problem.build(np.eye(2), [0, 1], [["Ann"], []], truth=[ANN, NOBODY])
    assert ambiguity.named_here(problem).tolist() == [True, False]


@pytest.mark.parametrize("wrong", range(10))
def test_a_ratio_on_an_edge_is_in_the_upper_bin(wrong: int) -> None:
    truth = [ANN] * (10 - wrong) + [NOBODY] * wrong
    problem = Problem.build(np.eye(10), [0] * 10, [["Ann"]], truth=truth)
    assert ambiguity.ratio_levels(problem).bin.tolist() == [wrong]


def test_kind_table_by_hand() -> None:
    told = np.array([ANN, NOBODY, NOBODY, BOB, CAL])
    text = ambiguity.kind_table(two_groups(), {"one": [told], "two": [told, np.full(5, ANN)]})
    assert text.splitlines() == [
        "| accuracy | named in its own caption (2 faces) | named only elsewhere (2 faces) | nobody (1 faces) |",
        "| --- | --- | --- | --- |",
        "| one | 0.500 | 0.500 | 1.000 |",
        "| two | 0.750 | 0.250 | 0.500 |",
    ]


def test_levels_by_hand() -> None:
    ratio = ambiguity.ratio_levels(two_groups())
    assert ratio.bin.tolist() == [6, 9, 9, -1, -1]
    assert ratio.labels[0] == "0.0–0.1"
    assert ratio.labels[9] == "0.9–1.0"
    assert ambiguity.histogram(ratio).tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0, 2]
    frequency = ambiguity.frequency_levels(two_groups())
    assert frequency.bin.tolist() == [2, 0, 0, 0, 0]
    assert frequency.labels == ("0", "1", "2–3")


@pytest.mark.parametrize(("frequency", "label"), [(0, "0"), (1, "1"), (2, "2–3"), (3, "2–3"), (4, "4–7"), (16, "16–31")])
def test_frequency_bins(frequency: int, label: str) -> None:
    problem = Problem.build(np.ones((17, 1)), [0] * 17, [["Ann"]], truth=[0] * frequency + [NOBODY] * (17 - frequency))
    levels = ambiguity.frequency_levels(problem)
    assert levels.labels[levels.bin[0]] == label


def test_curve_by_hand() -> None:
    problem = two_groups()
    levels = Levels(np.array([0, 1, 1, 2, -1]), ("easy", "hard", "unseen"), "")
    told = np.array([ANN, CAL, ANN, BOB, CAL])
    # easy (Ann): due 2, given 2, right 1; hard (Bob, Cal): due 2, given 3, right 1; nobody shows Dee
    found = ambiguity.curve("one", [told], problem, levels)
    np.testing.assert_allclose(found.accuracy, [1 / 2, 1 / 2, np.nan])
    np.testing.assert_allclose(found.f1, [2 * 1 / 4, 2 * 1 / 5, np.nan])
    assert problem.truth is not None
    both = ambiguity.curve("one", [told, problem.truth], problem, levels)
    np.testing.assert_allclose(both.accuracy, [3 / 4, 3 / 4, np.nan])
