"""A dual graph of three faces and five mentions, small enough to reckon with by hand."""

from dataclasses import replace

import numpy as np
import torch

from core import Problem
from core.solvers.dbgae.links import Links
from core.solvers.dbgae.messages import Messages
from core.solvers.dbgae.model import DBGAE, Graph
from core.solvers.dbgae.settings import Settings

CPU = torch.device("cpu")
TINY = Settings(hidden=4, dense=3, features=2, heads=2, attention=3, epochs=40, rounds=2)

# Three faces, five mentions of three names; mentions 0, 2 and 4 are of one name.
#   group 0: faces 0, 1; mentions 0 (A), 1 (B)      group 1: face 2; mentions 2 (A), 3 (C)      group 2: mention 4 (A)
PROBLEM = Problem.build(
    features=[[1.0, 0.5], [-0.4, 1.2], [0.7, -0.9]],
    group=[0, 0, 1],
    candidates=[["A", "B"], ["A", "C"], ["A"]],
    names=["A", "B", "C"],
)
# across groups face 0 hears A from mentions 2 and 4, with different weights; mention 2 hears two faces, face 2 nothing
LINKS = Links(
    within_face=np.array([0, 0, 1, 1, 2, 2]),
    within_mention=np.array([0, 1, 0, 1, 2, 3]),
    within_weight=np.array([0.5, 0.2, 0.1, 0.9, 1.0, 0.3]),
    cross_face=np.array([0, 0, 0, 1]),
    cross_mention=np.array([2, 3, 4, 2]),
    cross_weight=np.array([0.8, 0.3, 0.4, 0.7]),
    cross_similarity=np.array([0.9, 0.9, 0.5, 0.7]),
    cross_neighbour=np.array([2, 2, 2, 2]),
)
NAME = [0, 1, 0, 2, 0]
WITHIN = list(zip([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 2, 3], [0.5, 0.2, 0.1, 0.9, 1.0, 0.3], strict=True))
CROSS = list(zip([0, 0, 0, 1], [2, 3, 4, 2], [0.8, 0.3, 0.4, 0.7], strict=True))


def widened(messages: Messages) -> Messages:
    return replace(messages, count=messages.count.double(), weight=messages.weight.double())


def graph_of(settings: Settings = TINY, links: Links = LINKS) -> Graph:
    """The small graph in double precision."""
    graph = Graph.build(PROBLEM, links, settings, CPU)
    return replace(
        graph,
        x=graph.x.double(),
        within_to_face=widened(graph.within_to_face),
        within_to_mention=widened(graph.within_to_mention),
        cross_to_face=widened(graph.cross_to_face),
        cross_to_mention=widened(graph.cross_to_mention),
    )


def model_of(settings: Settings = TINY, seed: int = 0) -> DBGAE:
    torch.manual_seed(seed)
    return DBGAE(settings, dimensions=2, names=3).double()


# group 0: face 0 with A, B (mentions 0, 1); group 1: face 1 with A (2); group 2: face 2 with A, C (3, 4)
POOLED = Problem.build(np.eye(3), [0, 1, 2], [["A", "B"], ["A"], ["A", "C"]], names=["A", "B", "C"])
POOLED_LINKS = Links(
    within_face=np.array([0, 0, 1, 2, 2]),
    within_mention=np.array([0, 1, 2, 3, 4]),
    within_weight=np.zeros(5),
    cross_face=np.array([0, 0, 0, 1]),
    cross_mention=np.array([2, 3, 4, 4]),
    cross_weight=np.zeros(4),
    cross_similarity=np.array([0.9, 0.5, 0.5, -1.0]),
    cross_neighbour=np.array([1, 2, 2, 2]),
)
