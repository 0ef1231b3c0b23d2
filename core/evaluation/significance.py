"""Whether one method is better than another, or lucky.

On one set: a paired bootstrap of the difference in accuracy. Frames and seeds are drawn anew with replacement, the same ones
for both methods: faces of one frame depend on each other, so frames are drawn and not faces. The middle 95 % are the
interval; where it excludes 0 the difference is significant on that set.
Over the sets: the two-sided Wilcoxon signed-rank test of the mean accuracies (Demšar, Statistical Comparisons of Classifiers
over Multiple Data Sets, JMLR 2006), with Holm's correction for comparing with several methods. Seven sets cannot give a p
below 2/2⁷ = .016, before the correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.measure import markdown
from core.problem import FloatArray, IntArray, Problem

DRAWS = 2000

Answers = Mapping[str, Mapping[str, Sequence[IntArray]]]  # problem -> method -> the answer with each seed


@dataclass(frozen=True)
class Difference:
    """How far ours is ahead of another method on one problem (accuracy), and its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        return self.low > 0 or self.high < 0


def difference(
    problem: Problem, ours: Sequence[IntArray], other: Sequence[IntArray], draws: int = DRAWS, seed: int = 0
) -> Difference:
    """Paired bootstrap over frames and seeds of ``accuracy(ours) - accuracy(other)``."""
    truth = problem.truth
    assert truth is not None
    seeds = min(len(ours), len(other))
    ahead = np.array([(ours[k] == truth).astype(float) - (other[k] == truth) for k in range(seeds)])
    shown, place = np.unique(problem.group, return_inverse=True)
    gain = np.array([np.bincount(place, row, minlength=len(shown)) for row in ahead])  # seeds × frames
    rng = np.random.default_rng(seed)
    times = rng.multinomial(len(shown), np.full(len(shown), 1 / len(shown)), size=draws)
    turns = rng.multinomial(seeds, np.full(seeds, 1 / seeds), size=draws) / seeds
    drawn = ((times @ gain.T) * turns).sum(axis=1) / (times @ np.bincount(place))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Difference(float(ahead.mean()), float(low), float(high))


def over_sets(ours: FloatArray, others: Mapping[str, FloatArray]) -> dict[str, float]:
    """Holm-corrected p of the Wilcoxon signed-rank test over sets, ours against each other method.

    Each array has one mean accuracy a set, in the same order; nan where a method was not measured on a set.
    """
    from scipy.stats import wilcoxon

    raw = {}
    for method, theirs in others.items():
        ahead = (ours - theirs)[~np.isnan(ours - theirs)]
        raw[method] = float(wilcoxon(ahead, method="auto").pvalue) if np.any(ahead) else 1.0
    return holm(raw)


def holm(p: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down correction: the smallest p times how many there are, the next times one fewer, never decreasing."""
    order = sorted(p, key=lambda key: p[key])
    corrected: dict[str, float] = {}
    most = 0.0
    for rank, key in enumerate(order):
        most = max(most, min(1.0, p[key] * (len(p) - rank)))
        corrected[key] = most
    return {key: corrected[key] for key in p}


def significance_table(problems: Mapping[str, Problem], answers: Answers, ours: str) -> str:
    """Ours minus each other method: the difference and interval a set (bold: significant), and p over the sets."""
    sets = [name for name in problems if ours in answers.get(name, {})]
    methods = [m for m in dict.fromkeys(m for name in sets for m in answers[name]) if m != ours]
    corrected = over_sets(
        np.array([_mean(problems[name], answers[name][ours]) for name in sets]),
        {m: np.array([_mean(problems[name], answers[name].get(m, ())) for name in sets]) for m in methods},
    )
    rows = []
    for method in methods:
        cells = []
        for name in sets:
            if method not in answers[name]:
                cells.append("–")
                continue
            found = difference(problems[name], answers[name][ours], answers[name][method])
            text = f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
            cells.append(f"**{text}**" if found.significant else text)
        rows.append([method, *cells, f"{corrected[method]:.3f}"])
    return markdown([f"{ours} minus", *sets, "p over sets"], rows)


def _mean(problem: Problem, answers: Sequence[IntArray]) -> float:
    return float(np.mean([np.mean(answer == problem.truth) for answer in answers])) if len(answers) else float("nan")
