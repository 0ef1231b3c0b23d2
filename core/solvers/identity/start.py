"""Where inference starts: from clusters of look-alikes, or from captions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import ragged
from core.corrections import OPEN
from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray
from core.solvers.identity.appearance import PldaSpace, Spectrum, shrunk
from core.solvers.identity.compiled import compiled
from core.solvers.identity.config import Config
from core.solvers.identity.model import Data, Params, State, gains, log_marginals
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.units import Units, table
from core.solvers.identity.wholes import merge_clusters

NOTHING = np.zeros((0, 0), np.int64), np.zeros((0, 0))  # no tally
SOFT_CELLS = 1 << 25  # units × names up to which a soft start is made
SHOWN_CELLS = 1 << 25  # groups × names up to which it is counted who is seen where


@dataclass(frozen=True, eq=False)
class Alike:
    """Look-alikes of each unit (-1 where there is none), and how alike they are, as weights and cosines."""

    index: IntArray
    cosine: FloatArray
    weight: FloatArray

    @staticmethod
    def of(index: IntArray, cosine: FloatArray) -> Alike:
        """The weight is 0 at a cosine that nine of ten look-alikes exceed, and 1 for the most alike."""
        found = cosine > NO_NEIGHBOUR
        low = np.quantile(cosine[found], 0.1) if found.any() else 0.0
        weight = np.where(found, np.maximum(cosine - low, 0), 0)
        return Alike(np.where(found, index, -1), cosine, weight / max(float(weight.max(initial=0)), 1e-9))


def state_of(data: Data, units: Units, cluster: IntArray, name: IntArray, rate: FloatArray, params: Params) -> State:
    """The state with this partition, where ``name[k]`` is the name of cluster k; all else is counted."""
    many, names = len(cluster), len(units.counts)
    used, cluster = np.unique(cluster, return_inverse=True)
    slots = many + 2
    size, borne = np.zeros(slots, np.int64), np.full(slots, -1, np.int64)
    size[: len(used)], borne[: len(used)] = np.bincount(cluster, minlength=len(used)), name[used]
    total = np.zeros((slots, data.y.shape[1]))
    np.add.at(total, cluster, data.y)
    named = np.flatnonzero(borne >= 0)
    bearer = np.full(names, -1, np.int64)
    order = named[np.argsort(size[named], kind="stable")]
    bearer[borne[order]] = order
    bearers = np.bincount(borne[named], minlength=names)[:names]
    visible, hits = visibility(data, units, borne[cluster], params.absence)
    shown = np.zeros((units.many_groups, names) if units.many_groups * names <= SHOWN_CELLS else (0, 0), np.int16)
    if shown.size:
        worn = np.repeat(borne[cluster], np.diff(units.groups[0]))
        np.add.at(shown, (units.groups[1][worn >= 0], worn[worn >= 0]), 1)
    return State(
        cluster=np.asarray(cluster, np.int64),
        size=size,
        total=total,
        marginal=log_marginals(size, total, data.psi),
        gain=gains(size, data.psi),
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
        shown=shown,
        rate=rate,
        further=np.array([params.further_cluster]),
        abroad=np.zeros(len(data.at_home)),
    )


def visibility(data: Data, units: Units, name: IntArray, absence: bool) -> tuple[IntArray, IntArray]:
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


def by_captions(
    units: Units,
    x: FloatArray,
    spectrum: Spectrum | None,
    space: PldaSpace,
    params: Params,
    config: Config,
    alike: Alike,
    noise: FloatArray | None = None,
) -> IntArray | None:
    """Captions first: names as soft clusters, by expectation-maximisation. Gives each unit's name, -1 for none.

    The first guess averages what a unit's own captions and those of its look-alikes say. Each round scores a unit by the
    PLDA log-likelihood ratio against the background (left out of its own likeliest name), the mention log-odds and the
    names' soft counts, and keeps a name from being borne twice in one group (Sinkhorn steps). None if there is no name, or
    if there are too many units and names for it.
    """
    many, names = units.many, len(units.counts)
    if not names or many * names > SOFT_CELLS:
        return None
    own = _mentioned(units)
    group = units.groups[1][units.groups[0][:-1]]  # a unit's first group stands for all of them here
    groups = table(group, np.arange(many), units.many_groups)
    share = _softly(_first_guess(own, alike) + (0 if noise is None else config.start_noise * noise), np.log(0.1), *groups)
    y, psi = space.y, space.psi
    for turn in range(config.soft_rounds):
        if spectrum is not None and config.learning and (turn < 8 or turn % 4 == 0):
            y, psi = _soft_plda(x, share, spectrum, config)
        size, total = share.sum(0), share.T @ y
        looks = _log_likelihood_ratios(y, psi, share, size, total)
        prior = np.log((np.minimum(size, 1.5 * units.counts.sum(1)) + 0.5) / (many + 0.5 * names))
        score = params.temperature * looks + prior + _mention_log_odds(own, share, size, 4.0)
        nobody = np.clip(1 - share.sum(1).mean(), 0.02, 0.9)
        share = _softly(score, float(np.log(nobody)), *groups)
    best = share.argmax(1)
    return np.where(share[np.arange(many), best] > 1 - share.sum(1), best, -1)


def _mentioned(units: Units) -> FloatArray:
    """1 where a unit's own captions mention a name (units × names)."""
    own = np.zeros((units.many, len(units.counts)))
    start, group = units.groups
    length = np.diff(units.mentions[0])[group]
    unit = np.repeat(np.repeat(np.arange(units.many), np.diff(start)), length)
    own[unit, units.mentions[1][ragged(units.mentions[0][:-1][group], length)]] = 1
    return own


