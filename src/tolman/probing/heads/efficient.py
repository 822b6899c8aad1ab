"""Efficient probing: a few learnt queries, each of which pools its own slice of the projected tokens."""

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.encoder import EncoderLayout
from tolman.probing.head import DropoutFunction, Head, HeadShape, Parameters, grouped, new_linear, register_head

QUERIES = 4
SHRINK = 8
"""Factor by which the token width is reduced."""


@register_head
class EfficientHead(Head):
    """Tokens are pooled first and projected then, which gives the same and takes less."""

    name = "efficient"
    effort = 4

    def refusal(self, encoder: str, layout: EncoderLayout, layer: int) -> str | None:
        if layout.width % (SHRINK * QUERIES) == 0:
            return None
        return (
            f"efficient probing can't share tokens of width {layout.width}, as {encoder} has them in layer {layer}, "
            "among its queries: choose --probe linear,abmilp, or other layers"
        )

    def pooled(self, width: int) -> int:
        return width // SHRINK

    def new_parameters(self, shape: HeadShape, stream: torch.Generator) -> Parameters:
        queries = 0.02 * torch.randn(QUERIES, shape.width, generator=stream)
        return {"queries": queries, "values.weight": new_linear(shape.width, shape.pooled, stream)[0]}

    def pool(self, shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        weights = dropout(self.attention(shape, heads, tokens))
        groups, pictures, each, _, _ = weights.shape
        gathered = (weights.flatten(2, 3) @ tokens).view(groups, pictures, each, QUERIES, shape.width)
        slices = heads["values.weight"].view(groups, each, QUERIES, shape.pooled // QUERIES, shape.width)
        return torch.einsum("sbgnd,sgnkd->sbgnk", gathered, slices).flatten(3)

    def pool_single(self, shape: HeadShape, head: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        weights = dropout((head["queries"] @ tokens.transpose(1, 2) * shape.width**-0.5).softmax(dim=2))
        narrow = functional.linear(tokens, head["values.weight"]).view(*tokens.shape[:2], QUERIES, -1)
        return torch.einsum("bnt,btnk->bnk", weights, narrow).flatten(1)

    def attention(self, shape: HeadShape, heads: Parameters, tokens: Tensor) -> Tensor:
        queries = grouped(heads["queries"], len(tokens)) * shape.width**-0.5
        found = (queries.flatten(1, 2)[:, None] @ tokens.transpose(-1, -2)).softmax(dim=-1)
        return found.view(*found.shape[:2], -1, QUERIES, found.shape[-1])
