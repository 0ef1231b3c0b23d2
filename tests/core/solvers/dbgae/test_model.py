"""The autoencoder against plain loops over links, written straight from the paper's equations, on graphs of three faces."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from core.solvers.dbgae import model as dbgae
from core.solvers.dbgae.messages import Messages
from core.solvers.dbgae.model import DBGAE, Attention, Graph, Propagation
from tests.core.solvers.dbgae.tiny_graph import CPU, CROSS, LINKS, NAME, PROBLEM, TINY, WITHIN, graph_of, model_of, widened

# --- The equations, link by link ---------------------------------------------------------------------------------------


def energy(attention: Attention, head: int, x: Tensor, name: int) -> Tensor:
    """Equation 7 for one head, one face and one mention."""
    size = attention.a_face.shape[1]
    part = slice(head * size, (head + 1) * size)
    w_x = x @ attention.face[:, part]
    w_l = F.one_hot(torch.tensor(name), len(attention.name)).double() @ attention.name[:, part]
    return F.leaky_relu(attention.a_face[head] @ w_x + attention.a_name[head] @ w_l, 0.2)


def softmax(values: list[Tensor]) -> list[Tensor]:
    """Equation 8 over the neighbours of one node."""
    total = sum(torch.exp(value) for value in values)
    return [torch.exp(value) / total for value in values]


def heard(
    attention: Attention | None, mine: list[tuple[int, int, float]], x: Tensor, message: Callable[[int, int], Tensor]
) -> Tensor:
    """Equations 4, 9 and 10 (or 3 without attention): what one node takes in over its own links."""
    if attention is None:
        return F.relu(sum(weight * message(face, mention) for face, mention, weight in mine))
    heads = []
    for head in range(attention.heads):
        alpha = softmax([energy(attention, head, x[face], NAME[mention]) for face, mention, _ in mine])
        heads.append(sum(a * w * message(i, j) for a, (i, j, w) in zip(alpha, mine, strict=True)))
    return F.relu(sum(heads) / attention.heads)


def propagated(module: Propagation, x: Tensor, links: list[tuple[int, int, float]]) -> tuple[Tensor, Tensor]:
    """h of the three faces and the five mentions."""
    zero = torch.zeros(module.from_names.shape[1], dtype=torch.double)

    def from_mention(face: int, mention: int) -> Tensor:
        return F.one_hot(torch.tensor(NAME[mention]), 3).double() @ module.from_names

    def from_face(face: int, mention: int) -> Tensor:
        return x[face] @ module.from_faces

    faces, mentions = [], []
    for i in range(3):
        mine = [link for link in links if link[0] == i]
        faces.append(heard(module.to_face, mine, x, from_mention) if mine else zero)
    for j in range(5):
        mine = [link for link in links if link[1] == j]
        mentions.append(heard(module.to_mention, mine, x, from_face) if mine else zero)
    return torch.stack(faces), torch.stack(mentions)


def encoded(model: DBGAE, x: Tensor) -> tuple[Tensor, Tensor]:
    """Equations 5 and 6."""
    within_face, within_mention = propagated(model.within, x, WITHIN)
    cross_face, cross_mention = propagated(model.cross, x, CROSS)
    u, v = [], []
    for i in range(3):
        f = F.relu(model.f.weight @ x[i] + model.f.bias)
        u.append(F.relu(torch.cat([within_face[i], cross_face[i], f]) @ model.u))
    for j in range(5):
        n = F.relu(F.one_hot(torch.tensor(NAME[j]), 3).double() @ model.n + model.n_bias)
        v.append(F.relu(torch.cat([within_mention[j], cross_mention[j], n]) @ model.v))
    return torch.stack(u), torch.stack(v)


def level_probabilities(model: DBGAE, u: Tensor, v: Tensor) -> Tensor:
    """Equation 12 for one face and one mention."""
    if model.mix is None:
        matrices = list(model.q)
    else:
        matrices = [sum(model.mix[r, b] * model.q[b] for b in range(len(model.q))) for r in range(model.settings.levels)]
    return torch.stack(softmax([u @ q @ v for q in matrices]))


# --- The graph ---------------------------------------------------------------------------------------------------------


def test_the_graph_puts_weights_on_five_levels() -> None:
    weights = np.array([0.0, 0.124, 0.13, 0.37, 0.38, 1.0])
    graph = Graph.build(PROBLEM, replace(LINKS, within_weight=weights), TINY, CPU)
    assert graph.within_level.tolist() == [0, 0, 1, 1, 2, 4]
    graph = Graph.build(PROBLEM, replace(LINKS, within_weight=weights), replace(TINY, levels=3), CPU)
    assert graph.within_level.tolist() == [0, 0, 0, 1, 1, 2]


def test_the_graph_sums_mentions_of_one_name_for_faces_only() -> None:
    graph = graph_of()
    assert graph.cross_to_face.receiver.tolist() == [0, 0, 1]
    assert graph.cross_to_face.sender.tolist() == [0, 2, 0]  # names A and C to face 0, A to face 1
    assert graph.cross_to_face.count.tolist() == [2, 1, 1]
    np.testing.assert_allclose(graph.cross_to_face.weight, [1.2, 0.3, 0.7], atol=1e-6)
    assert graph.cross_to_mention.receiver.tolist() == [2, 2, 3, 4]
    assert graph.cross_to_mention.sender.tolist() == [0, 1, 0, 0]


def test_without_the_dual_graph_all_links_are_of_one_kind() -> None:
    graph = graph_of(replace(TINY, dual=False))
    assert len(graph.cross_to_face.sender) == len(graph.cross_to_mention.sender) == 0
    assert len(graph.within_to_mention.sender) == len(WITHIN) + len(CROSS)
    assert graph.within_face.tolist() == LINKS.within_face.tolist()  # the loss still sees within-group links only
    np.testing.assert_allclose(graph.within_to_face.weight.sum(), sum(w for *_, w in WITHIN + CROSS), rtol=1e-6)


# --- Attention and propagation -----------------------------------------------------------------------------------------


def test_attention_by_hand() -> None:
    torch.manual_seed(0)
    attention = Attention(TINY, dimensions=2, names=3).double()
    graph = graph_of()
    face, name = attention.parts()
    alpha = attention(graph.cross_to_face, graph.x @ face, name)
    for face, mine in ((0, [0, 2, 0]), (1, [0])):  # the names of the links of the face
        by_head = [softmax([energy(attention, k, graph.x[face], name) for name in mine]) for k in range(2)]
        for place, name in enumerate(mine):
            at = (graph.cross_to_face.receiver == face) & (graph.cross_to_face.sender == name)
            torch.testing.assert_close(alpha[at][0], (by_head[0][place] + by_head[1][place]) / 2)


@pytest.mark.parametrize("attend", [True, False])
@pytest.mark.parametrize("kind", ["within", "cross"])
def test_propagation_link_by_link(attend: bool, kind: str) -> None:
    torch.manual_seed(1)
    module = Propagation(replace(TINY, attend=attend), dimensions=2, names=3).double()
    graph = graph_of()
    ways = getattr(graph, f"{kind}_to_face"), getattr(graph, f"{kind}_to_mention")
    h_face, h_mention = module(graph.x, graph.mention_name, *ways)
    face, mention = propagated(module, graph.x, WITHIN if kind == "within" else CROSS)
    torch.testing.assert_close(h_face, face, rtol=1e-6, atol=1e-8)  # link weights pass through float32
    torch.testing.assert_close(h_mention, mention, rtol=1e-6, atol=1e-8)
    assert (h_face > 0).any()
    assert (h_mention > 0).any()


def test_without_links_nothing_is_heard() -> None:
    torch.manual_seed(0)
    module = Propagation(TINY, dimensions=2, names=3).double()
    none = np.zeros(0, dtype=np.int64)
    empty = [widened(Messages.gather(none, none, np.zeros(0), many, CPU)) for many in (3, 5)]
    h_face, h_mention = module(graph_of().x, torch.tensor(NAME), *empty)
    assert h_face.tolist() == [[0.0] * 4] * 3
    assert h_mention.tolist() == [[0.0] * 4] * 5


# --- Encoder, decoder, loss ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attend", [True, False])
def test_encode_link_by_link(attend: bool) -> None:
    model = model_of(replace(TINY, attend=attend))
    graph = graph_of()
    u, v = model.encode(graph)
    expected_u, expected_v = encoded(model, graph.x)
    torch.testing.assert_close(u, expected_u, rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(v, expected_v, rtol=1e-6, atol=1e-8)
    assert (u > 0).any()
    assert (v > 0).any()


def test_the_two_graphs_have_weights_of_their_own() -> None:
    model = model_of()
    assert not torch.equal(model.within.from_names, model.cross.from_names)
    assert {id(p) for p in model.within.parameters()}.isdisjoint(id(p) for p in model.cross.parameters())


@pytest.mark.parametrize("bases", [0, 2])
def test_decode_link_by_link(bases: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dbgae, "DECODE_BLOCK", 2)
    model = model_of(replace(TINY, bases=bases)).float()
    u, v = torch.randn(3, 3), torch.randn(5, 3)
    face, mention = torch.tensor([0, 0, 1, 2, 2]), torch.tensor([0, 4, 1, 3, 3])
    weight = model.decode(u, v, face, mention)
    probability = model.level_scores(u, v, face, mention).softmax(1)
    assert probability.shape == (5, 5)
    for link in range(5):
        expected = level_probabilities(model, u[face[link]], v[mention[link]])
        torch.testing.assert_close(probability[link], expected)
        torch.testing.assert_close(weight[link], sum(r / 4 * expected[r] for r in range(5)))
    assert weight[3] == weight[4]
    assert weight[0] != weight[1]


def test_decoding_no_links_gives_none() -> None:
    none = torch.zeros(0, dtype=torch.int64)
    assert model_of().decode(torch.ones(3, 3), torch.ones(5, 3), none, none).shape == (0,)


def test_decoded_weights_lie_between_0_and_1() -> None:
    model = model_of().float()
    weight = model.decode(100 * torch.randn(3, 3), torch.randn(5, 3), torch.arange(3), torch.arange(3))
    assert ((weight >= 0) & (weight <= 1)).all()


@pytest.mark.parametrize("bases", [0, 2])
def test_loss_is_the_mean_negative_log_likelihood_of_the_within_links(bases: int) -> None:
    model = model_of(replace(TINY, bases=bases))
    graph = graph_of()
    u, v = model.encode(graph)
    level = [2, 1, 0, 4, 4, 1]  # of 0.5, 0.2, 0.1, 0.9, 1 and 0.3
    terms = [-torch.log(level_probabilities(model, u[i], v[j])[r]) for (i, j, _), r in zip(WITHIN, level, strict=True)]
    torch.testing.assert_close(model.loss(u, v, graph), sum(terms) / 6)


def test_cross_weights_are_no_targets() -> None:
    model = model_of()
    graph, other = graph_of(), graph_of(links=replace(LINKS, cross_weight=LINKS.cross_weight / 2))
    u, v = torch.ones(3, 3, dtype=torch.double), torch.ones(5, 3, dtype=torch.double)
    assert model.loss(u, v, graph) == model.loss(u, v, other)
