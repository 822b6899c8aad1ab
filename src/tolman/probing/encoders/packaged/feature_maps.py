"""Networks with feature maps as encoders, and the folding of batch norms and attention windows that they share."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoder import SIDE, EncoderError, EncoderLayout, split


@dataclass(frozen=True)
class FeatureMapShape:
    """Width and grid (cells along a side of a picture) of each layer's map. Finer maps are average-pooled to it."""

    widths: tuple[int, ...]
    grids: tuple[int, ...]
    side: int = SIDE
    """Input size of the network in pixels; pictures are resized to it first."""
    together: int = 256
    """Pictures per forward pass."""

    @property
    def layout(self) -> EncoderLayout:
        stages = tuple((SIDE // grid, width) for grid, width in zip(self.grids, self.widths, strict=True))
        return EncoderLayout(*stages[-1], len(stages), cls=False, stages=stages)


@dataclass(frozen=True, eq=False)
class FeatureMapEncoder:
    """An encoder from a network that gives the maps of all its layers (pictures, width, rows, columns)."""

    name: str
    weights: str
    shape: FeatureMapShape
    device: torch.device
    network: Callable[[Tensor], Sequence[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @property
    def layout(self) -> EncoderLayout:
        return self.shape.layout

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        parts = [self._part(part, layers) for part in split(pictures, self.shape.together)]
        return [torch.cat(found) for found in zip(*parts, strict=True)]

    def _part(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        if self.shape.side != SIDE:
            size = (self.shape.side, self.shape.side)
            pictures = functional.interpolate(pictures, size, mode="bilinear", align_corners=False)
        maps = self.network(pictures)
        chosen = [(maps[layer - 1], self.shape.grids[layer - 1]) for layer in layers]
        return [functional.adaptive_avg_pool2d(found, grid).flatten(2).transpose(1, 2) for found, grid in chosen]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        del pictures, layers
        raise EncoderError(f"{self.name} has feature maps and no attention; choose a transformer")


def feature_map_encoder(
    name: str, weights: str, shape: FeatureMapShape, network: nn.Module, device: torch.device
) -> FeatureMapEncoder:
    """A network with its weights as an encoder, in float32."""
    ready = network.eval().requires_grad_(requires_grad=False).float().to(device)
    return FeatureMapEncoder(name, weights, shape, device, ready)


def outputs_of(stages: Iterable[nn.Module], maps: Tensor) -> list[Tensor]:
    """The output of each stage, which takes that of the one before."""
    found: list[Tensor] = []
    for stage in stages:
        maps = stage(maps)
        found.append(maps)
    return found


Arrays = dict[str, NDArray[np.float32]]


def fold_batch_norm(
    name: str,
    weight: NDArray[np.float32],
    bias: NDArray[np.float32] | None,
    norms: Sequence[NDArray[np.float32]],
    epsilon: float,
) -> Arrays:
    """Weight and bias of a convolution with its batch norm folded in, under a name.

    `norms` are scale, shift, mean and variance.
    """
    scale, shift, mean, variance = (values.astype(np.float64) for values in norms)
    factor = scale / np.sqrt(variance + epsilon)
    folded_bias = shift - mean * factor + (0 if bias is None else bias * factor)
    folded_weight = weight.astype(np.float64) * factor[:, None, None, None]
    return {f"{name}.weight": folded_weight.astype(np.float32), f"{name}.bias": folded_bias.astype(np.float32)}


def fold_torch_batch_norm(stored: Arrays, ours: str, convolution: str, norm: str, epsilon: float) -> Arrays:
    """`fold_batch_norm` for weights under torch's names, where a convolution has no bias."""
    norms = [stored[f"{norm}.{part}"] for part in ("weight", "bias", "running_mean", "running_var")]
    return fold_batch_norm(ours, stored[f"{convolution}.weight"], None, norms, epsilon)


def cut_windows(maps: Tensor, side: int) -> Tensor:
    """Maps cut into windows: windows, rows, columns, width. Maps are padded with zeros to a multiple of `side`."""
    pictures, rows, columns, width = maps.shape
    down, right = -rows % side, -columns % side
    if down or right:
        maps = functional.pad(maps, (0, 0, 0, right, 0, down))
    tall, wide = (rows + down) // side, (columns + right) // side
    cut = maps.view(pictures, tall, side, wide, side, width)
    return cut.permute(0, 1, 3, 2, 4, 5).reshape(-1, side, side, width)


def join_windows(windows: Tensor, rows: int, columns: int) -> Tensor:
    """The inverse of `cut_windows`, without the padding."""
    side, width = windows.shape[1], windows.shape[-1]
    tall, wide = -(-rows // side), -(-columns // side)
    joined = windows.view(-1, tall, wide, side, side, width).permute(0, 1, 3, 2, 4, 5)
    return joined.reshape(-1, tall * side, wide * side, width)[:, :rows, :columns]
