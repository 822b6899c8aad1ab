"""No network at all: each token is how its patch looks, coarsely, and where it is. What such a baseline gets right
needs no encoder."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.encoder import Anatomy, EncoderError
from tolman.probing.encoders.small_vit import waves

_PATCH, _COARSE, _PLACE = 16, 2, 64
_ANATOMY = Anatomy(_PATCH, 3 * (_PATCH // _COARSE) ** 2 + _PLACE, 1)


@dataclass(frozen=True)
class PixelEncoder:
    """Squares of 2 by 2 pixels averaged, all of a patch in one token, and 64 waves for its place. [CLS] is the mean."""

    device: torch.device
    name: str = "pixels"
    weights: str = "none"
    anatomy: Anatomy = _ANATOMY
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        coarse = functional.avg_pool2d(pictures, _COARSE)
        looks = functional.unfold(coarse, _PATCH // _COARSE, stride=_PATCH // _COARSE).transpose(1, 2)
        places = waves(self.anatomy.grid, _PLACE).to(pictures.device).expand(len(pictures), -1, -1)
        patches = torch.cat((looks, places), dim=2)
        return [torch.cat((patches.mean(dim=1, keepdim=True), patches), dim=1) for _ in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        del pictures, layers
        raise EncoderError("pixels have no attention; choose an encoder that has")
