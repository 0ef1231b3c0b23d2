"""A doubt that the log-joint does not have: captions of one scene repeat each other, but count as independent.

What tells the name c of a cluster from another name d are the captions of the cluster's groups that mention c and not d.
Where there are none, both names are as likely for all that captions say, however many captions repeat it.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from core.arrays import find
from core.corrections import OPEN
from core.problem import FloatArray, IntArray
from core.solvers.identity.config import Config
from core.solvers.identity.state import State
from core.solvers.identity.units import Units


def rivals(units: Units, state: State) -> tuple[IntArray, IntArray]:
    """By cluster, the rival of its name c, and how many captions tell c from it.

    The rival is the name that most often stands in the captions with c; -1 if there is none.
    """
    clusters, names, groups = len(state.size), max(len(units.counts), 1), units.many_groups
    unit = np.repeat(np.arange(units.many), np.diff(units.groups[0]))
    seen = np.unique(state.cluster[unit] * groups + units.groups[1])
    cluster, group = seen // groups, seen % groups
    start, name = units.mentions
    keys = np.repeat(np.arange(groups), np.diff(start)) * names + name
    heard = (state.name[cluster] >= 0) & (find(keys, group * names + state.name[cluster]) >= 0)
    rows = csr_array((np.ones(heard.sum(), np.int64), (cluster[heard], group[heard])), shape=(clusters, groups))
    said = csr_array((np.ones(len(name), np.int64), name, start), shape=(groups, names))
    together = csr_array(rows @ said).tocoo()
    cluster, other, often = together.coords[0], together.coords[1], together.data
    mine = other == state.name[cluster]
    apart, most, rival = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64), np.full(clusters, -1, np.int64)
    apart[cluster[mine]] = often[mine]
    order = np.lexsort((-other[~mine], often[~mine]))  # the most frequent is written last
    most[cluster[~mine][order]], rival[cluster[~mine][order]] = often[~mine][order], other[~mine][order]
    return rival, apart - most


def discounted(table: csr_array[np.float64], units: Units, state: State, config: Config) -> csr_array[np.float64]:
    """The chances of each unit's names (the last column is nobody), with a least chance of the rival.

    That is ``config.confusable / (1 + m)^2``, m the number of captions that tell the name from the rival. A name that people
    gave to one of a cluster's units is no longer doubted; without a rival, the doubt is that nobody is named.
    """
    names = len(units.counts)
    rival, apart = rivals(units, state)
    least = np.where(state.name >= 0, config.confusable / (1.0 + apart) ** 2, 0.0)
    given = units.fixed >= 0
    least[state.cluster[given]] = 0.0
    unit = np.flatnonzero((units.fixed == OPEN) & (least[state.cluster] > 0))
    if not len(unit):
        return table
    cluster = state.cluster[unit]
    likely: FloatArray = np.asarray(table[unit, state.name[cluster]]).ravel()
    moved = np.where(likely > 0.5, np.maximum(least[cluster] - (1 - likely), 0), 0)
    to = np.where(rival[cluster] >= 0, rival[cluster], names)
    row, column = np.r_[unit, unit], np.r_[state.name[cluster], to]
    return csr_array(table + csr_array((np.r_[-moved, moved], (row, column)), shape=table.shape))
