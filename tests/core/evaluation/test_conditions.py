"""Ambiguity, frequency, cases and figures against cases worked out by hand."""

import numpy as np
import pytest

from core.evaluation import ambiguity, cases, figures
from core.evaluation.ambiguity import Levels
from core.evaluation.effort import Trace
from core.evaluation.generate import films
from core.problem import NOBODY, Problem

ANN, BOB, CAL, DEE, EVE = range(5)


def two_groups() -> Problem:
    """Group 0 shows Ann, Bob and a stranger and names Ann and Cal; group 1 shows Ann and Cal and names Ann."""
    return Problem.build(
        features=np.eye(5),
        group=[0, 0, 0, 1, 1],
        candidates=[["Ann", "Cal"], ["Ann"], ["Dee"]],
        names=["Ann", "Bob", "Cal", "Dee", "Eve"],
        truth=[ANN, BOB, NOBODY, ANN, CAL],
    )


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


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([0.5], [0.5]), ([0.2, 0.8], [0.2, 0.8]), ([0.5, 0.5], [0.55, 0.45]), ([0.0, 0.0], [0.1, 0.0])],
)
def test_labels_are_moved_apart_as_little_as_needed(values: list[float], expected: list[float]) -> None:
    assert sorted(figures.spread_apart(values, 0.1)) == pytest.approx(sorted(expected))


def test_labels_keep_their_order_and_stay_inside() -> None:
    values = [1.0, 0.98, 0.99, 0.1]
    moved = np.array(figures.spread_apart(values, 0.06))
    assert (np.argsort(moved) == np.argsort(values)).all()
    assert np.diff(np.sort(moved)).min() >= 0.06 - 1e-9
    assert moved.max() <= 1 + 1e-9


def test_curve_figure_has_ours_on_top_and_every_line_labelled() -> None:
    problem = two_groups()
    assert problem.truth is not None
    levels = ambiguity.ratio_levels(problem)
    curves = [ambiguity.curve(method, [problem.truth], problem, levels) for method in ("rollcall", "ipal", "sure")]
    figure = figures.curve_figure(curves, levels, "rollcall")
    assert [line.name for line in figure.data] == ["ipal", "sure", "rollcall"] * 2
    assert [line.line.color == figures.ACCENT for line in figure.data] == [False, False, True] * 2
    told = [note.text for note in figure.layout.annotations]
    assert all(told.count(method) == 2 for method in ("<b>rollcall</b>", "ipal", "sure"))
    assert figure.data[0].x == (6, 9)


def test_histogram_figure_shows_the_counts() -> None:
    levels = ambiguity.ratio_levels(two_groups())
    figure = figures.histogram_figure({"one": levels, "two": levels})
    assert [tuple(bars.y) for bars in figure.data] == [(0, 0, 0, 0, 0, 0, 1, 0, 0, 2)] * 2


def test_effort_figure_tells_both_shares() -> None:
    quick = Trace(100, np.array([0, 1, 2]), np.array([0.8, 0.9, 0.99]))
    slow = Trace(100, np.array([0, 20, 40]), np.array([0.8, 0.9, 1.0]))
    figure = figures.effort_figure({"one": (quick, slow)}, 0.99)
    told = [note.text for note in figure.layout.annotations]
    assert "queue 2.0%" in told
    assert "random order 40.0%" in told
    assert [line.name for line in figure.data] == ["random order", "queue"]
