"""Gradients of the autoencoder against finite differences."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from core.solvers.dbgae.model import DBGAE, Graph, Propagation
from core.solvers.dbgae.settings import Settings
from tests.core.solvers.dbgae.tiny_graph import TINY, graph_of, model_of


def check_gradients(module: nn.Module, output: Callable[[dict[str, Tensor]], Tensor]) -> None:
    """Against finite differences, for every parameter of ``module`` at once."""
    names = [name for name, _ in module.named_parameters()]
    values = tuple(p.detach().clone().requires_grad_() for p in module.parameters())
    assert torch.autograd.gradcheck(lambda *given: output(dict(zip(names, given, strict=True))), values)
    moved = torch.autograd.grad(output(dict(zip(names, values, strict=True))).sum(), values, allow_unused=True)
    assert all(gradient is not None and gradient.abs().sum() > 0 for gradient in moved)


@pytest.mark.parametrize("attend", [True, False])
def test_gradient_of_propagation(attend: bool) -> None:
    torch.manual_seed(2)
    module = Propagation(replace(TINY, attend=attend), dimensions=2, names=3).double()
    graph = graph_of()
    given = graph.x, graph.mention_name, graph.within_to_face, graph.within_to_mention

    def output(parameters: dict[str, Tensor]) -> Tensor:
        return torch.cat(torch.func.functional_call(module, parameters, given))

    check_gradients(module, output)
    x = graph.x.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: torch.cat(module(x, *given[1:])), x)


class Loss(nn.Module):
    """The whole way from the parameters to the loss as one module."""

    def __init__(self, model: DBGAE, graph: Graph) -> None:
        super().__init__()
        self.model, self.graph = model, graph

    def forward(self) -> Tensor:
        return self.model.loss(*self.model.encode(self.graph), self.graph)


@pytest.mark.parametrize("settings", [TINY, replace(TINY, attend=False), replace(TINY, bases=2)])
def test_gradient_of_the_loss(settings: Settings) -> None:
    module = Loss(model_of(replace(settings, dense=4, features=3)), graph_of())

    def output(parameters: dict[str, Tensor]) -> Tensor:
        return torch.func.functional_call(module, parameters, ())

    check_gradients(module, output)
