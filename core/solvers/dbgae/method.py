"""The paper in its order: the dual bipartite graph, the graph autoencoder, instance label pooling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.corrections import unbind
from core.prediction import Scores
from core.solvers.dbgae.ablations import averaged, without_cross
from core.solvers.dbgae.links import build_links, calibrate
from core.solvers.dbgae.pooling import clamp, fed_back, pool
from core.solvers.dbgae.settings import AUTHORS, Settings
from core.solvers.method import Task
from core.solvers.tracks import per_track

if TYPE_CHECKING:
    from core.solvers.dbgae.warm_start import Trained


def dbgae(task: Task, variant: str = "") -> Scores:
    """The paper's method, or one of its variants: what stands after "dbgae-" in the method's name.

    The network is trained without the corrections, or the checkpoint has it from a run that did so; then it is trained on
    with the corrected links as observed ones. So a warm start gives the answer of a cold start, and an undone correction
    leaves no trace.
    """
    if variant == "no-autoencoder":
        return _pooled(task)
    from core.solvers.dbgae.warm_start import unpack  # torch takes seconds to load

    settings = _settings(task, variant)
    problem, constraints = unbind(task.problem, task.constraints)
    arrays = None if task.checkpoint is None else task.checkpoint.arrays
    last = unpack(arrays, problem, settings)
    warm = last is not None
    if last is None:
        scores = _trained(replace(task, problem=problem, constraints=constraints), variant, settings)
        if task.constraints.is_empty():
            return scores
        arrays, last = scores.state, unpack(scores.state, problem, settings)
    if task.constraints.is_empty():
        settings = replace(settings, rerun_epochs=0)  # the network has seen these very links
    return replace(_trained(task, variant, settings, last), state=arrays, warm=warm)


def _settings(task: Task, variant: str) -> Settings:
    settings = AUTHORS if variant == "authors" else Settings()
    if isinstance(task.settings, Settings):
        settings = task.settings
    return replace(settings, attend=variant != "no-attention", dual=variant != "no-dual")


@per_track
def _pooled(task: Task) -> Scores:
    """The initial links, pooled."""
    links = build_links(task.problem, task.constraints, calibrate(task.problem))
    return pool(task.problem, task.constraints, links, links.within_weight, links.cross_weight)


@per_track
def _trained(task: Task, variant: str, settings: Settings, last: Trained | None = None) -> Scores:
    """Trains cold, or on from ``last``; the scores' state is the network after each round."""
    from core.solvers.dbgae.training import Autoencoder
    from core.solvers.dbgae.warm_start import Trained

    problem, constraints = task.problem, task.constraints
    distances = calibrate(problem) if last is None else last.distances
    links = build_links(problem, constraints, distances)
    if variant == "no-cross":
        links = without_cross(links)
    if variant == "no-dual":
        links = averaged(problem, constraints, links)
    if not len(links.within_face):  # nothing to learn from
        return pool(problem, constraints, links, links.within_weight, links.cross_weight)
    autoencoder = Autoencoder(problem, settings, task.seed, task.progress, last)
    for _ in range(settings.rounds):
        within, cross = autoencoder.refine(links)
        within, cross = clamp(problem, constraints, links, within, cross)
        # "iteratively refine": the decoded weights, damped, are the links of the next round
        within = (1 - settings.keep) * within + settings.keep * links.within_weight
        cross = (1 - settings.keep) * cross + settings.keep * links.cross_weight
        scores = pool(problem, constraints, links, within, cross)
        links = fed_back(problem, constraints, links, scores)
    return replace(scores, state=Trained(problem.names, distances, tuple(autoencoder.rounds)).pack())
