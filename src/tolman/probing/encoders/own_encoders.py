"""Encoders that need no download (Tolman's own vision transformer, trained or random, and the pixel baseline), and
those exported as TorchScript or ONNX, for networks without an adapter.

The input is normalised pictures of 224 by 224. Each output of an exported network with three axes (pictures, tokens,
width) is a layer, in order.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.nn import functional

from tolman.core.errors import optional_library
from tolman.core.files import atomic_write
from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import DIGEST_LETTERS, SIDE, BlockEncoder, EncoderError, EncoderLayout, from_array
from tolman.probing.encoders.presets import weights_digest

Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class VitShape:
    """Sizes of a vision transformer; by default those of ViT-S/16."""

    width: int = 384
    layers: int = 12
    heads: int = 6
    patch: int = 16

    @property
    def layout(self) -> EncoderLayout:
        return EncoderLayout(self.patch, self.width, self.layers)

    @staticmethod
    def of(text: str) -> "VitShape":
        return VitShape(**json.loads(text))

    def __str__(self) -> str:
        return json.dumps(asdict(self))


class TransformerBlock(nn.Module):
    """Attention, then an MLP, each with a residual connection."""

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
        """Attention weights: pictures, heads, query tokens, key tokens."""
        query, key, _ = self._parts(tokens)
        return (query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5).softmax(dim=-1)

    def _parts(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        pictures, count, width = tokens.shape
        mixed = self.qkv(self.norm1(tokens)).view(pictures, count, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        return query, key, value


class SmallVit(nn.Module):
    """A vision transformer with [CLS] and fixed sinusoidal positions."""

    def __init__(self, shape: VitShape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Conv2d(3, shape.width, shape.patch, shape.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, shape.width))
        self.blocks = nn.ModuleList(TransformerBlock(shape.width, shape.heads) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width, eps=1e-6)
        self.register_buffer("places", sinusoidal_positions(SIDE // shape.patch, shape.width), persistent=False)

    def patches(self, pictures: Tensor) -> Tensor:
        """Embedded patches with their positions: pictures, patches, width."""
        return self.embed(pictures).flatten(2).transpose(1, 2) + cast("Tensor", self.places)

    def with_cls(self, patches: Tensor) -> Tensor:
        return torch.cat((self.cls.expand(len(patches), -1, -1), patches), dim=1)

    def forward(self, pictures: Tensor) -> Tensor:
        """The output of the last block."""
        tokens = self.with_cls(self.patches(pictures))
        for block in self.blocks:
            tokens = block(tokens)
        return tokens

    def attention(self, pictures: Tensor) -> list[Tensor]:
        tokens, found = self.with_cls(self.patches(pictures)), list[Tensor]()
        for block in self.blocks:
            found.append(cast("TransformerBlock", block).weights(tokens))
            tokens = block(tokens)
        return found


def sinusoidal_positions(grid: int, width: int) -> Tensor:
    """Sinusoidal position embeddings of a square of patches, by row and column: patches, width."""
    steps = torch.arange(grid, dtype=torch.float64)
    rates = 10000.0 ** (-torch.arange(width // 4, dtype=torch.float64) / (width // 4))
    angles = steps[:, None] * rates
    line = torch.cat((angles.sin(), angles.cos()), dim=1)
    rows, columns = line[:, None].expand(-1, grid, -1), line[None].expand(grid, -1, -1)
    return torch.cat((rows, columns), dim=2).reshape(grid * grid, width).float()


def new_vit(shape: VitShape, seed: int) -> SmallVit:
    """A network with random weights from a seed; the same on any machine."""
    return with_random_weights(SmallVit(shape), seed)


def with_random_weights(network: Network, seed: int) -> Network:
    """The network with new random weights: truncated normal matrices, zero biases, unit norm scales."""
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
    return BlockEncoder(name, weights, vit.shape.layout, device, vit, list(vit.blocks), vit.attention)


def save_tolman_vit(vit: SmallVit, path: Path, recipe: str, pictures: Iterable[str]) -> None:
    """Write the weights, with the network's sizes, the training recipe, and the digests of the training pictures."""
    about = {
        "shape": str(vit.shape),
        "recipe": recipe,
        "pictures": " ".join(sorted({one[:DIGEST_LETTERS] for one in pictures})),
    }
    weights = {name: values.detach().cpu().float().contiguous() for name, values in vit.state_dict().items()}
    atomic_write(path, save(weights, metadata=about))


def load_tolman_vit(name: str, path: Path, device: torch.device) -> BlockEncoder:
    """The encoder in a file."""
    if not path.is_file():
        raise WeightsError(f"{name} is not here yet: run tolman probe pretrain, or give --weights FILE")
    try:
        with cast("Any", safe_open)(path, framework="pt") as stored:
            about = stored.metadata()
            shape, seen = VitShape.of(about["shape"]), frozenset(about.get("pictures", "").split())
            weights: dict[str, Tensor] = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
        vit = SmallVit(shape)
        vit.load_state_dict(weights)
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError, OSError):
        raise WeightsError(f"{path} does not hold Tolman's own vision transformer: train it again") from None
    return replace(vit_encoder(name, weights_digest(path), vit, device), trained_on=seen)


