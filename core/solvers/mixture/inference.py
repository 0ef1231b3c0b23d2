"""The default solver: EM for a mixture of persons with PLDA likelihoods, caption likelihoods and exclusive frames.

The components are clusters of faces: first one for each name, then unnamed persons, and "new" for a face of neither. A
round re-estimates everything from the current responsibilities:

- faces: leave-one-out log-likelihood ratio of cluster k against "new" (``likelihoods.LogLikelihoodRatios``);
- captions: mention rates of visible and absent persons (``likelihoods.mention_rates``);
- frames: a person appears once in a frame, with a soft penalty (``assign.frame_marginals``).

Some rounds end with a split-merge step over whole clusters (``split_merge.split_merge_step``).

Two chains run with different numbers of principal components, and the answer is their mean: what only one of them finds is
uncertain. A leave-one-out kernel ridge, the closed form of the paper's graph autoencoder, has half of the weight
(``kernel_ridge.leave_one_out_ridge``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.corrections import Constraints
from core.problem import FloatArray, IntArray, Problem
from core.progress import Progress
from core.solvers.mixture.cluster_statistics import ClusterStatistics
from core.solvers.mixture.kernel_ridge import leave_one_out_ridge, nystrom_features
from core.solvers.mixture.leader_clustering import leader_clusters
from core.solvers.mixture.likelihoods import MentionRates
from core.solvers.mixture.name_posterior import name_posterior
from core.solvers.mixture.plda import PldaSpace, fit_plda
from core.solvers.mixture.posterior import (
    Candidates,
    ClusterScores,
    Inputs,
    Posterior,
    clamp,
    frame_posterior,
    plda_responsibilities,
    singletons,
    top_candidates,
)
from core.solvers.mixture.settings import DEFAULTS, Settings
from core.solvers.mixture.sparse_tables import Sparse, hstack, scale_rows, soft_counts, sparse
from core.solvers.mixture.split_merge import split_merge_step
from core.solvers.mixture.warm_start import Chain, State, changed_faces, refit

MAX_DENSE_PAIRS = 1 << 23  # with more (face, cluster) pairs, candidates are kept between split-merge steps


@dataclass(frozen=True, eq=False)
class Result:
    """Probabilities of names, and what explains them."""

    names: Sparse  # faces × names
    nobody: FloatArray  # faces; names and nobody sum to 1, except for names too improbable to list
    clusters: Sparse  # responsibilities, faces × clusters: the names first, then unnamed persons
    neighbours: IntArray  # faces × nearest neighbours in other groups, nearest first
    cosine: FloatArray  # cosines of these
    visible: FloatArray  # by name: mention rate when visible
    absent: FloatArray  # by name: mention rate when absent
    state: State | None = None  # what a warm start needs


def infer(
    problem: Problem,
    constraints: Constraints,
    seed: int,
    progress: Progress,
    settings: Settings = DEFAULTS,
    state: State | None = None,
) -> Result:
    """Names the faces of ``problem`` under the constraints.

    ``state`` is the end of a cold start on the same faces and captions, perhaps with other corrections. If few corrections
    differ, the run is a warm start from it; otherwise it is a cold start.
    """
    face = None if state is None else changed_faces(state, problem, constraints)
    if state is not None and face is not None:
        inputs = Inputs.around(problem, constraints, state.faces, state.graph, settings)
        chains = [
            refit(part, chain, state.names, problem.names, face, chain_progress(progress, k, len(state.chains)))
            for k, (part, chain) in enumerate(zip(inputs.chains(), state.chains, strict=True))
        ]
        return _averaged(inputs, chains, state)
    inputs = Inputs.build(problem, constraints, seed, settings)
    if not inputs.faces.any():  # identical faces: only captions count, and EM would overstate them
        posterior = initial_posterior(inputs)
        return _result(inputs, _clamped(inputs, posterior.resp), posterior, inputs.mention_rates(posterior), None)
    parts = inputs.chains()
    chains = [fit(part, chain_progress(progress, k, len(parts))) for k, part in enumerate(parts)]
    return _averaged(inputs, chains, State(problem.names, constraints, inputs.faces, inputs.graph, tuple(chains)))


def chain_progress(progress: Progress, number: int, many: int) -> Progress:
    """The progress of one chain as a part of the progress of all."""

    def told(stage: str, done: int, total: int, value: float | None = None) -> None:
        progress(stage, number * total + done, many * total, value)

    return told


def fit(inputs: Inputs, progress: Progress) -> Chain:
    """A cold start of one chain: EM rounds with annealed likelihoods and split-merge steps."""
    settings, posterior = inputs.settings, initial_posterior(inputs)
    same_person_cosine = inputs.graph.same_person_cosine(inputs.faces)
    space = fit_plda(inputs.faces, posterior.resp, settings.within_shrinkage, same_person_cosine)
    if settings.unnamed:
        posterior = add_unnamed_clusters(inputs, posterior, space)
    candidates: Candidates | None = None
    for turn in range(settings.rounds):
        if turn < 8 or turn % 3 == 0:
            resp = plda_responsibilities(posterior, settings.outlier_margin)
            space = fit_plda(inputs.faces, resp, settings.within_shrinkage, same_person_cosine)
        rate, many = inputs.mention_rates(posterior), posterior.resp.shape[1]
        scores = ClusterScores.of(inputs, posterior, space, rate, turn)
        if candidates is not None and turn > 3 and len(inputs.faces) * many > MAX_DENSE_PAIRS:
            candidates = candidates.scored(scores)
        else:
            candidates = top_candidates(inputs, scores.rows, many, scores.new)
        posterior = frame_posterior(inputs, candidates, many, scores.new, rate)
        if settings.unnamed and turn in settings.split_merge_rounds:
            stats = ClusterStatistics.of(inputs, space, rate)
            posterior, candidates = clamp(inputs, Posterior.of(split_merge_step(posterior.resp, posterior.new, stats))), None
        elif turn % 3 == 2:
            gone = singletons(posterior.resp, inputs.names)
            posterior, candidates = Posterior.of(posterior.resp[:, ~gone]), candidates.without(gone)
        progress("people", turn + 1, settings.rounds, posterior.mean_confidence())
    return Chain(posterior, space, rate)


def _averaged(inputs: Inputs, chains: list[Chain], state: State) -> Result:
    """The mean of the chains' answers and of the kernel ridge. The clusters are those of the first chain."""
    answers = [_chain_answer(inputs, chain) for chain in chains]
    names, nobody = answers[0].resp, answers[0].new
    for answer in answers[1:]:
        names, nobody = sparse(names + answer.resp), nobody + answer.new
    names, nobody = sparse(names / len(chains)), nobody / len(chains)
    if share := inputs.settings.reconstruction_weight:
        features = nystrom_features(inputs.faces) if state.nystrom is None else state.nystrom
        names = sparse((1 - share) * names + share * leave_one_out_ridge(features, inputs.graph, names))
        state = replace(state, nystrom=features) if state.nystrom is None else state
    return _result(inputs, Posterior(names, nobody), chains[0].posterior, chains[0].rate, state)


