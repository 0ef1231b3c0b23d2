"""Messages along the links of a graph: who hears from whom, and how much each sender matters to its receiver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from core.problem import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Messages:
    """Who hears from whom in one graph and one direction, ordered by receiver.

    ``count`` links with the total weight ``weight`` lead from ``sender`` to ``receiver``.
    """

    receiver: Tensor
    sender: Tensor
    count: Tensor
    weight: Tensor
    start: Tensor  # where each receiver's messages begin
    length: Tensor  # how many it gets

    @staticmethod
    def gather(receiver: IntArray, sender: IntArray, weight: FloatArray, receivers: int, device: torch.device) -> Messages:
        width = int(sender.max()) + 1 if len(sender) else 1
        key, place, count = np.unique(receiver * width + sender, return_inverse=True, return_counts=True)
        total = np.bincount(place, weight, minlength=len(key))
        length = np.bincount(key // width, minlength=receivers)

        def tensor(values: FloatArray | IntArray) -> Tensor:
            kind = torch.float32 if values.dtype.kind == "f" else torch.int64
            return torch.as_tensor(values, dtype=kind, device=device)

        return Messages(
            receiver=tensor(key // width),
            sender=tensor(key % width),
            count=tensor(count.astype(np.float32)),
            weight=tensor(total),
            start=tensor(np.cumsum(length) - length),
            length=tensor(length),
        )

    def collect(self, strength: Tensor, table: Tensor) -> Tensor:
        """For each receiver the sum of its senders' rows of ``table``, each times its ``strength``."""
        if not len(self.sender):
            return table.new_zeros(len(self.start), table.shape[1])
        return F.embedding_bag(self.sender, table, self.start, per_sample_weights=strength, mode="sum")


def masked_softmax(e: Tensor, messages: Messages) -> Tensor:
    """Equation 8: the softmax over each receiver's links; ``count`` links share one e."""
    found: Tensor = _MaskedSoftmax.apply(e, messages.count, messages.receiver, messages.length)  # type: ignore[no-untyped-call]
    return found


class _MaskedSoftmax(torch.autograd.Function):
    """Its gradient by hand: a table of millions of links is then passed over a few times instead of a dozen."""

    @staticmethod
    def forward(ctx: Any, e: Tensor, count: Tensor, receiver: Tensor, length: Tensor) -> Tensor:
        top = torch.segment_reduce(e, "max", lengths=length, axis=0, initial=-1e30)
        share = torch.sub(e, top.index_select(0, receiver)).exp_()
        total = torch.segment_reduce(share * count[:, None], "sum", lengths=length, axis=0)
        alpha = share.div_(total.index_select(0, receiver))
        ctx.save_for_backward(alpha, count, receiver, length)
        return alpha

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        alpha, count, receiver, length = ctx.saved_tensors
        own = gradient * alpha
        others = torch.segment_reduce(own, "sum", lengths=length, axis=0).index_select(0, receiver)
        return own.addcmul_(others.mul_(count[:, None]), alpha, value=-1), None, None, None
