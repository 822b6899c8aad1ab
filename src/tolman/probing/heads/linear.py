"""A linear head on the mean of the patches."""

import torch
from torch import Tensor

from tolman.probing.encoder import split
from tolman.probing.head import DropoutFunction, Head, HeadShape, Parameters, register_head


@register_head
class LinearHead(Head):
    """Nothing is pooled: the input is one vector."""

    name = "linear"
    sees_tokens = False
    effort = 1

    def select(self, tokens: Tensor, cls: bool) -> Tensor:
        parts = split(tokens[:, int(cls) :], 512)
        return torch.cat([part.float().mean(dim=1) for part in parts])

    def pool(self, shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        del shape, dropout
        return tokens[:, :, None].expand(-1, -1, len(heads["out.bias"]) // len(tokens), -1)
