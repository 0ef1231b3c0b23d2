"""The Dual Bipartite Graph Autoencoder: encode faces and mentions over their links, attend, decode the links anew.

Equation numbers are those of "General Partial Label Learning via Dual Bipartite Graph Autoencoder" (AAAI 2020).
Mentions carry the one-hot of their name, so every product with a mention's feature is a look-up in a table, and what a face
hears from several mentions of one name is summed before it is sent: the same numbers, far fewer of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.arrays import chunks
from core.problem import FloatArray, IntArray, Problem
from core.solvers.dbgae.links import Links
from core.solvers.dbgae.messages import Messages, masked_softmax
from core.solvers.dbgae.settings import Settings

DECODE_BLOCK = 65_536  # links decoded at once


class Attention(nn.Module):
    """Equations 7 and 8: how much each sender matters to its receiver, averaged over the heads.

    ``e = a(W_a x, W_a l)`` with ``a`` one layer and a leaky ReLU, then a softmax over the receiver's own senders.
    """

    def __init__(self, settings: Settings, dimensions: int, names: int) -> None:
        super().__init__()
        width = settings.heads * settings.attention
        self.heads = settings.heads
        self.face = nn.Parameter(_glorot(dimensions, width))
        self.name = nn.Parameter(_glorot(names, width))
        self.a_face = nn.Parameter(_glorot(settings.heads, settings.attention))
        self.a_name = nn.Parameter(_glorot(settings.heads, settings.attention))

    def parts(self) -> tuple[Tensor, Tensor]:
        """What a face's features and what a name adds to ``e``, one column a head: W_a and ``a`` multiplied out."""
        face = self.face.view(len(self.face), self.heads, -1)
        name = self.name.view(len(self.name), self.heads, -1)
        return (face * self.a_face).sum(2), (name * self.a_name).sum(2)

    def forward(self, messages: Messages, receiver: Tensor, sender: Tensor) -> Tensor:
        """alpha of every message, the mean of the heads, from what the two sides add."""
        e = F.leaky_relu(receiver[messages.receiver] + sender[messages.sender], 0.2)
        return masked_softmax(e, messages).mean(1)


class Propagation(nn.Module):
    """One of the two graphs (within-group or cross-group): messages both ways, equations 3, 4 and 9 to 11."""

    def __init__(self, settings: Settings, dimensions: int, names: int) -> None:
        super().__init__()
        self.from_names = nn.Parameter(_glorot(names, settings.hidden))  # W l_j is a row of this table
        self.from_faces = nn.Parameter(_glorot(dimensions, settings.hidden))
        self.to_face = Attention(settings, dimensions, names) if settings.attend else None
        self.to_mention = Attention(settings, dimensions, names) if settings.attend else None

    def forward(self, x: Tensor, mention_name: Tensor, to_face: Messages, to_mention: Messages) -> tuple[Tensor, Tensor]:
        """h of the faces and h of the mentions."""
        face_strength, mention_strength = to_face.weight, to_mention.weight
        if self.to_face is not None and self.to_mention is not None:
            (face_here, name_here), (face_there, name_there) = self.to_face.parts(), self.to_mention.parts()
            here, there = (x @ torch.cat([face_here, face_there], 1)).chunk(2, 1)
            face_strength = face_strength * self.to_face(to_face, here, name_here)
            mention_strength = mention_strength * self.to_mention(to_mention, name_there[mention_name], there)
        h_face = F.relu_(to_face.collect(face_strength, self.from_names))
        # W (sum of x) = sum of W x: faces are summed first, in their own, smaller dimension
        h_mention = F.relu_(to_mention.collect(mention_strength, x) @ self.from_faces)
        return h_face, h_mention


