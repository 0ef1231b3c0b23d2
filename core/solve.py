"""The front door of the method: a problem and what people said about it -> who is who.

Read from top to bottom, ``dbgae`` is the paper in its order: the dual bipartite graph, the graph autoencoder, instance
label pooling. ``rollcall``, the default, keeps the graph's idea and reasons about persons instead (``core/rollcall.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.corrections import Bound, Correction, bind
from core.errors import BadInput
from core.links import Links, build_links, calibrate, contradiction_share
from core.order import in_settled_order
from core.prediction import HALF_LEVEL, Evidence, Prediction, Scores
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.progress import Progress, silent

if TYPE_CHECKING:
    from core.dbgae import Settings
    from core.memory import Memory
    from core.warm import State

FAINT = 1e-3  # a name less probable than this is not considered


@dataclass(frozen=True, eq=False)
class Task:
    """All that a method is given."""

    problem: Problem
    bound: Bound
    seed: int
    progress: Progress
    settings: Settings | None
    state: State | None = None  # how a run from nothing on this problem ended


def solve(
    problem: Problem,
    method: str = "rollcall",
    corrections: Iterable[Correction] = (),
    seed: int = 0,
    progress: Progress = silent,
    settings: Settings | None = None,
    memory: Memory | None = None,
) -> Prediction:
    """Names the faces of ``problem``. Corrections are fixed; everything else is predicted around them.

    ``settings`` replaces the sizes, epochs and so on of the ``dbgae`` methods; the others have nothing to set. ``memory`` is
    that of an earlier prediction: if it is of the same problem and method, and little else is said now, it is taken up.
    The answer does not depend on the order in which faces, groups and names are given.
    """
    if method not in METHODS:
        raise BadInput(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    given = problem
    problem, bound = bind(problem, corrections)
    ordered, bound, face_order, name_order = in_settled_order(problem, bound)
    warm = memory is not None and memory.is_of(given, method, seed, face_order) and memory.suits(ordered, bound)
    if not warm:
        memory = _settled_first(given, ordered, bound, method, seed, progress)
    state = None if memory is None else memory.state
    scores = METHODS[method](Task(ordered, bound, seed, progress, settings, state))
    if scores.state is not None and scores.state is not state:
        from core.memory import remember

        memory = remember(given, method, seed, face_order, scores.state)
    scores = scores.allowed(bound)
    name, confidence = scores.answer(bound)
    back = np.argsort(face_order)
    return Prediction(
        names=problem.names,
        name=np.r_[name_order, NOBODY][name[back]],  # index -1 stays nobody
        confidence=confidence[back],
        scores=scores.sorted_back(face_order, name_order),
        memory=memory if scores.state is not None else None,
        warm=warm,
    )


def _settled_first(
    given: Problem, ordered: Problem, bound: Bound, method: str, seed: int, progress: Progress
) -> Memory | None:
    """What a run from nothing takes up itself, if anything: how the same run ended that people told nothing."""
    if not method.startswith("rollcall"):
        return None
    from core.memory import is_better_settled_first

    return solve(given, method, (), seed, progress).memory if is_better_settled_first(ordered, bound) else None


# --- The paper's method ------------------------------------------------------------------------------------------------


def dbgae(task: Task, variant: str = "") -> Scores:
    """The paper's method, or one of its ablations; ``variant`` is what stands after "dbgae-" in the method's name."""
    problem, bound = task.problem, task.bound
    links = build_links(problem, bound, calibrate(problem))
    if variant == "no-cross":
        links = without_cross(links)
    if variant == "no-dual":
        links = averaged(problem, bound, links)
    if variant == "no-autoencoder" or not len(links.within_face):
        return pool(problem, bound, links, links.within_weight, links.cross_weight)
    from core.dbgae import AUTHORS, Autoencoder, Settings  # torch takes seconds to load

    settings = task.settings or (AUTHORS if variant == "authors" else Settings())
    settings = replace(settings, attend=variant != "no-attention", dual=variant != "no-dual")
    autoencoder = Autoencoder(problem, settings, task.seed, task.progress)
    for _ in range(settings.rounds):
        within, cross = autoencoder.refine(links)
        within, cross = fixed(problem, bound, links, within, cross)
        # "iteratively refine": the decoded weights, damped, are the links of the next round
        within = (1 - settings.keep) * within + settings.keep * links.within_weight
        cross = (1 - settings.keep) * cross + settings.keep * links.cross_weight
        scores = pool(problem, bound, links, within, cross)
        links = fed_back(problem, bound, links, scores)
    return scores


def pool(problem: Problem, bound: Bound, links: Links, within: FloatArray, cross: FloatArray) -> Scores:
    """Equation 15, instance label pooling: a face's links summed by name, cross-group links times the look-alike's cosine.

    The paper's sigma is read as: a weight below half a level is 0.
    """
    weight = np.r_[within, cross * links.cross_similarity]
    face = np.r_[links.within_face, links.cross_face]
    name = problem.mention_name[np.r_[links.within_mention, links.cross_mention]]
    keep = (weight >= HALF_LEVEL) & bound.allows(face, name)
    key, place = np.unique(face[keep] * max(len(problem.names), 1) + name[keep], return_inverse=True)
    score = np.bincount(place, weight[keep], minlength=len(key)).astype(np.float64)
    return Scores(key // max(len(problem.names), 1), key % max(len(problem.names), 1), score)


def fixed(
    problem: Problem, bound: Bound, links: Links, within: FloatArray, cross: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The weights with what people said put back: 1 where a name was given, 0 where it is ruled out."""

    def hold(face: IntArray, mention: IntArray, weight: FloatArray) -> FloatArray:
        name = problem.mention_name[mention]
        return np.where(bound.given(face, name), 1.0, np.where(bound.allows(face, name), weight, 0.0))

    return (
        hold(links.within_face, links.within_mention, within),
        hold(links.cross_face, links.cross_mention, cross),
    )