def _chain_answer(inputs: Inputs, chain: Chain) -> Posterior:
    if not inputs.settings.name_uncertainty:
        return _clamped(inputs, chain.posterior.resp)
    stats = ClusterStatistics.of(inputs, chain.space, chain.rate)
    return _clamped(inputs, *name_posterior(chain.posterior.resp, stats, chain.rate))


def _clamped(inputs: Inputs, names: Sparse, named: FloatArray | None = None) -> Posterior:
    """Probabilities of names and nobody, clamped once more: the name of a whole cluster may have moved a corrected face."""
    names = names[:, : inputs.names]
    named = np.asarray(names.sum(1), np.float64) if named is None else named
    return clamp(inputs, Posterior(scale_rows(1 / np.maximum(named, 1), names), np.maximum(1 - named, 0)))


def _result(inputs: Inputs, answer: Posterior, posterior: Posterior, rate: MentionRates, state: State | None) -> Result:
    return Result(
        names=answer.resp,
        nobody=answer.new.astype(np.float32),
        clusters=posterior.resp,
        neighbours=inputs.graph.index,
        cosine=inputs.graph.cosine,
        visible=rate.visible,
        absent=rate.absent,
        state=state,
    )


# --- Initialisation --------------------------------------------------------------------------------------------------


def initial_posterior(inputs: Inputs, visible: float = 0.7) -> Posterior:
    """The posterior from captions alone: the mean of a face's own caption and those of its neighbours.

    ``x_ic = 1/2 (E_ic + sum_j w_ij E_jc) + log p_c``, where E is the log-likelihood ratio of a caption with or without c.
    ``visible`` is the assumed mention rate of a visible person.
    """
    n, mentioned = len(inputs.faces), inputs.captions.mentioned
    if not inputs.names:
        return Posterior(sparse((n, 0)), np.ones(n))
    absent = np.clip(soft_counts(mentioned) / n, 1 / n, 0.9)
    on, off = np.log(visible / absent), np.log((1 - visible) / (1 - np.minimum(absent, visible)))
    weight = inputs.graph.weight
    mentions_near = sparse(mentioned + weight @ mentioned)
    captions, prior = 1 + np.asarray(weight.sum(1)), np.log(absent / absent.sum())

    def rows(face: IntArray) -> FloatArray:
        return np.asarray(0.5 * (mentions_near[face].toarray() * (on - off) + captions[face][:, None] * off) + prior)

    new = float(np.log(initial_nobody_odds(inputs, visible)))
    return frame_posterior(inputs, top_candidates(inputs, rows, inputs.names, new), inputs.names, new)


def initial_nobody_odds(inputs: Inputs, visible: float) -> float:
    """Prior odds that a face has no known name, from the share of captions without any name; at least 0.1.

    If all persons had a name and were mentioned with probability p, a caption of f faces would hold no name with probability
    ``(1 - p)^f``.
    """
    expected = float(((1 - visible) ** np.bincount(inputs.group)[inputs.group]).mean())
    without = float((np.asarray(inputs.captions.mentioned.sum(1)) == 0).mean())
    nobody = np.clip((without - expected) / (1 - expected), 0.0, 0.9)
    return float(max(nobody / (1 - nobody), 0.1))


def add_unnamed_clusters(inputs: Inputs, posterior: Posterior, space: PldaSpace) -> Posterior:
    """Adds leader clusters of the faces that captions do not explain, with responsibility 0.8."""
    found = leader_clusters(space, posterior.new > 0.5, inputs.graph.weight, inputs.settings.min_log_odds)
    inside = 0.8 * np.asarray(found.sum(1), np.float64)
    return Posterior(hstack(scale_rows(1 - inside, posterior.resp), 0.8 * found), posterior.new * (1 - inside))