_PATCH, _POOL, _POSITION_WIDTH = 16, 2, 64
_LAYOUT = EncoderLayout(_PATCH, 3 * (_PATCH // _POOL) ** 2 + _POSITION_WIDTH, 1)


@dataclass(frozen=True)
class PixelEncoder:
    """The pixel baseline: a token is a patch, 2 by 2 average-pooled, and its position embedding. [CLS] is the mean."""

    device: torch.device
    name: str = "pixels"
    weights: str = "none"
    layout: EncoderLayout = _LAYOUT
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        coarse = functional.avg_pool2d(pictures, _POOL)
        pixels = functional.unfold(coarse, _PATCH // _POOL, stride=_PATCH // _POOL).transpose(1, 2)
        places = (
            sinusoidal_positions(self.layout.grid, _POSITION_WIDTH).to(pictures.device).expand(len(pictures), -1, -1)
        )
        patches = torch.cat((pixels, places), dim=2)
        return [torch.cat((patches.mean(dim=1, keepdim=True), patches), dim=1) for _ in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        del pictures, layers
        raise EncoderError("the pixel baseline has no attention; choose a transformer")


_PATCHES = {(SIDE // patch) ** 2: patch for patch in (8, 14, 16, 28, 32)}
_MOST_BEFORE = 9
"""The number of tokens before the patches is less than this."""


@dataclass(frozen=True, eq=False)
class ExportedEncoder:
    """An encoder from a function from pictures to the tokens of all layers."""

    name: str
    weights: str
    layout: EncoderLayout
    device: torch.device
    run: Callable[[Tensor], list[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        every = self.run(pictures)
        return [every[number - 1] for number in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        del pictures, layers
        raise EncoderError(f"{self.name} was exported without its attention; choose an encoder with an adapter")


def load_torchscript(name: str, path: Path, device: torch.device) -> ExportedEncoder:
    """A TorchScript file (`torch.jit.save`)."""
    try:
        module = cast("Any", torch.jit).load(str(path), map_location=device).eval()
    except (RuntimeError, ValueError, OSError):
        raise WeightsError(f"{path} is not a readable TorchScript file") from None
    return _checked_encoder(name, (path,), device, lambda pictures: _token_outputs(module(pictures)))


def load_onnx(name: str, path: Path, device: torch.device) -> ExportedEncoder:
    """An ONNX file, run by onnxruntime. Weights may be in separate files beside it."""
    missing = "ONNX files are run by onnxruntime, which is missing: pip install onnxruntime"
    onnxruntime = optional_library("onnxruntime", missing, EncoderError)
    if not path.is_file():
        raise WeightsError(f"{path} is not a file")
    try:
        session = onnxruntime.InferenceSession(str(path), providers=onnxruntime.get_available_providers())
    except Exception as error:  # onnxruntime's errors have no common root that is public
        raise WeightsError(f"{path} can't be run by onnxruntime: {str(error).splitlines()[0]}") from None
    entry = session.get_inputs()[0].name

    def run(pictures: Tensor) -> list[Tensor]:
        given = np.ascontiguousarray(pictures.cpu().numpy())
        return _token_outputs([from_array(out, device) for out in session.run(None, {entry: given})])

    return _checked_encoder(name, (path, *_external_data_files(path)), device, run)


def _external_data_files(path: Path) -> list[Path]:
    """Files beside an ONNX file that it mentions, which may hold its weights."""
    folder = (file for file in path.parent.iterdir() if file.is_file() and file != path)
    stored = path.read_bytes()
    return [file for file in folder if file.name.encode() in stored]


def _token_outputs(given: object) -> list[Tensor]:
    outputs = cast("Sequence[object]", given) if isinstance(given, list | tuple) else [given]
    return [out for out in outputs if isinstance(out, Tensor) and out.dim() == 3]


def _checked_encoder(
    name: str, files: Sequence[Path], device: torch.device, run: Callable[[Tensor], list[Tensor]]
) -> ExportedEncoder:
    """The encoder, with its layout inferred from the output for two empty pictures, as some exports take only one."""
    path = files[0]
    try:
        with torch.no_grad():
            layers = run(torch.zeros(2, 3, SIDE, SIDE, device=device))
    except Exception as error:  # whatever the exported network raises
        lines = str(error).strip().splitlines()
        raise EncoderError(
            f"{path} can't take two pictures of {SIDE} pixels ({lines[0] if lines else type(error).__name__}): export "
            "it with a dynamic first axis"
        ) from None
    if not layers:
        raise EncoderError(f"{path} gives no tokens: an output must have three axes (pictures, tokens, width)")
    _, count, width = layers[0].shape
    patches = max((number for number in _PATCHES if 0 <= count - number < _MOST_BEFORE), default=0)
    if not patches:
        raise EncoderError(f"{path} gives {count} tokens, which fit no patches of 8, 14, 16, 28 or 32 pixels")
    before = count - patches
    layout = EncoderLayout(_PATCHES[patches], width, len(layers), before > 0, max(before - 1, 0))
    return ExportedEncoder(name, weights_digest(*files), layout, device, run)
