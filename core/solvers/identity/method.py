"""The model behind the interface that all methods share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from core.corrections import Constraints, unbind
from core.prediction import Scores
from core.problem import Problem
from core.progress import Progress
from core.solvers.identity.config import DEFAULTS, Config
from core.solvers.method import Task
from core.solvers.threads import one_blas_thread

Arrays = Mapping[str, NDArray[Any]]
WITHOUT: dict[str, dict[str, bool | float]] = {  # ablations
    "absence": {"absence": False},
    "exclusivity": {"exclusivity": 0.0},
    "learning": {"learning": False},
    "likeness": {"likeness": 0.0},
    "prior": {"offline": False},
}


@one_blas_thread
def rollcall(task: Task, without: str = "") -> Scores:
    """One generative model of persons, their faces and the captions that name them: see ``model.py``.

    A run starts from the checkpoint of the last cold run where it can. ``without`` names an ablation.
    """
    from core.solvers.identity.answer import scores_of  # numba takes a second to load
    from core.solvers.identity.warm_start import rerun, starts_without_corrections, unpack

    config = task.settings if isinstance(task.settings, Config) else DEFAULTS
    config = replace(config, **WITHOUT[without]) if without else config  # type: ignore[arg-type]

    def go_on(arrays: Arrays | None) -> Scores | None:
        memory = None if arrays is None else unpack(arrays)
        found = memory and rerun(memory, task.problem, task.constraints, config, task.seed, task.progress)
        return replace(scores_of(found[0], memory.alike, found[1], config), state=arrays) if memory and found else None

    warm = go_on(task.checkpoint.arrays if task.checkpoint else None)
    if warm is not None:
        return replace(warm, warm=True)
    told = task.problem, task.constraints
    if starts_without_corrections(*told, config):
        scores = go_on(_cold(*unbind(*told), config, task.seed, task.progress))
        if scores is not None:
            return scores
    scores = go_on(_cold(*told, config, task.seed, task.progress))
    assert scores is not None
    return scores


def _cold(problem: Problem, constraints: Constraints, config: Config, seed: int, progress: Progress) -> Arrays:
    from core.solvers.identity.inference import fit
    from core.solvers.identity.inputs import inputs_of
    from core.solvers.identity.warm_start import pack

    inputs = inputs_of(problem, constraints, config, seed)
    return pack(inputs, problem, constraints, fit(inputs, seed, progress))
