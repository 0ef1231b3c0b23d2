"""Non-maximum suppression against the rule written out box by box."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.media.faces.suppress import BLOCK, Overlap, suppress
from core.problem import FloatArray


def by_the_rule(boxes: FloatArray, scores: FloatArray, threshold: float, of: Overlap) -> list[int]:
    extra = 1 if of == "smaller" else 0

    def area(box: FloatArray) -> float:
        return float((box[2] - box[0] + extra) * (box[3] - box[1] + extra))

    kept: list[int] = []
    for k in np.argsort(-scores, kind="stable").tolist():
        for other in kept:
            width = min(boxes[k, 2], boxes[other, 2]) - max(boxes[k, 0], boxes[other, 0]) + extra
            height = min(boxes[k, 3], boxes[other, 3]) - max(boxes[k, 1], boxes[other, 1]) + extra
            shared = max(width, 0) * max(height, 0)
            areas = area(boxes[k]), area(boxes[other])
            if shared > threshold * (min(areas) if of == "smaller" else sum(areas) - shared):
                break
        else:
            kept.append(k)
    return kept


def random_boxes(seed: int, many: int) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    corner = random.uniform(0, 60, (many, 2))
    return np.concatenate([corner, corner + random.uniform(5, 30, (many, 2))], axis=1), random.uniform(size=many).round(2)


@given(st.integers(0, 10**6), st.integers(0, 40), st.sampled_from([0.3, 0.5, 0.7]), st.sampled_from(["union", "smaller"]))
def test_as_the_rule_says(seed: int, many: int, threshold: float, of: Overlap) -> None:
    boxes, scores = random_boxes(seed, many)
    assert suppress(boxes, scores, threshold, of).tolist() == by_the_rule(boxes, scores, threshold, of)


@pytest.mark.parametrize("of", ["union", "smaller"])
def test_more_boxes_than_are_compared_at_a_time(of: Overlap) -> None:
    boxes, scores = random_boxes(3, 2 * BLOCK + 7)
    assert suppress(boxes, scores, 0.5, of).tolist() == by_the_rule(boxes, scores, 0.5, of)


def test_exactly_the_threshold_is_not_too_much() -> None:
    boxes = np.array([[0.0, 0, 4, 1], [0, 0, 2, 1]])
    assert suppress(boxes, np.array([0.9, 0.8]), 0.5).tolist() == [0, 1]
    assert suppress(boxes, np.array([0.9, 0.8]), 0.49).tolist() == [0]
