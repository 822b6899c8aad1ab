"""The network by which AbMILP scores tokens, for many heads at once: the one part of probing that costs much.

With one hidden layer, gradients are worked out by hand: all of them follow from one product of the tokens with where
the hidden layer is on. On a GPU the hidden layer is kept in 16 bits; sums have 32.
"""

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor


def hidden_scores(tokens: Tensor, hidden: Sequence[tuple[Tensor, Tensor]], last: Tensor) -> Tensor:
    """Scores of tokens: groups, pictures, heads of a group, tokens.

    `tokens` are groups, pictures, tokens, width. `hidden` holds weights (groups, heads, width, width) and biases of the
    hidden layers, `last` the weights (groups, heads, width) of the last one.
    """
    if len(hidden) == 1:
        parts = zip(tokens.flatten(1, 2), *hidden[0], last, strict=True)
        scored = torch.stack([cast("Tensor", cast("Any", _OneHidden).apply(*part)) for part in parts])
    else:
        values = tokens[:, None].expand(-1, last.shape[1], -1, -1, -1).flatten(2, 3)
        for weight, bias in hidden:
            values = torch.relu(values @ weight.transpose(-1, -2) + bias[:, :, None])
        scored = (values @ last[..., None])[..., 0]
    return scored.reshape(*last.shape[:2], *tokens.shape[1:3]).transpose(1, 2)


class _OneHidden(torch.autograd.Function):
    """`last · relu(weight · token + bias)`: heads, tokens."""

    @staticmethod
    def forward(ctx: Any, tokens: Tensor, weight: Tensor, bias: Tensor, last: Tensor) -> Tensor:
        kind = torch.bfloat16 if tokens.is_cuda else tokens.dtype
        given, wide = tokens.to(kind), weight.flatten(0, 1).to(kind)
        fused = cast("Any", torch)._addmm_activation
        on: Tensor = fused(bias.flatten().to(kind), given, wide.t())
        by_head = on.view(-1, *bias.shape).transpose(0, 1)
        ctx.save_for_backward(given, on, weight, bias, last)
        return _product(by_head, last[..., None].to(kind))[..., 0]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        given, on, weight, bias, last = ctx.saved_tensors
        slopes = gradients[0].t().to(on.dtype)[..., None].expand(-1, *bias.shape)
        where = torch.ops.aten.threshold_backward(slopes, on.view(-1, *bias.shape), 0)
        through = _product(where.flatten(1).t()[None], given[None])[0].view(weight.shape)
        total = where.sum(dim=0, dtype=torch.float32)
        toward_last = (weight * through).sum(dim=-1) + bias * total
        return None, last[..., None] * through, last * total, toward_last


def _product(one: Tensor, other: Tensor) -> Tensor:
    """With 32 bits in what comes out, whatever goes in."""
    if one.dtype == torch.float32:
        return one @ other
    return cast("Any", torch).bmm(one, other, out_dtype=torch.float32)
