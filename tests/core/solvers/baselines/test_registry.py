"""Every partial-label learner on noisy features: faces it was fitted to, and others. On *Lost* as well as published."""

from pathlib import Path

import numpy as np
import pytest

from core.solvers.baselines.registry import LEARNERS
from tests.core.solvers.baselines.many_faces import faces_of, read

Range = tuple[float, float]
# on Lost, of the faces fitted to and of unseen ones: what other implementations reach
PUBLISHED: dict[str, tuple[Range, Range]] = {
    "ipal": ((0.8, 0.9), (0.65, 0.85)),
    "pl-leaf": ((0.75, 0.9), (0.6, 0.85)),
    "sure": ((0.8, 0.9), (0.7, 0.87)),
    "pl-aggd": ((0.8, 0.92), (0.7, 0.87)),
}
DRAWN = ((0.85, 1.0), (0.65, 1.0))  # guessing among the candidates gives 0.59, and 1/12


@faces_of
@pytest.mark.parametrize("method", LEARNERS)
def test_most_faces_get_their_name(method: str, path: Path | None) -> None:
    faces = read(path)
    answer = LEARNERS[method](faces.features, faces.candidates).confidence.argmax(axis=1)
    unseen = np.random.default_rng(0).permutation(len(answer)) < len(answer) // 10
    fitted = LEARNERS[method](faces.features[~unseen], faces.candidates[~unseen])
    guess = fitted.predict(faces.features[unseen]).argmax(axis=1)
    of_fitted, of_unseen = PUBLISHED[method] if path else DRAWN
    assert of_fitted[0] < (answer == faces.truth).mean() <= of_fitted[1]
    assert of_unseen[0] < (guess == faces.truth[unseen]).mean() <= of_unseen[1]
