"""AbMILP: the mean of all tokens, weighted by a small network that scores each of them."""

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.head import DropoutFunction, Head, HeadShape, Parameters, grouped, new_linear, register_head


@register_head
class AbmilpHead(Head):
    """One attention weight for each token."""

    name = "abmilp"
    effort = 20

    def new_parameters(self, shape: HeadShape, stream: torch.Generator) -> Parameters:
        head: Parameters = {}
        for layer in range(shape.scoring_layers - 1):
            head[f"hidden{layer}.weight"], head[f"hidden{layer}.bias"] = new_linear(shape.width, shape.width, stream)
        head["score.weight"], head["score.bias"] = new_linear(shape.width, 1, stream)
        return head

    def pool(self, shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        return dropout(_token_weights(shape, heads, tokens)) @ tokens

    def pool_single(self, shape: HeadShape, head: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        values = tokens
        for layer in range(shape.scoring_layers - 1):
            values = functional.linear(values, head[f"hidden{layer}.weight"], head[f"hidden{layer}.bias"]).relu()
        scored = functional.linear(values, head["score.weight"], head["score.bias"])[..., 0]
        return (dropout(scored.softmax(dim=1))[:, None] @ tokens)[:, 0]

    def attention(self, shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
        return _token_weights(shape, heads, tokens)[..., None, :]


def _token_weights(shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
    """Attention weights: groups, pictures, heads of a group, tokens."""
    weight, bias = (grouped(heads[f"score.{part}"], len(tokens)) for part in ("weight", "bias"))
    if shape.scoring_layers > 1:
        hidden = [
            (grouped(heads[f"hidden{layer}.weight"], len(tokens)), grouped(heads[f"hidden{layer}.bias"], len(tokens)))
            for layer in range(shape.scoring_layers - 1)
        ]
        scored = _hidden_scores(tokens, hidden, weight[:, :, 0])
    else:
        scored = weight[:, None, :, 0] @ tokens.transpose(-1, -2)
    return (scored + bias[:, None]).softmax(dim=-1)


def _hidden_scores(tokens: Tensor, hidden: Sequence[tuple[Tensor, Tensor]], last: Tensor) -> Tensor:
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
        return _product_in_float32(by_head, last[..., None].to(kind))[..., 0]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        given, on, weight, bias, last = ctx.saved_tensors
        slopes = gradients[0].t().to(on.dtype)[..., None].expand(-1, *bias.shape)
        where = torch.ops.aten.threshold_backward(slopes, on.view(-1, *bias.shape), 0)
        through = _product_in_float32(where.flatten(1).t()[None], given[None])[0].view(weight.shape)
        total = where.sum(dim=0, dtype=torch.float32)
        toward_last = (weight * through).sum(dim=-1) + bias * total
        return None, last[..., None] * through, last * total, toward_last


def _product_in_float32(one: Tensor, other: Tensor) -> Tensor:
    """A matrix product with a float32 result, whatever the input type."""
    if one.dtype == torch.float32:
        return one @ other
    return cast("Any", torch).bmm(one, other, out_dtype=torch.float32)
