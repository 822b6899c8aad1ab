"""The image encoder of MobileSAM, TinyViT-5M: convolutions, then window attention, then SAM's neck.

Batch norms are folded into convolutions when weights are read, so each convolution has a bias.
"""

from itertools import product
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoders.packaged.feature_maps import (
    Arrays,
    FeatureMapShape,
    cut_windows,
    fold_torch_batch_norm,
    join_windows,
    outputs_of,
)

SHAPE = FeatureMapShape((128, 160, 320, 320, 256), (16,) * 5, side=1024, together=16)
"""Four stages, then the input of the mask decoder: 64 by 64 cells, pooled to 16 by 16 like all others."""
_WIDTHS = (64, 128, 160, 320)
_STAGES = ((2, 0, 0), (2, 4, 7), (6, 5, 14), (2, 10, 7))
"""Blocks, heads and side of a window; the first stage has convolutions."""
_STRIDES = (2, 2, 1)
"""Between stages; unlike TinyViT, MobileSAM keeps 64 by 64 cells for the last one."""


class _Convolutions(nn.Module):
    """Convolution to an inner width, depthwise convolution, projection: downsampling between stages."""

    def __init__(self, given: int, width: int, stride: int = 1, wider: int = 1) -> None:
        super().__init__()
        inner = wider * width
        self.conv1, self.conv3 = nn.Conv2d(given, inner, 1), nn.Conv2d(inner, width, 1)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, padding=1, groups=inner)

    def forward(self, maps: Tensor) -> Tensor:
        return self.conv3(functional.gelu(self.conv2(functional.gelu(self.conv1(maps)))))


class _Residual(_Convolutions):
    """The same with a residual connection: a block of the first stage."""

    def forward(self, maps: Tensor) -> Tensor:
        return functional.gelu(maps + super().forward(maps))


class _Attention(nn.Module):
    """Window attention with a learnt bias for each offset along rows and columns."""

    def __init__(self, width: int, heads: int, side: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.qkv, self.proj = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.attention_biases = nn.Parameter(torch.zeros(heads, side * side))
        places = list(product(range(side), repeat=2))
        # offsets are numbered by first occurrence from the first cell, row by row
        far = [[abs(a - c) * side + abs(b - d) for c, d in places] for a, b in places]
        self.register_buffer("far", torch.tensor(far), persistent=False)

    def forward(self, windows: Tensor) -> Tensor:
        """Windows: windows, cells, width."""
        count, places, width = windows.shape
        mixed = self.qkv(self.norm(windows)).view(count, places, self.heads, 3, width // self.heads)
        query, key, value = (part.transpose(1, 2) for part in mixed.unbind(3))
        bias = self.attention_biases[:, cast("Tensor", self.far)]
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias[None])
        return self.proj(seen.transpose(1, 2).reshape(count, places, width))


class _Mlp(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, values: Tensor) -> Tensor:
        return self.fc2(functional.gelu(self.fc1(self.norm(values))))


class _Block(nn.Module):
    """Window attention, a depthwise convolution, and an MLP."""

    def __init__(self, width: int, heads: int, side: int) -> None:
        super().__init__()
        self.side = side
        self.attn, self.mlp = _Attention(width, heads, side), _Mlp(width)
        self.local_conv = nn.Conv2d(width, width, 3, padding=1, groups=width)

    def forward(self, maps: Tensor) -> Tensor:
        last = maps.permute(0, 2, 3, 1)
        windows = cut_windows(last, self.side)
        seen = self.attn(windows.flatten(1, 2)).view(windows.shape)
        last = last + join_windows(seen, last.shape[1], last.shape[2])
        last = self.local_conv(last.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        return (last + self.mlp(last)).permute(0, 3, 1, 2)


class _MapNorm(nn.LayerNorm):
    """Layer norm over the channels of maps."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        return super().forward(input.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class TinyVit(nn.Module):
    """Maps after each stage (downsampling included), and SAM's image embedding."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.ModuleList((nn.Conv2d(3, 32, 3, 2, padding=1), nn.Conv2d(32, 64, 3, 2, padding=1)))
        self.stages = nn.ModuleList()
        for number, ((blocks, heads, side), width) in enumerate(zip(_STAGES, _WIDTHS, strict=True)):
            parts = [_Block(width, heads, side) if number else _Residual(width, width, wider=4) for _ in range(blocks)]
            more = [_Convolutions(width, _WIDTHS[number + 1], _STRIDES[number])] if number < len(_STRIDES) else []
            self.stages.append(nn.Sequential(*parts, *more))
        first, second = nn.Conv2d(320, 256, 1, bias=False), nn.Conv2d(256, 256, 3, padding=1, bias=False)
        self.neck = nn.Sequential(first, _MapNorm(256, eps=1e-6), second, _MapNorm(256, eps=1e-6))

    def forward(self, pictures: Tensor) -> list[Tensor]:
        found = outputs_of(self.stages, self.embed[1](functional.gelu(self.embed[0](pictures))))
        return [*found, self.neck(found[-1])]


def read_weights(stored: Arrays) -> Arrays:
    """Weights under our names from MobileSAM's, without its prompt encoder and mask decoder."""
    theirs = "image_encoder."
    given = {name.removeprefix(theirs): values for name, values in stored.items() if name.startswith(theirs)}
    found: Arrays = {}
    for name, values in given.items():
        if name.startswith(("head.", "norm_head.")):
            continue  # of the ImageNet classifier
        if name.endswith(".c.weight"):
            part = name.removesuffix(".c.weight")
            found |= fold_torch_batch_norm(given, _ours(part), f"{part}.c", f"{part}.bn", 1e-5)
        elif ".bn." not in name and not name.endswith("attention_bias_idxs"):
            found[_ours(name)] = values
    return found


def _ours(name: str) -> str:
    name = name.replace("patch_embed.seq.0", "embed.0").replace("patch_embed.seq.2", "embed.1")
    for number, (blocks, _, _) in enumerate(_STAGES):
        name = name.replace(f"layers.{number}.blocks.", f"stages.{number}.")
        name = name.replace(f"layers.{number}.downsample.", f"stages.{number}.{blocks}.")
    return name
