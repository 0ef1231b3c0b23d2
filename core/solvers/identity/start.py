"""Where inference starts: from clusters of look-alikes, or from captions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from core.arrays import chunks, ragged
from core.corrections import OPEN
from core.problem import FloatArray, IntArray
from core.solvers.identity.appearance import TINY, Spectrum, shrunk, whitening
from core.solvers.identity.compiled import compiled
from core.solvers.identity.config import USUAL_FURTHER, Config
from core.solvers.identity.inputs import Alike, Inputs
from core.solvers.identity.merges import merge_clusters
from core.solvers.identity.model import looks
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.state import Data, Params, State
from core.solvers.identity.units import Units, table

NOTHING = np.zeros((0, 0), np.int64), np.zeros((0, 0))  # no tally
FAR = -25.0  # nats behind the likeliest name with which a name is not looked at
FEW_CELLS = 1 << 16  # of a table worked on at once: they stay in the cache
SOFT_CELLS = 1 << 25  # units × names up to which a soft start is made


def state_of(data: Data, units: Units, cluster: IntArray, name: IntArray, rate: FloatArray, params: Params) -> State:
    """The state with this partition, where ``name[k]`` is the name of cluster k; all else is counted."""
    many, names = len(cluster), len(units.counts)
    used, cluster = np.unique(cluster, return_inverse=True)
    slots = many + 2
    size, borne = np.zeros(slots, np.int64), np.full(slots, -1, np.int64)
    size[: len(used)], borne[: len(used)] = np.bincount(cluster, minlength=len(used)), name[used]
    total, marginal = looks(data, cluster, size)
    named = np.flatnonzero(borne >= 0)
    bearer = np.full(names, -1, np.int64)
    order = named[np.argsort(size[named], kind="stable")]
    bearer[borne[order]] = order
    bearers = np.bincount(borne[named], minlength=names)[:names]
    visible, hits = visibility(units, borne[cluster], params.absence)
    return State(
        cluster=np.asarray(cluster, np.int64),
        size=size,
        total=total,
        marginal=marginal,
        name=borne,
        alive=np.arange(slots),
        place=np.arange(slots),
        free=np.arange(slots - 1, -1, -1),
        counts=np.array([slots - len(used), len(used), int(((size == 1) & (borne < 0)).sum()), many]),
        visible=visible,
        hits=hits,
        bearers=bearers,
        bearer=bearer,
        units=np.bincount(borne[named], size[named], minlength=names).astype(np.int64)[:names],
        rate=rate,
        further=np.array([USUAL_FURTHER]),
        margin=np.zeros(many),
        name_margin=np.zeros(slots),
    )


def visibility(units: Units, name: IntArray, absence: bool) -> tuple[IntArray, IntArray]:
    """By name, the groups in which a unit bears it, and those of them that mention it, by kind."""
    names, (start, group) = len(units.counts), units.groups
    borne = np.repeat(name, np.diff(start))
    key = np.unique((group * max(names, 1) + borne)[borne >= 0])
    mention_group = np.repeat(np.arange(units.many_groups), np.diff(units.mentions[0]))
    heard = mention_group * max(names, 1) + units.mentions[1]
    order = np.argsort(heard)
    place = np.minimum(np.searchsorted(heard[order], key), max(len(heard) - 1, 0))
    bits = np.zeros(len(key), np.int64)
    if len(heard):
        bits = np.where(heard[order][place] == key, units.kinds[order][place], 0)
    if not absence:
        key, bits = key[bits > 0], bits[bits > 0]
    who = key % max(names, 1)
    hits = np.zeros(units.counts.shape, np.int64)
    for kind in range(units.counts.shape[1]):
        hits[:, kind] = np.bincount(who, bits >> kind & 1, minlength=names)[:names]
    return np.bincount(who, minlength=names)[:names], hits


def by_clusters(data: Data, units: Units, params: Params, rate: FloatArray) -> State:
    """Look-alikes first: units join greedily, then clusters do, as if captions said nothing."""
    silent = data._replace(
        mention_start=np.zeros_like(data.mention_start),
        mention_name=data.mention_name[:0],
        mention_kinds=data.mention_kinds[:0],
        mentions=np.zeros_like(data.mentions),
        fixed=np.full_like(data.fixed, OPEN),
    )
    many = len(data.y)
    state = state_of(silent, units, np.arange(many), np.full(many, -1), rate, params)
    nearest_first = np.argsort(-_closeness(data), kind="stable")
    for turn in range(2):
        sweep_units(silent, state, params, nearest_first, 0.0, 0, turn, *NOTHING)
    while merge_all(silent, state, params):
        pass
    return state_of(data, units, state.cluster, state.name, rate, params)


def merge_all(data: Data, state: State, params: Params) -> int:
    """One round of merges, small clusters first. Returns how many merged."""
    alive = np.flatnonzero(state.size > 0)
    order = alive[np.argsort(state.size[alive], kind="stable")]
    start, members = table(state.cluster, np.arange(len(state.cluster)), len(state.size))
    return int(merge_clusters(data, state, params, order, start, members))


def _closeness(data: Data) -> FloatArray:
    """By unit, the inner product with its nearest look-alike, in the directions in which persons differ."""
    nearest = np.maximum(data.neighbours[:, 0], 0)
    return np.asarray((data.y * data.y[nearest] * (data.psi / (1 + data.psi))).sum(1))


def by_captions(inputs: Inputs, seed: int, noise: int) -> IntArray | None:
    """Captions first: names as soft clusters, by expectation-maximisation. Gives each unit's name, -1 for none.

    The first guess averages what a unit's own captions and those of its look-alikes say. Each round scores a unit by the
    PLDA log-likelihood ratio against the background (left out of its own likeliest name), the mention log-odds and the
    names' soft counts, and keeps a name from being borne twice in one group (Sinkhorn steps). None if there is no name, or
    if there are too many units and names for it.
    """
    units, config, spectrum, space = inputs.units, inputs.config, inputs.spectrum, inputs.space
    many, names = units.many, len(units.counts)
    if not names or many * names > SOFT_CELLS:
        return None
    own = _mentioned(units)
    group = units.groups[1][units.groups[0][:-1]]  # a unit's first group stands for all of them here
    groups = table(group, np.arange(many), units.many_groups)
    score = _first_guess(own, inputs.alike)
    if noise:
        score += config.start_noise * np.random.default_rng(seed + noise).gumbel(size=score.shape)
    share = _softly(score, own, np.zeros((2, names)), np.full(many, np.log(0.1)), *groups)
    y, psi, size = space.y, space.psi, share.sum(0, dtype=np.float64)
    for turn in range(config.soft_rounds):
        if spectrum is not None and config.learning and (turn < 8 or turn % 4 == 0):
            y, psi = _soft_plda(inputs.x, share, spectrum, config)
        score, background = _log_likelihoods(y, psi, share, size, inputs.params.temperature)
        off, on = _mention_log_odds(own, share, size, 4.0)
        prior = np.log((np.minimum(size, 1.5 * units.counts.sum(1)) + 0.5) / (many + 0.5 * names))
        nobody, last = np.clip(1 - size.sum() / many, 0.02, 0.9), size
        share = _softly(score, own, np.array([off + prior, on + prior]), np.log(nobody) + background, *groups)
        size = share.sum(0, dtype=np.float64)
        if np.abs(size - last).sum() < config.soft_change * many:
            break
    best = share.argmax(1)
    return np.where(share[np.arange(many), best] > 1 - share.sum(1), best, -1)


def _mentioned(units: Units) -> NDArray[np.float32]:
    """1 where a unit's own captions mention a name (units × names)."""
    own = np.zeros((units.many, len(units.counts)), np.float32)
    start, group = units.groups
    length = np.diff(units.mentions[0])[group]
    unit = np.repeat(np.repeat(np.arange(units.many), np.diff(start)), length)
    own[unit, units.mentions[1][ragged(units.mentions[0][:-1][group], length)]] = 1
    return own


