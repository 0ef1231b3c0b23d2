"""Rollcall names the faces in a video from its captions.

>>> from core import Problem, solve
>>> problem = Problem.build(
...     features=[[9, 1, 0], [0, 9, 1], [9, 0, 1], [1, 0, 9], [0, 9, 0]],  # one row a face; 0 and 2 look alike, 1 and 4 too
...     group=[0, 0, 1, 1, 2],  # three frames
...     candidates=[["Ross", "Rachel"], ["Ross", "Joey"], ["Rachel"]],  # the names in the frames' captions
... )
>>> prediction = solve(problem)
>>> [prediction.label(face) for face in range(5)]
['Ross', 'Rachel', 'Ross', 'Joey', 'Rachel']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.corrections import Correction
from core.errors import BadInput
from core.formats import read_problem
from core.prediction import Prediction
from core.problem import NOBODY, Problem
from core.review.explain import explain
from core.solve import METHODS, solve

if TYPE_CHECKING:
    from core.review.queue import next_faces

__all__ = [
    "METHODS",
    "NOBODY",
    "BadInput",
    "Correction",
    "Prediction",
    "Problem",
    "explain",
    "next_faces",
    "read_problem",
    "solve",
]


def __getattr__(name: str) -> Any:
    """The queue is loaded when it is first asked for: SciPy, which it needs, would double the time of ``--help``."""
    if name == "next_faces":
        from core.review.queue import next_faces

        return next_faces
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
