"""The triplet losses of the authors' code against a loop over triples."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from core import Problem
from core.corrections import bind
from core.solvers.dbgae.links import Distances, build_links
from core.solvers.dbgae.triplets import look_alikes, triplet_loss


def slow_triplet_loss(embedding: Tensor, label: list[int], margin: float) -> Tensor:
    """Face by face: each pair of one label against its semi-hard negative."""
    unit = [row / row.norm() for row in embedding]
    terms = []
    for i in range(len(label)):
        others = [(unit[i] - unit[k]).square().sum() for k in range(len(label)) if label[k] != label[i]]
        for j in range(len(label)):
            if i == j or label[i] != label[j] or not others:
                continue
            pair = (unit[i] - unit[j]).square().sum()
            farther = [other for other in others if other > pair]
            negative = min(farther) if farther else max(others)
            terms.append(F.relu(pair - negative + margin))
    return sum(terms) / len(terms) if terms else embedding.new_zeros(())


@pytest.mark.parametrize("seed", range(6))
def test_triplet_loss_triple_by_triple(seed: int) -> None:
    torch.manual_seed(seed)
    embedding = torch.randn(9, 3, dtype=torch.double)
    label = torch.randint(0, 4, (9,)).tolist()
    found = triplet_loss(embedding, torch.tensor(label), 0.2)
    assert found > 0
    torch.testing.assert_close(found, slow_triplet_loss(embedding, label, 0.2))


@pytest.mark.parametrize("label", [[0, 0, 0], [0, 1, 2], [0], [-1, -2, -3]])
def test_triplet_loss_without_triples_is_zero(label: list[int]) -> None:
    assert triplet_loss(torch.randn(len(label), 3), torch.tensor(label), 0.2) == 0


def test_triplet_loss_of_well_parted_labels_is_zero() -> None:
    embedding = torch.tensor([[1.0, 0], [1, 0.01], [0, 1], [0.01, 1]])
    assert triplet_loss(embedding, torch.tensor([0, 0, 1, 1]), 0.2) == 0
    assert triplet_loss(embedding, torch.tensor([0, 1, 0, 1]), 0.2) > 0.1


def test_a_negative_as_far_as_the_pair_is_not_farther() -> None:
    embedding = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0]])
    # pairs are 2 apart; the first and the last have a negative at 4, the others only at 2: losses 0, 0.2, 0.2, 0
    assert triplet_loss(embedding, torch.tensor([0, 0, 1, 1]), 0.2) == pytest.approx(0.1)


def test_gradient_of_triplet_loss() -> None:
    torch.manual_seed(0)
    embedding = torch.randn(6, 3, dtype=torch.double, requires_grad=True)
    label = torch.tensor([0, 0, 1, 1, 2, 0])
    assert torch.autograd.gradcheck(lambda e: triplet_loss(e, label, 0.2), embedding)


def test_triplet_loss_of_dead_embeddings_has_a_gradient() -> None:
    embedding = torch.zeros(4, 3, requires_grad=True)
    triplet_loss(embedding, torch.tensor([0, 0, 1, 1]), 0.2).backward()
    assert embedding.grad is not None
    assert torch.isfinite(embedding.grad).all()


def test_triplet_loss_samples_when_there_are_many() -> None:
    embedding, label = torch.randn(2000, 3), torch.randint(0, 5, (2000,))
    torch.manual_seed(0)
    once = triplet_loss(embedding, label, 0.2)
    torch.manual_seed(0)
    assert triplet_loss(embedding, label, 0.2) == once
    assert abs(once - triplet_loss(embedding, label, 0.2)) < 0.1


def test_look_alikes_are_joined_through_cross_links() -> None:
    problem = Problem.build(np.eye(6), [0, 1, 2, 3, 4, 5], [["A"], ["A"], ["A"], [], ["B"], ["B"]], names=["A", "B"])
    links = build_links(*bind(problem, []), Distances(pair=1.0, neighbour=1.0))
    links = replace(links, cross_face=np.array([0, 1, 4]), cross_neighbour=np.array([1, 2, 5]))
    cluster = look_alikes(problem, links).tolist()
    assert cluster[0] == cluster[1] == cluster[2] >= 0
    assert cluster[4] == cluster[5] >= 0
    assert cluster[0] != cluster[4]
    assert cluster[3] < 0