def _first_guess(own: NDArray[np.float32], alike: Alike, rate: float = 0.7) -> FloatArray:
    """``1/2 (E_ic + sum_j w_ij E_jc) + log p_c``, E the log-odds that a caption with or without c gives."""
    absent = np.clip(own.mean(0, dtype=np.float64), 0.5 / len(own), 0.9)
    on, off = np.log(rate / absent), np.log((1 - rate) / (1 - np.minimum(absent, rate)))
    many, found = len(own), alike.index >= 0
    unit, other = np.repeat(np.arange(many), found.sum(1)), alike.index[found]
    near = csr_array((alike.weight[found].astype(np.float32), (unit, other)), shape=(many, many))
    heard = own + near @ csr_array(own)
    told, prior = 1 + alike.weight.sum(1)[:, None], np.log(absent / absent.sum())
    for part in chunks(many, len(absent), FEW_CELLS):
        heard[part] = 0.5 * (heard[part] * (on - off) + told[part] * off) + prior
    return np.asarray(heard)


def _mention_log_odds(
    own: NDArray[np.float32], share: NDArray[np.float32], size: FloatArray, strength: float
) -> tuple[FloatArray, FloatArray]:
    """log of how much likelier a caption is that does not, or does, mention a name, if its person is visible."""
    many, hit, said = len(own), np.einsum("uc,uc->c", share, own, dtype=np.float64), own.sum(0, dtype=np.float64)
    common = float(np.clip((hit.sum() + 2) / (size.sum() + 3), 0.05, 0.995))
    visible = np.clip((hit + strength * common) / (size + strength), 0.02, 0.998)
    absent = np.clip((said - hit + 0.5) / (np.maximum(many - size, 0.1 * many) + 2), 0.2 / many, 0.9)
    visible = np.maximum(visible, absent)
    return np.log((1 - visible) / (1 - absent)), np.log(visible / absent)