def _first_guess(own: FloatArray, alike: Alike, rate: float = 0.7) -> FloatArray:
    """``1/2 (E_ic + sum_j w_ij E_jc) + log p_c``, E the log-odds that a caption with or without c gives."""
    absent = np.clip(own.mean(0), 0.5 / len(own), 0.9)
    on, off = np.log(rate / absent), np.log((1 - rate) / (1 - np.minimum(absent, rate)))
    heard = own.copy()
    for j in range(alike.index.shape[1]):
        heard += alike.weight[:, j : j + 1] * own[np.maximum(alike.index[:, j], 0)]
    told = 1 + alike.weight.sum(1)[:, None]
    return np.asarray(0.5 * (heard * (on - off) + told * off) + np.log(absent / absent.sum()))


def _mention_log_odds(own: FloatArray, share: FloatArray, size: FloatArray, strength: float) -> FloatArray:
    """log of how much likelier a caption is that does or does not mention a name, if its person is visible."""
    many, hit = len(own), (share * own).sum(0)
    common = float(np.clip((hit.sum() + 2) / (size.sum() + 3), 0.05, 0.995))
    visible = np.clip((hit + strength * common) / (size + strength), 0.02, 0.998)
    absent = np.clip((own.sum(0) - hit + 0.5) / (np.maximum(many - size, 0.1 * many) + 2), 0.2 / many, 0.9)
    visible = np.maximum(visible, absent)
    return np.asarray(np.where(own > 0, np.log(visible / absent), np.log((1 - visible) / (1 - absent))))


@compiled
def _softly(score: FloatArray, nobody: float, start: IntArray, members: IntArray) -> FloatArray:
    """Responsibilities of the names, each at most once in a group; the rest is nobody's.

    The units of group g are ``members[start[g]:start[g + 1]]``.
    """
    share, names = np.empty_like(score), score.shape[1]
    rest, taken = np.empty(len(score)), np.empty(names)
    for g in range(len(start) - 1):
        units = members[start[g] : start[g + 1]]
        for unit in units:
            top, total = max(nobody, score[unit].max()), 0.0
            for c in range(names):
                share[unit, c] = math.exp(score[unit, c] - top)
                total += share[unit, c]
            rest[unit] = math.exp(nobody - top) / (total + math.exp(nobody - top))
            share[unit] /= total + math.exp(nobody - top)
        if len(units) < 2:
            continue
        for _ in range(3):
            taken[:] = 0.0
            for unit in units:
                taken += share[unit]
            taken = np.maximum(taken, 1.0)
            for unit in units:
                share[unit] /= taken
                total = share[unit].sum() + rest[unit]
                share[unit] /= total
                rest[unit] /= total
    return share


def _log_likelihood_ratios(
    y: FloatArray, psi: FloatArray, share: FloatArray, size: FloatArray, total: FloatArray
) -> FloatArray:
    precision = 1 / psi + size[:, None]
    v, m = 1 + 1 / precision, total / precision
    background = -0.5 * (y**2 / (1 + psi) + np.log1p(psi)).sum(1)
    ratio = y @ (m / v).T - 0.5 * (y**2) @ (1 / v).T - 0.5 * (m**2 / v + np.log(v)).sum(1) - background[:, None]
    unit, best = np.arange(len(y)), share.argmax(1)
    mine = share[unit, best]
    precision = 1 / psi + np.maximum(size[best] - mine, 0)[:, None]
    v, m = 1 + 1 / precision, (total[best] - mine[:, None] * y) / precision
    ratio[unit, best] = -0.5 * ((y - m) ** 2 / v + np.log(v)).sum(1) - background
    return np.asarray(ratio)


def _soft_plda(x: FloatArray, share: FloatArray, spectrum: Spectrum, config: Config) -> tuple[FloatArray, FloatArray]:
    """As ``fit_plda``, from responsibilities."""
    d, size = x.shape[1], share.sum(0)
    share, size = share[:, size > 1], size[size > 1]
    if not len(size):
        return x / np.sqrt(spectrum.within), np.full(d, spectrum.between / spectrum.within)
    mean, member = (share.T @ x) / size[:, None], share.sum(1)
    freedom = max(float(member.sum() - ((share**2).sum(0) / size).sum()), 1.0)
    scatter = (x * member[:, None]).T @ x - (mean * size[:, None]).T @ mean
    prior = config.within_faces * d
    within = (prior * spectrum.within * np.eye(d) + scatter) / (prior + freedom)
    value, axes = np.linalg.eigh(within)
    whiten = axes / np.sqrt(np.maximum(value, 1e-3 * value.max()))
    weight = size / (size + 2)
    persons, centre = weight.sum(), mean @ whiten
    part = weight / persons
    between = (centre * part[:, None]).T @ centre - (part / size).sum() * np.eye(d)
    psi, turn = np.linalg.eigh(shrunk(between, float(persons), spectrum, config))
    return x @ (whiten @ turn), np.maximum(psi, 1e-3)
