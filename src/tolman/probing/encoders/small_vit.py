"""A plain vision transformer of our own: random weights for a baseline, and what we train ourselves."""

import json
from dataclasses import asdict, dataclass
from typing import TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoder import Anatomy
from tolman.probing.encoders.blocks import BlockEncoder
from tolman.probing.preprocessing import SIDE

Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class VitShape:
    """Sizes; those of a ViT-S/16 unless told."""

    width: int = 384
    layers: int = 12
    heads: int = 6
    patch: int = 16

    @property
    def anatomy(self) -> Anatomy:
        return Anatomy(self.patch, self.width, self.layers)

    @staticmethod
    def of(text: str) -> "VitShape":
        return VitShape(**json.loads(text))

    def __str__(self) -> str:
        return json.dumps(asdict(self))


class Block(nn.Module):
    """Attention, then two linear layers, each around a way past."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, tokens: Tensor) -> Tensor:
        query, key, value = self._parts(tokens)
        seen = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
        tokens = tokens + self.out(seen)
        return tokens + self.narrow(functional.gelu(self.wide(self.norm2(tokens))))

    def weights(self, tokens: Tensor) -> Tensor:
        """How much tokens look at tokens: pictures, heads, tokens, tokens."""
        query, key, _ = self._parts(tokens)
        return (query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5).softmax(dim=-1)

    def _parts(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        pictures, count, width = tokens.shape
        mixed = self.qkv(self.norm1(tokens)).view(pictures, count, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        return query, key, value


class SmallVit(nn.Module):
    """Patches and [CLS] through blocks; where a patch is, fixed waves say."""

    def __init__(self, shape: VitShape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Conv2d(3, shape.width, shape.patch, shape.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, shape.width))
        self.blocks = nn.ModuleList(Block(shape.width, shape.heads) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width, eps=1e-6)
        self.register_buffer("places", waves(SIDE // shape.patch, shape.width), persistent=False)

    def patches(self, pictures: Tensor) -> Tensor:
        """Patches with their places: pictures, patches, width."""
        return self.embed(pictures).flatten(2).transpose(1, 2) + cast("Tensor", self.places)

    def with_cls(self, patches: Tensor) -> Tensor:
        return torch.cat((self.cls.expand(len(patches), -1, -1), patches), dim=1)

    def forward(self, pictures: Tensor) -> Tensor:
        """What the last block gives."""
        tokens = self.with_cls(self.patches(pictures))
        for block in self.blocks:
            tokens = block(tokens)
        return tokens

    def attention(self, pictures: Tensor) -> list[Tensor]:
        tokens, found = self.with_cls(self.patches(pictures)), list[Tensor]()
        for block in self.blocks:
            found.append(cast("Block", block).weights(tokens))
            tokens = block(tokens)
        return found


def waves(grid: int, width: int) -> Tensor:
    """Where each patch of a square is, as sines and cosines of its row and its column: patches, width."""
    steps = torch.arange(grid, dtype=torch.float64)
    rates = 10000.0 ** (-torch.arange(width // 4, dtype=torch.float64) / (width // 4))
    angles = steps[:, None] * rates
    line = torch.cat((angles.sin(), angles.cos()), dim=1)
    rows, columns = line[:, None].expand(-1, grid, -1), line[None].expand(grid, -1, -1)
    return torch.cat((rows, columns), dim=2).reshape(grid * grid, width).float()


def fresh_vit(shape: VitShape, seed: int) -> SmallVit:
    """A network with random weights from a seed, the same on any machine."""
    return randomised(SmallVit(shape), seed)


def randomised(network: Network, seed: int) -> Network:
    """The network with new random weights: matrices small and bell-shaped, biases nothing, scales of norms one."""
    stream = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, values in network.named_parameters():
            if values.dim() > 1:
                values.copy_(torch.randn(values.shape, generator=stream).clamp_(-2, 2) * 0.02)
            else:
                values.fill_(1.0 if "norm" in name and name.endswith("weight") else 0.0)
    return network


def vit_encoder(name: str, weights: str, vit: SmallVit, device: torch.device) -> BlockEncoder:
    """The network as an encoder."""
    vit = vit.eval().requires_grad_(requires_grad=False).to(device)
    return BlockEncoder(name, weights, vit.shape.anatomy, device, vit, list(vit.blocks), vit.attention)
