"""The paper in its order: the dual bipartite graph, the graph autoencoder, instance label pooling."""

from __future__ import annotations

from dataclasses import replace

from core.prediction import Scores
from core.solvers.dbgae.ablations import averaged, without_cross
from core.solvers.dbgae.links import build_links, calibrate
from core.solvers.dbgae.pooling import clamp, fed_back, pool
from core.solvers.method import Task
from core.solvers.tracks import per_track


@per_track
def dbgae(task: Task, variant: str = "") -> Scores:
    """The paper's method, or one of its variants: what stands after "dbgae-" in the method's name."""
    problem, constraints = task.problem, task.constraints
    links = build_links(problem, constraints, calibrate(problem))
    if variant == "no-cross":
        links = without_cross(links)
    if variant == "no-dual":
        links = averaged(problem, constraints, links)
    if variant == "no-autoencoder" or not len(links.within_face):
        return pool(problem, constraints, links, links.within_weight, links.cross_weight)
    from core.solvers.dbgae.settings import AUTHORS, Settings
    from core.solvers.dbgae.training import Autoencoder  # torch takes seconds to load

    settings = AUTHORS if variant == "authors" else Settings()
    if isinstance(task.settings, Settings):
        settings = task.settings
    settings = replace(settings, attend=variant != "no-attention", dual=variant != "no-dual")
    autoencoder = Autoencoder(problem, settings, task.seed, task.progress)
    for _ in range(settings.rounds):
        within, cross = autoencoder.refine(links)
        within, cross = clamp(problem, constraints, links, within, cross)
        # "iteratively refine": the decoded weights, damped, are the links of the next round
        within = (1 - settings.keep) * within + settings.keep * links.within_weight
        cross = (1 - settings.keep) * cross + settings.keep * links.cross_weight
        scores = pool(problem, constraints, links, within, cross)
        links = fed_back(problem, constraints, links, scores)
    return scores
