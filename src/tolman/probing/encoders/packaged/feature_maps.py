"""Networks that give feature maps, as encoders: each place of a map is a token, and each stage of a network a layer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoder import Anatomy, EncoderError
from tolman.probing.preprocessing import SIDE
from tolman.probing.untyped import split


@dataclass(frozen=True)
class MapShape:
    """What maps are made of: width by layer, and places along a side of a picture. Finer maps are averaged down."""

    widths: tuple[int, ...]
    grids: tuple[int, ...]
    side: int = SIDE
    """Pixels along a side of what the network was trained on; pictures are made as large first."""
    together: int = 256
    """Pictures that go through it at a time."""

    @property
    def anatomy(self) -> Anatomy:
        stages = tuple((SIDE // grid, width) for grid, width in zip(self.grids, self.widths, strict=True))
        return Anatomy(*stages[-1], len(stages), cls=False, stages=stages)


@dataclass(frozen=True, eq=False)
class MapEncoder:
    """A network from pictures to the maps of all its layers (pictures, width, rows, columns)."""

    name: str
    weights: str
    shape: MapShape
    device: torch.device
    network: Callable[[Tensor], Sequence[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @property
    def anatomy(self) -> Anatomy:
        return self.shape.anatomy

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
        raise EncoderError(f"{self.name} gives feature maps, and no attention between them; choose a transformer")


def map_encoder(name: str, weights: str, shape: MapShape, network: nn.Module, device: torch.device) -> MapEncoder:
    """A network with its weights as an encoder, in 32 bits."""
    ready = network.eval().requires_grad_(requires_grad=False).float().to(device)
    return MapEncoder(name, weights, shape, device, ready)