class DBGAE(nn.Module):
    """The autoencoder. ``encode`` is equations 2 to 11, ``decode`` equations 12 and 13."""

    def __init__(self, settings: Settings, dimensions: int, names: int) -> None:
        super().__init__()
        self.settings = settings
        self.within = Propagation(settings, dimensions, names)
        self.cross = Propagation(settings, dimensions, names)
        self.f = nn.Linear(dimensions, settings.features)
        self.n = nn.Parameter(_glorot(names, settings.features))
        self.n_bias = nn.Parameter(torch.zeros(settings.features))
        width = 2 * settings.hidden + settings.features
        self.u = nn.Parameter(_glorot(width, settings.dense))
        self.v = nn.Parameter(_glorot(width, settings.dense))
        matrices = settings.bases or settings.levels
        self.q = nn.Parameter(torch.stack([_glorot(settings.dense, settings.dense) for _ in range(matrices)]))
        self.mix = nn.Parameter(_glorot(settings.levels, settings.bases)) if settings.bases else None

    def encode(self, graph: Graph) -> tuple[Tensor, Tensor]:
        """U and V, equations 5 and 6: both graphs' messages beside the node's own features f_i and n_j."""
        x, name = graph.x, graph.mention_name
        within_face, within_mention = self.within(x, name, graph.within_to_face, graph.within_to_mention)
        cross_face, cross_mention = self.cross(x, name, graph.cross_to_face, graph.cross_to_mention)
        f = F.relu(self.f(x))
        n = F.relu(self.n + self.n_bias)[name]
        return self._embed(self.u, within_face, cross_face, f), self._embed(self.v, within_mention, cross_mention, n)

    def _embed(self, w: Tensor, *parts: Tensor) -> Tensor:
        """sigma(W [h_within; h_cross; f]): W is cut, so that the parts need not be joined into one large table."""
        widths = [part.shape[1] for part in parts]
        if self.training and self.settings.dropout:
            drop = F.dropout(parts[0].new_ones(len(parts[0]), sum(widths)), self.settings.dropout)
            parts = tuple(part * kept for part, kept in zip(parts, torch.split(drop, widths, 1), strict=True))
        within, cross, own = torch.split(w, widths)
        return F.relu_(torch.addmm(torch.addmm(parts[2] @ own, parts[1], cross), parts[0], within))

    def level_scores(self, u: Tensor, v: Tensor, face: Tensor, mention: Tensor) -> Tensor:
        """u_i Q_r v_j for every given link and level, before the softmax of equation 12."""
        left = (u @ self.q).transpose(0, 1)  # faces × matrices × dense
        score = torch.bmm(left[face], v[mention][:, :, None]).squeeze(2)
        return score if self.mix is None else score @ self.mix.T

    def decode(self, u: Tensor, v: Tensor, face: Tensor, mention: Tensor) -> Tensor:
        """Equations 12 and 13: the expected weight of every given link."""
        level = torch.linspace(0, 1, self.settings.levels, device=u.device)
        parts = [
            self.level_scores(u, v, face[part], mention[part]).softmax(1) @ level
            for part in chunks(len(face), cells=DECODE_BLOCK)
        ]
        return torch.cat(parts) if parts else u.new_zeros(0)

    def loss(self, u: Tensor, v: Tensor, graph: Graph) -> Tensor:
        """Equation 14: negative log-likelihood over the within-group links only (their mean)."""
        scores = self.level_scores(u, v, graph.within_face, graph.within_mention)
        return F.cross_entropy(scores, graph.within_level)


@dataclass(frozen=True, eq=False)
class Graph:
    """A problem and its links as the tensors that the autoencoder reads."""

    x: Tensor
    mention_name: Tensor
    within_face: Tensor
    within_mention: Tensor
    within_level: Tensor
    within_to_face: Messages
    within_to_mention: Messages
    cross_to_face: Messages
    cross_to_mention: Messages

    @staticmethod
    def build(problem: Problem, links: Links, settings: Settings, device: torch.device) -> Graph:
        name, faces, mentions = problem.mention_name, problem.faces, problem.mentions
        within = (links.within_face, links.within_mention, links.within_weight)
        cross = (links.cross_face, links.cross_mention, links.cross_weight)
        if not settings.dual:  # one graph: all links are of one kind
            within = (np.r_[within[0], cross[0]], np.r_[within[1], cross[1]], np.r_[within[2], cross[2]])
            cross = (cross[0][:0], cross[1][:0], cross[2][:0])

        def both_ways(face: IntArray, mention: IntArray, weight: FloatArray) -> tuple[Messages, Messages]:
            return (
                Messages.gather(face, name[mention], weight, faces, device),
                Messages.gather(mention, face, weight, mentions, device),
            )

        level = np.rint(links.within_weight * (settings.levels - 1)).astype(np.int64)
        within_to_face, within_to_mention = both_ways(*within)
        cross_to_face, cross_to_mention = both_ways(*cross)
        return Graph(
            x=torch.as_tensor(problem.features, device=device),
            mention_name=torch.as_tensor(name, device=device),
            within_face=torch.as_tensor(links.within_face, device=device),
            within_mention=torch.as_tensor(links.within_mention, device=device),
            within_level=torch.as_tensor(level, device=device),
            within_to_face=within_to_face,
            within_to_mention=within_to_mention,
            cross_to_face=cross_to_face,
            cross_to_mention=cross_to_mention,
        )


def _glorot(rows: int, columns: int) -> Tensor:
    return nn.init.xavier_uniform_(torch.empty(rows, columns))
