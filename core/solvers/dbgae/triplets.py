"""The authors' extra losses, which their paper does not mention: one cluster's faces together, one name's mentions too."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from core.problem import Problem
from core.solvers.dbgae.links import Links

TRIPLETS = 512  # nodes that one triplet loss looks at


def look_alikes(problem: Problem, links: Links) -> Tensor:
    """Which faces form one cluster through their cross-group links; a face without any has a negative number of its own."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(links.cross_face), dtype=np.int8)
    graph = coo_array((ones, (links.cross_face, links.cross_neighbour)), shape=(problem.faces, problem.faces))
    _, cluster = connected_components(graph, directed=False)
    alone = np.bincount(cluster)[cluster] == 1
    return torch.as_tensor(np.where(alone, -1 - np.arange(problem.faces), cluster).astype(np.int64))


def triplet_loss(embedding: Tensor, label: Tensor, margin: float) -> Tensor:
    """The authors' extra loss: embeddings of one label nearer than of another, with semi-hard negatives.

    For each pair of one label: the nearest other label that is farther than the pair, else the farthest there is.
    """
    if len(embedding) > TRIPLETS:
        pick = torch.randperm(len(embedding), device=embedding.device)[:TRIPLETS]
        embedding, label = embedding[pick], label[pick]
    unit = F.normalize(embedding, dim=1)
    distance = (2 - 2 * unit @ unit.T).clamp_min(0)
    same = label[:, None] == label[None, :]
    positive = same & ~torch.eye(len(label), dtype=torch.bool, device=label.device)
    other, order = distance.detach().masked_fill(same, torch.inf).sort(1)
    count = (~same).sum(1, keepdim=True)
    place = torch.searchsorted(other, distance.detach(), right=True)
    place = torch.minimum(place, count - 1).clamp_min(0)
    negative = distance.gather(1, order.gather(1, place))
    use = positive & (count > 0)
    return (F.relu(distance - negative + margin) * use).sum() / use.sum().clamp_min(1)
