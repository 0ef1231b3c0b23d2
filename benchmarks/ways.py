"""The autoencoder's layers written in two other ways, with the same weights: what a comparison needs.

``Dense`` is the paper's formulas on whole adjacency matrices; ``Geometric`` is PyTorch Geometric's message passing, one
message a link. Both take the weights of our model and give the same U, V and loss.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import softmax

from core.problem import Problem
from core.solvers.dbgae.links import Links
from core.solvers.dbgae.model import DBGAE, Attention, Propagation


@dataclass(frozen=True, eq=False)
class Edges:
    """The links of one graph."""

    face: Tensor
    mention: Tensor
    weight: Tensor


class Plain(nn.Module, ABC):
    """What both ways share: equations 5, 6, 12 and 14 as they stand in the paper, over mentions with one-hot features."""

    def __init__(self, model: DBGAE, problem: Problem, links: Links) -> None:
        super().__init__()
        self.model = model
        self.x = torch.as_tensor(problem.features)
        self.name = F.one_hot(torch.as_tensor(problem.mention_name), len(problem.names)).float()
        self.within = _edges(links.within_face, links.within_mention, links.within_weight)
        self.cross = _edges(links.cross_face, links.cross_mention, links.cross_weight)
        self.level = (self.within.weight * (model.settings.levels - 1)).round().long()

    def encode(self) -> tuple[Tensor, Tensor]:
        m = self.model
        within_face, within_mention = self.propagate(m.within, self.within)
        cross_face, cross_mention = self.propagate(m.cross, self.cross)
        f, n = F.relu(m.f(self.x)), F.relu(self.name @ m.n + m.n_bias)
        u = F.relu(torch.cat([within_face, cross_face, f], 1) @ m.u)
        return u, F.relu(torch.cat([within_mention, cross_mention, n], 1) @ m.v)

    def forward(self) -> Tensor:
        u, v = self.encode()
        scores = torch.einsum("lu,ruv,lv->lr", u[self.within.face], self.model.q, v[self.within.mention])
        return F.cross_entropy(scores, self.level)

    @abstractmethod
    def propagate(self, layer: Propagation, edges: Edges) -> tuple[Tensor, Tensor]:
        """h of the faces and of the mentions, equations 3, 4 and 7 to 11."""

    def terms(self, attention: Attention) -> tuple[Tensor, Tensor]:
        """What each face and each mention adds to e of equation 7, one column a head."""
        face = (self.x @ attention.face).view(len(self.x), attention.heads, -1)
        mention = (self.name @ attention.name).view(len(self.name), attention.heads, -1)
        return (face * attention.a_face).sum(2), (mention * attention.a_name).sum(2)


class Dense(Plain):
    """Adjacency matrices of faces × mentions, masked."""

    def propagate(self, layer: Propagation, edges: Edges) -> tuple[Tensor, Tensor]:
        shape = len(self.x), len(self.name)
        weight, linked = torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)
        weight[edges.face, edges.mention] = edges.weight
        linked[edges.face, edges.mention] = True
        assert layer.to_face is not None
        assert layer.to_mention is not None
        to_face = self.alpha(layer.to_face, linked, 1) * weight
        to_mention = self.alpha(layer.to_mention, linked, 0) * weight
        return F.relu(to_face @ (self.name @ layer.from_names)), F.relu(to_mention.T @ (self.x @ layer.from_faces))

    def alpha(self, attention: Attention, linked: Tensor, over: int) -> Tensor:
        face, mention = self.terms(attention)
        e = F.leaky_relu(face[:, None] + mention[None], 0.2).masked_fill(~linked[:, :, None], -torch.inf)
        return e.softmax(over).nan_to_num().mean(2)  # a node without links has nothing to share out


class Geometric(Plain):
    """PyTorch Geometric: every link carries a message of the hidden layer's size."""

    def __init__(self, model: DBGAE, problem: Problem, links: Links) -> None:
        super().__init__(model, problem, links)
        self.heard = Heard()

    def propagate(self, layer: Propagation, edges: Edges) -> tuple[Tensor, Tensor]:
        assert layer.to_face is not None
        assert layer.to_mention is not None
        to_face = self.alpha(layer.to_face, edges, edges.face, len(self.x)) * edges.weight
        to_mention = self.alpha(layer.to_mention, edges, edges.mention, len(self.name)) * edges.weight
        from_names, from_faces = self.name @ layer.from_names, self.x @ layer.from_faces
        h_face = self.heard(from_names, torch.stack([edges.mention, edges.face]), to_face, len(self.x))
        h_mention = self.heard(from_faces, torch.stack([edges.face, edges.mention]), to_mention, len(self.name))
        return F.relu(h_face), F.relu(h_mention)

    def alpha(self, attention: Attention, edges: Edges, receiver: Tensor, receivers: int) -> Tensor:
        face, mention = self.terms(attention)
        e = F.leaky_relu(face[edges.face] + mention[edges.mention], 0.2)
        shares: Tensor = softmax(e, receiver, num_nodes=receivers)
        return shares.mean(1)


class Heard(MessagePassing):  # type: ignore[misc]
    """The sum of the senders' rows, each times its strength."""

    def __init__(self) -> None:
        super().__init__(aggr="add")

    def forward(self, sender: Tensor, links: Tensor, strength: Tensor, receivers: int) -> Tensor:
        found: Tensor = self.propagate(links, x=(sender, None), strength=strength, size=(len(sender), receivers))
        return found

    def message(self, x_j: Tensor, strength: Tensor) -> Tensor:
        return strength[:, None] * x_j


class Ours(nn.Module):
    """Our own model on its own graph, to be called like the others."""

    def __init__(self, model: DBGAE, problem: Problem, links: Links) -> None:
        from core.solvers.dbgae.model import Graph

        super().__init__()
        self.model = model
        self.graph = Graph.build(problem, links, model.settings, torch.device("cpu"))

    def encode(self) -> tuple[Tensor, Tensor]:
        return self.model.encode(self.graph)

    def forward(self) -> Tensor:
        return self.model.loss(*self.encode(), self.graph)


WAYS = {"ours": Ours, "dense": Dense, "geometric": Geometric}


def _edges(face: object, mention: object, weight: object) -> Edges:
    return Edges(torch.as_tensor(face), torch.as_tensor(mention), torch.as_tensor(weight).float())
