"""Probe heads on frozen tokens (linear, AbMILP, efficient probing), many of one kind stacked in one set of parameters.

Every parameter has one more axis in front, one entry for each head; heads come in groups of equal size, one group for
each set of tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.protocol import HeadName


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
    """With 32 bits in what comes out, whatever goes in."""
    if one.dtype == torch.float32:
        return one @ other
    return cast("Any", torch).bmm(one, other, out_dtype=torch.float32)


Parameters = dict[str, Tensor]
CLASSES = 4
QUERIES = 4
WIDTHS = 8 * QUERIES
"""Widths of tokens that efficient probing can take are multiples of it."""
SHRINK = 8
"""By how much efficient probing makes tokens narrower."""


@dataclass(frozen=True)
class HeadShape:
    """What a head is: its kind, the width of tokens, and the layers of the network that scores them (AbMILP)."""

    name: HeadName
    width: int
    scoring_layers: int = 1

    @property
    def pooled(self) -> int:
        """Width of what is classified."""
        return self.width // SHRINK if self.name == "efficient" else self.width

    @property
    def sees_tokens(self) -> bool:
        """Whether it is given all tokens of a picture, or one vector."""
        return self.name in {"abmilp", "efficient"}


def new_heads(shape: HeadShape, seeds: Sequence[int], device: torch.device | str = "cpu") -> Parameters:
    """Fresh heads, one for each seed; the same seed gives the same head, on any device."""
    made = [_new_head(shape, torch.Generator().manual_seed(seed)) for seed in seeds]
    return {name: torch.stack([head[name] for head in made]).to(device) for name in made[0]}


def _new_head(shape: HeadShape, stream: torch.Generator) -> Parameters:
    width, pooled = shape.width, shape.pooled
    head: Parameters = {}
    if shape.name == "abmilp":
        for layer in range(shape.scoring_layers - 1):
            head[f"hidden{layer}.weight"], head[f"hidden{layer}.bias"] = _linear(width, width, stream)
        head["score.weight"], head["score.bias"] = _linear(width, 1, stream)
    if shape.name == "efficient":
        head["queries"] = 0.02 * torch.randn(QUERIES, width, generator=stream)
        head["values.weight"] = _linear(width, pooled, stream)[0]
    head["norm.weight"], head["norm.bias"] = torch.ones(pooled), torch.zeros(pooled)
    head["out.weight"], head["out.bias"] = _linear(pooled, CLASSES, stream)
    return head


def _linear(inputs: int, outputs: int, stream: torch.Generator) -> tuple[Tensor, Tensor]:
    """Weights and biases as torch's own linear layers begin with them."""
    bound = inputs**-0.5

    def uniform(*size: int) -> Tensor:
        return (torch.rand(*size, generator=stream) * 2 - 1) * bound

    return uniform(outputs, inputs), uniform(outputs)


def parameter_count(shape: HeadShape) -> int:
    """Numbers to be learnt in one head."""
    return sum(values.numel() for values in _new_head(shape, torch.Generator().manual_seed(0)).values())


@dataclass(frozen=True, eq=False)
class Dropout:
    """What is left out while training: a rate for each head, and a stream of random numbers for each group."""

    rates: Tensor
    streams: Sequence[torch.Generator]

    def __call__(self, values: Tensor) -> Tensor:
        """Some values left out and the others made larger for it. Axes are groups, pictures, heads, and any more; all
        heads of a group draw the same numbers."""
        groups, pictures, heads, *more = values.shape
        drawn = torch.stack(
            [torch.rand(pictures, *more, device=values.device, generator=stream) for stream in self.streams]
        )
        rates = self.rates.view(groups, 1, heads, *(1,) * len(more))
        return values * ((drawn[:, :, None] >= rates) / (1 - rates))


def class_scores(shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: Dropout | None = None) -> Tensor:
    """Scores of the classes: heads, pictures, classes.

    `tokens` are groups, pictures, tokens, width; for heads on one vector groups, pictures, width. The axis of groups
    may be left out where there is one. `dropout` is for training.
    """
    if tokens.dim() == 2 + shape.sees_tokens:
        tokens = tokens[None]
    pooled = _POOLS[shape.name](shape, heads, tokens, dropout)
    normed = functional.layer_norm(pooled, (shape.pooled,))
    norm_weight, norm_bias, weight, bias = (
        _grouped(heads[name], len(tokens)) for name in ("norm.weight", "norm.bias", "out.weight", "out.bias")
    )
    normed = normed * norm_weight[:, None] + norm_bias[:, None]
    if dropout is not None:
        normed = dropout(normed)
    found = torch.einsum("sbgd,sgcd->sgbc", normed, weight) + bias[:, :, None]
    return found.flatten(0, 1)


def _grouped(values: Tensor, groups: int) -> Tensor:
    """Parameters by group: groups, heads of a group, and the rest."""
    return values.view(groups, -1, *values.shape[1:])


def _pool_mean(shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: Dropout | None) -> Tensor:
    del shape, dropout
    return tokens[:, :, None].expand(-1, -1, len(heads["out.bias"]) // len(tokens), -1)


def _pool_attention(shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: Dropout | None) -> Tensor:
    """One weight for each token."""
    weights = token_weights(shape, heads, tokens)
    return (dropout(weights) if dropout is not None else weights) @ tokens


def token_weights(shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
    """How much AbMILP looks at each token: groups, pictures, heads of a group, tokens."""
    weight, bias = (_grouped(heads[f"score.{part}"], len(tokens)) for part in ("weight", "bias"))
    if shape.scoring_layers > 1:
        hidden = [
            (_grouped(heads[f"hidden{layer}.weight"], len(tokens)), _grouped(heads[f"hidden{layer}.bias"], len(tokens)))
            for layer in range(shape.scoring_layers - 1)
        ]
        scored = hidden_scores(tokens, hidden, weight[:, :, 0])
    else:
        scored = weight[:, None, :, 0] @ tokens.transpose(-1, -2)
    return (scored + bias[:, None]).softmax(dim=-1)


def _pool_queries(shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: Dropout | None) -> Tensor:
    """Each query gathers its own slice of the narrower tokens: tokens are gathered first and made narrower then."""
    weights = _query_weights(shape, heads, tokens)
    if dropout is not None:
        weights = dropout(weights)
    groups, pictures, each, _, _ = weights.shape
    gathered = (weights.flatten(2, 3) @ tokens).view(groups, pictures, each, QUERIES, shape.width)
    slices = heads["values.weight"].view(groups, each, QUERIES, shape.pooled // QUERIES, shape.width)
    return torch.einsum("sbgnd,sgnkd->sbgnk", gathered, slices).flatten(3)


def _query_weights(shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
    """Groups, pictures, heads of a group, queries, tokens."""
    queries = _grouped(heads["queries"], len(tokens)) * shape.width**-0.5
    found = (queries.flatten(1, 2)[:, None] @ tokens.transpose(-1, -2)).softmax(dim=-1)
    return found.view(*found.shape[:2], -1, QUERIES, found.shape[-1])


def query_attention(shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
    """How much each query of efficient probing looks at each token: heads, pictures, queries, tokens."""
    return _query_weights(shape, heads, tokens[None])[0].transpose(0, 1)


_POOLS = {"linear": _pool_mean, "cls": _pool_mean, "abmilp": _pool_attention, "efficient": _pool_queries}