@compiled
def _softly(
    score: NDArray[np.float32], own: NDArray[np.float32], odds: FloatArray, nobody: FloatArray, start: IntArray,
    members: IntArray,
) -> NDArray[np.float32]:  # fmt: skip
    """Responsibilities of the names, each at most once in a group; the rest is nobody's. ``score`` is overwritten.

    The units of group g are ``members[start[g]:start[g + 1]]``. ``odds`` are of names that captions leave out, or mention.
    """
    names, rest, taken = score.shape[1], np.empty(len(score)), np.empty(score.shape[1])
    for g in range(len(start) - 1):
        units = members[start[g] : start[g + 1]]
        for unit in units:
            top, total = nobody[unit], 0.0
            for c in range(names):
                score[unit, c] += odds[1, c] if own[unit, c] > 0 else odds[0, c]
                top = max(top, score[unit, c])
            for c in range(names):
                less = score[unit, c] - top
                score[unit, c] = math.exp(less) if less > FAR else 0.0
                total += score[unit, c]
            rest[unit] = math.exp(nobody[unit] - top)
            total += rest[unit]
            score[unit] /= total
            rest[unit] /= total
        if len(units) < 2:
            continue
        for _ in range(3):
            taken[:] = 0.0
            for unit in units:
                taken += score[unit]
            taken = np.maximum(taken, 1.0)
            for unit in units:
                score[unit] /= taken
                total = score[unit].sum() + rest[unit]
                score[unit] /= total
                rest[unit] /= total
    return score


def _log_likelihoods(
    y: FloatArray, psi: FloatArray, share: NDArray[np.float32], size: FloatArray, temperature: float
) -> tuple[NDArray[np.float32], FloatArray]:
    """Of each unit under each name, and under the background, but for what all have in common."""
    total = share.T @ y.astype(np.float32)
    precision = 1 / psi + size[:, None]
    v, m = 1 + 1 / precision, total / precision
    background = -0.5 * (y**2 / (1 + psi) + np.log1p(psi)).sum(1)
    weight = np.hstack([m / v, -0.5 / v, -0.5 * (m**2 / v + np.log(v)).sum(1)[:, None]])
    powers = np.hstack([y, y**2, np.ones((len(y), 1))]).astype(np.float32)
    found = powers @ (temperature * weight).astype(np.float32).T
    unit, best = np.arange(len(y)), share.argmax(1)
    mine = share[unit, best]
    precision = 1 / psi + np.maximum(size[best] - mine, 0)[:, None]
    v, m = 1 + 1 / precision, (total[best] - mine[:, None] * y) / precision
    found[unit, best] = -0.5 * temperature * ((y - m) ** 2 / v + np.log(v)).sum(1)
    return found, temperature * background


def _soft_plda(
    x: FloatArray, share: NDArray[np.float32], spectrum: Spectrum, config: Config
) -> tuple[FloatArray, FloatArray]:
    """As ``fit_plda``, from responsibilities."""
    d, size = x.shape[1], share.sum(0, dtype=np.float64)
    share, size = share[:, size > 1], size[size > 1]
    if not len(size):
        return x / np.sqrt(spectrum.within), np.full(d, spectrum.between / spectrum.within)
    mean, member = (share.T @ x.astype(np.float32)) / size[:, None], share.sum(1, dtype=np.float64)
    squares = np.einsum("uc,uc->c", share, share, dtype=np.float64)
    freedom = max(float(member.sum() - (squares / size).sum()), 1.0)
    scatter = (x * member[:, None]).T @ x - (mean * size[:, None]).T @ mean
    prior = config.within_faces * d
    within = (prior * spectrum.within * np.eye(d) + scatter) / (prior + freedom)
    whiten = whitening(within)
    weight = size / (size + 2)
    persons, centre = weight.sum(), mean @ whiten
    part = weight / persons
    between = (centre * part[:, None]).T @ centre - (part / size).sum() * np.eye(d)
    psi, turn = np.linalg.eigh(shrunk(between, float(persons), spectrum, config))
    return x @ (whiten @ turn), np.maximum(psi, TINY)
