"""The image encoder of SAM 2, Hiera-Tiny: window attention in four stages, and a neck that joins the last two."""

from collections.abc import Mapping
from functools import partial
from itertools import accumulate

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoders.packaged.feature_maps import Arrays, FeatureMapShape, cut_windows, join_windows

SHAPE = FeatureMapShape((96, 192, 384, 768, 256), (16,) * 5, side=1024, together=16)
"""Four stages, then the input of the mask decoder: 64 by 64 cells, pooled to 16 by 16 like all others."""
_WIDTH, _STAGES = 96, (1, 2, 7, 2)
_WINDOWS = (8, 4, 14, 7)
_GLOBAL_BLOCKS = (5, 7, 9)
"""Blocks with global attention."""
_ENDS = tuple(number - 1 for number in accumulate(_STAGES))
_Norm = partial(nn.LayerNorm, eps=1e-6)


class _Attention(nn.Module):
    def __init__(self, given: int, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(given, 3 * width), nn.Linear(width, width)

    def forward(self, windows: Tensor, halved: bool) -> Tensor:
        """Attention within windows (windows, rows, columns, width); with `halved` the queries are pooled."""
        count, rows, columns, _ = windows.shape
        query, key, value = self.qkv(windows).view(count, rows * columns, 3, self.heads, -1).unbind(2)
        if halved:
            query = _halved(query.reshape(count, rows, columns, -1))
            _, rows, columns, _ = query.shape
            query = query.reshape(count, rows * columns, self.heads, -1)
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        seen = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2)
        return self.proj(seen.reshape(count, rows, columns, -1))


class _Mlp(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList((nn.Linear(width, 4 * width), nn.Linear(4 * width, width)))

    def forward(self, values: Tensor) -> Tensor:
        return self.layers[1](functional.gelu(self.layers[0](values)))


class _Block(nn.Module):
    def __init__(self, given: int, width: int, window: int) -> None:
        super().__init__()
        self.window, self.halves = window, given != width
        self.norm1, self.norm2 = _Norm(given), _Norm(width)
        self.attn, self.mlp = _Attention(given, width, width // _WIDTH), _Mlp(width)
        self.proj = nn.Linear(given, width) if self.halves else None

    def forward(self, maps: Tensor) -> Tensor:
        """Maps are channels-last."""
        normed = self.norm1(maps)
        past = maps if self.proj is None else _halved(self.proj(normed))
        if self.window:
            seen = self.attn(cut_windows(normed, self.window), self.halves)
            seen = join_windows(seen, past.shape[1], past.shape[2])
        else:
            seen = self.attn(normed, self.halves)
        maps = past + seen
        return maps + self.mlp(self.norm2(maps))


class Hiera(nn.Module):
    """Maps after each stage, and SAM 2's image embedding."""

    def __init__(self) -> None:
        super().__init__()
        self.patch_embed = nn.Conv2d(3, _WIDTH, 7, 4, padding=3)
        self.places = nn.Parameter(torch.zeros(1, 256, 256, _WIDTH))
        self.blocks, given = nn.ModuleList(), _WIDTH
        for number in range(sum(_STAGES)):
            stage = sum(number > end for end in _ENDS)
            # the first block of a stage uses the window size of the stage before
            window = 0 if number in _GLOBAL_BLOCKS else _WINDOWS[sum(number - 1 > end for end in _ENDS)]
            self.blocks.append(_Block(given, _WIDTH * 2**stage, window))
            given = _WIDTH * 2**stage
        self.neck = nn.ModuleList((nn.Conv2d(768, 256, 1), nn.Conv2d(384, 256, 1)))
        self.no_memory = nn.Parameter(torch.zeros(1, 256, 1, 1))

    def forward(self, pictures: Tensor) -> list[Tensor]:
        maps, found = self.patch_embed(pictures).permute(0, 2, 3, 1) + self.places, list[Tensor]()
        for number, block in enumerate(self.blocks):
            maps = block(maps)
            if number in _ENDS:
                found.append(maps.permute(0, 3, 1, 2))
        coarse = functional.interpolate(self.neck[0](found[3]), scale_factor=2.0, mode="nearest")
        return [*found, self.neck[1](found[2]) + coarse + self.no_memory]


def _halved(maps: Tensor) -> Tensor:
    """2 by 2 max pooling; channels-last."""
    return functional.max_pool2d(maps.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)


def read_weights(stored: Mapping[str, NDArray[np.float32]]) -> Arrays:
    """Weights under our names, from the graph's initialisers, in which linear layers are transposed."""
    trunk, made = "model.image_encoder.trunk.", "/image_encoder/trunk/"
    found: Arrays = {
        "places": stored[f"{made}Transpose_output_0"].transpose(0, 2, 3, 1),
        "no_memory": stored["no_mem_embed"][..., None],
    }
    for name, values in stored.items():
        if name.startswith(f"{trunk}patch_embed.proj."):
            found[name.replace(f"{trunk}patch_embed.proj.", "patch_embed.")] = values
        elif name.startswith(f"{trunk}blocks."):
            found[name.removeprefix(trunk)] = values
        elif name.startswith(f"{made}blocks.") and name.endswith("/Transpose_output_0") and values.ndim == 2:
            ours = name.removeprefix(made).removesuffix("/Transpose_output_0").replace("/", ".")
            found[f"{ours}.weight"] = values.T
    for number in range(2):
        for part in ("weight", "bias"):
            found[f"neck.{number}.{part}"] = stored[f"model.image_encoder.neck.convs.{number}.conv.{part}"]
    return found
