"""What the tests of solving share: small networks, and small problems with all oddities."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from core import METHODS, Correction, Prediction, Problem, solve
from core.solvers.dbgae.settings import AUTHORS, Settings

SMALL = Settings(hidden=8, dense=4, features=3, heads=2, attention=3, epochs=8, rounds=2, rerun_epochs=4)
SMALL_AUTHORS = replace(AUTHORS, hidden=8, dense=4, features=3, heads=2, attention=3, epochs=8, rounds=2, rerun_epochs=4)
every_method = pytest.mark.parametrize("method", METHODS)
# An ablation leaves a part of its method out, and the front door keeps corrections and the order for all: what tries many
# problems tries them on the whole methods.
every_whole_method = pytest.mark.parametrize("method", [method for method in METHODS if "-no-" not in method])


def named(problem: Problem, method: str, corrections: Sequence[Correction] = (), seed: int = 0) -> Prediction:
    """``solve`` with a small network where there is one."""
    return solve(problem, method, corrections, seed, settings=SMALL_AUTHORS if method == "dbgae-authors" else SMALL)


def labels(prediction: Prediction) -> list[str | None]:
    return [prediction.label(face) for face in range(len(prediction.name))]


def facenet(people: Sequence[int]) -> np.ndarray:
    """A unit vector of FaceNet's size for each face: those of one person are 0.4 apart, those of two 1.4."""
    features = np.eye(100, 512)[people] + 0.3 * np.eye(len(people), 512, k=200)
    return features / np.linalg.norm(features, axis=1, keepdims=True)


@st.composite
def problems(draw: st.DrawFn, largest: int = 7) -> Problem:
    """Small problems with all oddities: groups without faces or names, names never mentioned, no names at all."""
    faces, groups, names = draw(st.integers(1, largest)), draw(st.integers(1, 5)), draw(st.integers(0, 4))
    group = draw(st.lists(st.integers(0, groups - 1), min_size=faces, max_size=faces))
    spelled = [f"name {k}" for k in range(names)]
    caption = st.lists(st.sampled_from(spelled), unique=True) if spelled else st.just([])
    candidates = draw(st.lists(caption, min_size=groups, max_size=groups))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    centre = rng.normal(size=(3, 4))
    features = centre[rng.integers(3, size=faces)] + 0.2 * rng.normal(size=(faces, 4))
    return Problem.build(features, group, candidates, names=spelled)


@st.composite
def corrected(draw: st.DrawFn, largest: int = 7) -> tuple[Problem, list[Correction]]:
    """A problem and corrections of it that do not contradict each other."""
    problem = draw(problems(largest))
    known = [*problem.names, "new one", "new two"]
    corrections = []
    for face in range(problem.faces):
        answer = draw(st.sampled_from(["open", "open", "nobody", "is"]))
        given_name = draw(st.sampled_from(known)) if answer == "is" else ""
        refused = draw(st.lists(st.sampled_from(known), unique=True, max_size=2))
        if answer == "nobody":
            corrections.append(Correction(face, "nobody"))
        if answer == "is":
            corrections.append(Correction(face, "is", given_name))
        corrections += [Correction(face, "is not", name) for name in refused if name != given_name]
    return problem, draw(st.permutations(corrections))
