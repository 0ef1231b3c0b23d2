"""The interface of every method: a callable that takes a ``Task`` and returns ``Scores``.

A method that can start from an earlier run returns ``Scores.state``, plain arrays of its own making. The next run on the
same problem gets them back as ``Task.checkpoint``, and sets ``Scores.warm`` if it started from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.corrections import Constraints
from core.prediction import Scores
from core.problem import Problem
from core.progress import Progress, silent
from core.solvers.checkpoint import Checkpoint


@dataclass(frozen=True, eq=False)
class Task:
    """All that a method is given. Faces, groups and names are in their canonical order (``order.py``)."""

    problem: Problem  # with the names and mentions that the corrections inject
    constraints: Constraints  # the corrections
    seed: int = 0
    progress: Progress = silent
    settings: object | None = None  # a method's own settings; it ignores those of another method
    checkpoint: Checkpoint | None = None  # of the last run of this method with this seed on this problem


Method = Callable[[Task], Scores]
