"""Messages along links: gathered, summed, and attended to."""

import numpy as np
import torch

from core.solvers.dbgae.messages import Messages, masked_softmax
from tests.core.solvers.dbgae.tiny_graph import CPU, graph_of, widened


def test_gather_sums_the_links_from_one_sender_to_one_receiver() -> None:
    receiver, sender = np.array([2, 0, 0, 2, 0]), np.array([1, 3, 1, 1, 3])
    messages = Messages.gather(receiver, sender, np.array([0.5, 0.25, 1.0, 0.125, 0.5]), receivers=4, device=CPU)
    assert messages.receiver.tolist() == [0, 0, 2]
    assert messages.sender.tolist() == [1, 3, 1]
    assert messages.count.tolist() == [1, 2, 2]
    assert messages.weight.tolist() == [1.0, 0.75, 0.625]
    assert messages.start.tolist() == [0, 2, 2, 3]
    assert messages.length.tolist() == [2, 0, 1, 0]


def test_gather_of_nothing() -> None:
    none = np.zeros(0, dtype=np.int64)
    messages = Messages.gather(none, none, np.zeros(0), receivers=3, device=CPU)
    assert messages.length.tolist() == [0, 0, 0]
    assert messages.collect(messages.weight, torch.ones(2, 4)).tolist() == [[0.0] * 4] * 3


def test_collect_sums_the_senders_rows_by_strength() -> None:
    messages = Messages.gather(np.array([0, 0, 2]), np.array([1, 0, 1]), np.ones(3), receivers=3, device=CPU)
    table = torch.tensor([[1.0, 10.0], [2.0, 20.0]])
    collected = messages.collect(torch.tensor([0.5, 3.0, 4.0]), table)  # from 0 and 1 to 0, from 1 to 2
    assert collected.tolist() == [[0.5 + 6, 5 + 60], [0, 0], [8, 80]]


def test_masked_softmax_by_hand() -> None:
    messages = widened(Messages.gather(np.array([0, 0, 0, 2]), np.array([0, 1, 1, 0]), np.ones(4), 3, CPU))
    e = torch.tensor([[1.0, 0.0], [2.0, -700.0], [5.0, 800.0]], dtype=torch.double)
    alpha = masked_softmax(e, messages)
    # receiver 0 has one link with e = 1 and two with e = 2; receiver 1 none; receiver 2 one
    total = np.exp(1) + 2 * np.exp(2)
    np.testing.assert_allclose(alpha[:, 0], [np.exp(1) / total, np.exp(2) / total, 1], rtol=1e-12)
    np.testing.assert_allclose(alpha[:, 1], [1, 0, 1], atol=1e-300)


def test_masked_softmax_sums_to_1_for_each_receiver_however_large() -> None:
    rng = np.random.default_rng(0)
    messages = widened(Messages.gather(rng.integers(6, size=40), rng.integers(5, size=40), np.ones(40), 8, CPU))
    alpha = masked_softmax(torch.as_tensor(1e4 * rng.normal(size=(len(messages.sender), 3))), messages)
    total = torch.zeros(8, 3, dtype=torch.double).index_add(0, messages.receiver, alpha * messages.count[:, None])
    np.testing.assert_allclose(total[messages.length > 0], 1, rtol=1e-12)
    assert (total[messages.length == 0] == 0).all()


def test_gradient_of_masked_softmax() -> None:
    messages = widened(Messages.gather(np.array([0, 0, 0, 2]), np.array([0, 1, 1, 0]), np.ones(4), 3, CPU))
    e = torch.randn(3, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda e: masked_softmax(e, messages), e)


def test_gradient_of_collect() -> None:
    messages = graph_of().cross_to_face
    strength = torch.rand(3, dtype=torch.double, requires_grad=True)
    table = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(messages.collect, (strength, table))