def fed_back(problem: Problem, bound: Bound, links: Links, scores: Scores) -> Links:
    """The links with weights from pooled scores: a face's score for a name takes the place of the count in equation 1."""
    name = problem.mention_name[links.within_mention]
    count = scores.at(links.within_face, name, len(problem.names))
    weight = contradiction_share(count, links.within_face, links.within_mention)
    key = links.within_face * problem.mentions + links.within_mention
    through = np.searchsorted(key, links.cross_neighbour * problem.mentions + links.cross_mention)
    within, cross = fixed(problem, bound, links, weight, weight[through])
    return replace(links, within_weight=within, cross_weight=cross)


def averaged(problem: Problem, bound: Bound, links: Links) -> Links:
    """The ablation without the dual graph: every name of a caption is equally likely."""
    share = 1.0 / np.bincount(problem.mention_group, minlength=problem.groups)[problem.mention_group]
    within, cross = fixed(problem, bound, links, share[links.within_mention], share[links.cross_mention])
    return replace(links, within_weight=within, cross_weight=cross)


def without_cross(links: Links) -> Links:
    """The ablation without cross-group links."""
    none = np.zeros(0, dtype=np.int64)
    return replace(
        links,
        cross_face=none,
        cross_mention=none,
        cross_weight=none * 0.0,
        cross_similarity=none * 0.0,
        cross_neighbour=none,
    )


# --- The default -------------------------------------------------------------------------------------------------------


def rollcall(task: Task, without: str = "") -> Scores:
    """Reasons about persons: see ``core/rollcall.py``. Scores are probabilities. ``without`` takes one part out."""
    from core.members import entries
    from core.rollcall import DEFAULTS, WITHOUT
    from core.rollcall import rollcall as reason

    settings = replace(DEFAULTS, **WITHOUT[without]) if without else DEFAULTS
    posterior = reason(task.problem, task.bound, task.seed, task.progress, settings, task.state)
    posterior.names.sort_indices()
    face, name, score = entries(posterior.names)
    listed = score > FAINT
    return Scores(
        face=face[listed],
        name=name[listed],
        score=score[listed].astype(np.float64),
        nobody=posterior.nobody.astype(np.float64),
        evidence=Evidence(posterior.persons, posterior.neighbours, posterior.cosine),
        state=posterior.state,
    )


# --- The baselines -----------------------------------------------------------------------------------------------------


def baseline(task: Task, method: str) -> Scores:
    """One of the paper's baselines: each face takes the names of its own caption as candidates."""
    from core.baselines import CLUSTERINGS, LEARNERS

    problem, bound = task.problem, task.bound
    candidates = candidate_table(problem, bound)
    if not candidates.any():
        return Scores(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    if method in CLUSTERINGS:
        confidence = CLUSTERINGS[method](problem.features, candidates, calibrate(problem).neighbour).confidence
    else:
        confidence = LEARNERS[method](problem.features, candidates).confidence
    face, name = np.nonzero(confidence > 0)
    return Scores(face, name, confidence[face, name])


def candidate_table(problem: Problem, bound: Bound) -> BoolArray:
    """Which names each face could have by its own caption and by what people said (faces × names)."""
    table = np.zeros((problem.groups, len(problem.names)), dtype=bool)
    table[problem.mention_group, problem.mention_name] = True
    candidates = table[problem.group]
    face, name = np.nonzero(candidates)
    candidates[face, name] = bound.allows(face, name)
    return candidates


METHODS: dict[str, Callable[[Task], Scores]] = {
    "rollcall": rollcall,
    **{
        f"rollcall-no-{part}": partial(rollcall, without=part)
        for part in (
            "absence",
            "exclusivity",
            "strangers",
            "parting",
            "learning",
            "labels",
            "unusual",
            "views",
            "autoencoder",
        )
    },
    "dbgae": dbgae,
    **{
        f"dbgae-{variant}": partial(dbgae, variant=variant)
        for variant in ("authors", "no-autoencoder", "no-dual", "no-cross", "no-attention")
    },
    **{
        method: partial(baseline, method=method)
        for method in ("pair-clustering", "cluster-voting", "ipal", "pl-leaf", "sure", "pl-aggd")
    },
}
