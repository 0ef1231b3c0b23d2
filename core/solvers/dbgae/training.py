"""Training the autoencoder on the links, cold or from the weights of an earlier run."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.problem import FloatArray, IntArray, Problem
from core.progress import Progress, silent
from core.solvers.dbgae.heap import kept
from core.solvers.dbgae.links import Links
from core.solvers.dbgae.model import DBGAE, Graph
from core.solvers.dbgae.settings import Settings
from core.solvers.dbgae.triplets import look_alikes, triplet_loss
from core.solvers.dbgae.warm_start import Round, Trained


class Autoencoder:
    """A DB-GAE in training: ``refine`` trains it on the links as they are and returns them decoded.

    With ``last`` each round starts from that run's weights and ends when its loss has settled.
    """

    def __init__(
        self,
        problem: Problem,
        settings: Settings,
        seed: int = 0,
        progress: Progress = silent,
        last: Trained | None = None,
    ) -> None:
        torch.manual_seed(seed)
        self.problem, self.place = _by_name(problem, settings)
        self.settings, self.progress, self.last = settings, progress, last
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = DBGAE(settings, problem.features.shape[1], len(problem.names)).to(self.device)
        self.optimizer = self._optimizer()
        self.mean = copy.deepcopy(self.model) if settings.average else self.model
        self.epochs = settings.epochs if last is None else settings.rerun_epochs
        self.rounds: list[Round] = []  # those that have ended

    def refine(self, links: Links) -> tuple[FloatArray, FloatArray]:
        """The decoded weights of the within-group and the cross-group links, after one round's share of the epochs."""
        links = replace(
            links, within_mention=self.place[links.within_mention], cross_mention=self.place[links.cross_mention]
        )
        graph = Graph.build(self.problem, links, self.settings, self.device)
        with kept():
            loss = self._train(graph, look_alikes(self.problem, links).to(self.device) if self.settings.triplet else None)
        model = self.mean.eval()
        self.rounds.append(Round({key: p.detach().cpu().numpy().copy() for key, p in model.named_parameters()}, loss))
        with torch.no_grad():
            u, v = model.encode(graph)
            cross_face, cross_mention = (
                torch.as_tensor(a, device=self.device) for a in (links.cross_face, links.cross_mention)
            )
            within = model.decode(u, v, graph.within_face, graph.within_mention)
            cross = model.decode(u, v, cross_face, cross_mention)
        return within.double().cpu().numpy(), cross.double().cpu().numpy()

    def _optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.model.parameters(), lr=self.settings.learning_rate, fused=True)

    def _train(self, graph: Graph, cluster: Tensor | None) -> float:
        """One round's epochs; returns the last one's loss."""
        share = self.epochs // self.settings.rounds
        past, loss, goal = share * len(self.rounds), np.inf, -np.inf
        if self.last is not None:
            self._take_up(self.last)
        self.model.train()
        for epoch in range(1, share + 1):
            self.optimizer.zero_grad(set_to_none=True)
            reached = self._loss(graph, cluster)
            loss = float(reached.detach())
            if self.last is not None and epoch == 1:
                goal = self.last.goal(len(self.rounds), loss, self.settings.tolerance)
            if loss <= goal:
                self.progress("autoencoder", past + share, self.epochs, loss)
                break
            torch.autograd.backward(reached)
            self.optimizer.step()
            self._average()
            self.progress("autoencoder", past + epoch, self.epochs, loss)
        return loss

    def _take_up(self, last: Trained) -> None:
        """The weights with which this round of ``last`` ended; of the optimizer nothing is kept."""
        last.load(len(self.rounds), self.model, self.problem.names)
        self.mean.load_state_dict(self.model.state_dict())
        self.optimizer = self._optimizer()

    @torch.no_grad()
    def _average(self) -> None:
        """Moves the average of the weights, by which links are decoded; without a decay it is the weights themselves."""
        if self.mean is self.model:
            return
        for mean, weight in zip(self.mean.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - self.settings.average)

    def _loss(self, graph: Graph, cluster: Tensor | None) -> Tensor:
        u, v = self.model.encode(graph)
        loss = self.model.loss(u, v, graph)
        if cluster is None:
            return loss
        margin = self.settings.margin
        alike = triplet_loss(u, cluster, margin) + triplet_loss(v, graph.mention_name, margin)
        return loss + self.settings.triplet * alike


def _by_name(problem: Problem, settings: Settings) -> tuple[Problem, IntArray]:
    """The problem with its mentions ordered by name, and where each mention went.

    Mentions of one name hear from the same faces, whose features then stay in the processor's cache. What is drawn by
    chance for each mention is drawn in the order of the captions, so there the order stays.
    """
    chance = settings.dropout or settings.triplet
    order = np.arange(problem.mentions) if chance else np.argsort(problem.mention_name, kind="stable")
    place = np.argsort(order)
    name, group = problem.mention_name[order], problem.mention_group[order]
    return replace(problem, mention_name=name, mention_group=group), place
