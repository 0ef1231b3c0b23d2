"""Our layers, dense matrices and PyTorch Geometric are three ways to the same numbers."""

import torch

from benchmarks.compared import largest_difference
from core.corrections import bind
from core.evaluation.generate import films
from core.problem import Problem
from core.solvers.dbgae.links import Distances, build_links
from core.solvers.dbgae.model import DBGAE
from core.solvers.dbgae.settings import Settings


def test_three_ways_give_the_same_embeddings_loss_and_gradients() -> None:
    problem, bound = bind(films(films=2, groups=25, names=8, dimensions=8, noise=0.5), [])
    links = build_links(problem, bound, Distances(pair=0.76, neighbour=0.8))
    assert len(links.cross_face) > 100
    torch.manual_seed(0)
    model = DBGAE(Settings(hidden=40, dense=12, features=5, attention=6), 8, 8)
    assert largest_difference(problem, links, model) < 1e-5


def test_a_face_that_hears_nothing_is_the_same_in_all_ways() -> None:
    problem, bound = bind(Problem.build([[1.0, 0], [0, 1], [1, 0.1]], [0, 1, 2], [["A"], [], ["A", "B"]], ["A", "B"]), [])
    links = build_links(problem, bound, Distances(pair=0.3, neighbour=0.3))
    torch.manual_seed(1)
    model = DBGAE(Settings(hidden=6, dense=4, features=3, attention=2), 2, 2)
    assert largest_difference(problem, links, model) < 1e-5
