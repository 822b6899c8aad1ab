"""The interface of an encoder: preprocessing of pictures, the layout of tokens, and tokens and attention of its
layers; and typed wrappers of torch functions that lack type annotations.

The preprocessing is the same for all encoders, as published: RGB, bicubic to 224 by 224 without a crop, ImageNet's
mean and standard deviation.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from torch import Tensor, nn

from tolman.core.errors import SceneFileError, SettingsError, TolmanError

SIDE = 224
PREPROCESSING = "RGB, bicubic 224, ImageNet"
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
Pixels = NDArray[np.uint8]


def read_picture(path: Path) -> tuple[Pixels, str]:
    """Pixels of a picture at 224 by 224 (rows, columns, colours), and the SHA-256 of its file."""
    try:
        stored = path.read_bytes()
        with Image.open(BytesIO(stored)) as picture:
            ready = picture.convert("RGB")
            if ready.size != (SIDE, SIDE):
                ready = ready.resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            return np.array(ready), hashlib.sha256(stored).hexdigest()
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise SceneFileError(f"{path} is not a readable picture ({type(error).__name__})") from None


def normalised(pixels: Tensor) -> Tensor:
    """Bytes (pictures, rows, columns, colours) as input of encoders: floats (pictures, colours, rows, columns)."""
    mean, std = _mean_and_std(pixels.device)
    return (pixels.permute(0, 3, 1, 2).float() / 255 - mean) / std


@cache
def _mean_and_std(device: torch.device) -> tuple[Tensor, Tensor]:
    """Cached per device, as each transfer to a GPU synchronises."""
    return torch.tensor(MEAN, device=device).view(3, 1, 1), torch.tensor(STD, device=device).view(3, 1, 1)


class EncoderError(TolmanError):
    """An encoder is not available here, or does not support an operation."""


@dataclass(frozen=True)
class EncoderLayout:
    """Sizes of an encoder. The order of tokens is [CLS] where there is one, then registers, then patches row by row."""

    patch: int
    """Pixels along a side of a patch."""
    width: int
    layers: int
    cls: bool = True
    registers: int = 0
    """Tokens that are neither [CLS] nor a patch."""
    stages: tuple[tuple[int, int], ...] = ()
    """Patch size in pixels and width of each layer, where layers differ; `patch` and `width` are those of the last."""

    def at(self, layer: int) -> "EncoderLayout":
        """The layout of one layer, counted from 1."""
        if not self.stages:
            return self
        patch, width = self.stages[layer - 1]
        return replace(self, patch=patch, width=width)

    @property
    def prefix(self) -> int:
        """Tokens before the first patch."""
        return int(self.cls) + self.registers

    @property
    def grid(self) -> int:
        """Patches along a side of a picture."""
        return SIDE // self.patch

    @property
    def patches(self) -> int:
        return self.grid**2


class Encoder(Protocol):
    """A frozen network that maps a picture to the tokens of its layers. Layers count from 1."""

    @property
    def name(self) -> str: ...

    @property
    def weights(self) -> str:
        """A digest of the weights: two encoders with the same digest give the same tokens."""
        ...

    @property
    def trained_on(self) -> frozenset[str]:
        """The first `DIGEST_LETTERS` letters of the digests of its training pictures, where known."""
        ...

    @property
    def layout(self) -> EncoderLayout: ...

    @property
    def device(self) -> torch.device: ...

    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """The output of each layer before any final norm: pictures, tokens, width."""
        ...

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """The attention weights of each layer: pictures, heads, query tokens, key tokens."""
        ...


DIGEST_LETTERS = 16
"""Letters of a training picture's digest that an encoder stores."""


def count_training_pictures(encoder: Encoder, digests: Iterable[str]) -> int:
    """The number of pictures, given by the digests of their files, that are known training pictures of an encoder."""
    return sum(one[:DIGEST_LETTERS] in encoder.trained_on for one in digests)


def device_name(device: torch.device) -> str:
    """The name of a device for display."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def chosen_layers(text: str, layers: int) -> tuple[int, ...]:
    """The layers in a text: `last`, `all`, or numbers from 1 such as `2,4,6`."""
    if text == "last":
        return (layers,)
    if text == "all":
        return tuple(range(1, layers + 1))
    try:
        numbers = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise SettingsError(f"layers are last, all, or numbers such as 2,4,6, not {text!r}") from None
    if numbers[0] < 1 or numbers[-1] > layers:
        raise SettingsError(f"layers of this encoder are 1 to {layers}, not {text}")
    return numbers


def without_registers(tokens: Tensor, layout: EncoderLayout) -> Tensor:
    """The tokens without registers: [CLS] and patches."""
    if not layout.registers:
        return tokens
    return torch.cat((tokens[:, : int(layout.cls)], tokens[:, layout.prefix :]), dim=1)


@dataclass(frozen=True, eq=False)
class BlockEncoder:
    """An encoder from a forward function, its blocks in order, and a function for the attention of all layers."""

    name: str
    weights: str
    layout: EncoderLayout
    device: torch.device
    run: Callable[[Tensor], object]
    blocks: Sequence[nn.Module]
    attend: Callable[[Tensor], Sequence[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        caught: dict[int, Tensor] = {}

        def keep(number: int) -> Callable[..., None]:
            def hook(_module: nn.Module, _inputs: object, output: object) -> None:
                caught[number] = cast("Tensor", cast("Any", output)[0] if isinstance(output, tuple) else output)

            return hook

        handles = [self.blocks[number - 1].register_forward_hook(keep(number)) for number in layers]
        try:
            self.run(pictures)
        finally:
            for handle in handles:
                handle.remove()
        return [caught[number] for number in layers]

    @torch.no_grad()
    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        every = self.attend(pictures)
        return [every[number - 1] for number in layers]


def split(values: Tensor, sizes: int | list[int], dim: int = 0) -> tuple[Tensor, ...]:
    """`values.split`: parts of one size or of given sizes along an axis."""
    return cast("tuple[Tensor, ...]", cast("Any", values).split(sizes, dim))


def from_array(values: NDArray[np.generic], device: torch.device | str = "cpu") -> Tensor:
    """`torch.from_numpy`, on a device."""
    return cast("Tensor", cast("Any", torch).from_numpy(np.ascontiguousarray(values))).to(device)


def descend(optimiser: torch.optim.Optimizer, loss: Tensor, longest: float | None = None) -> None:
    """One optimiser step for a loss, with the gradient norm clipped to `longest`."""
    untyped = cast("Any", optimiser)
    untyped.zero_grad()
    cast("Any", loss).backward()
    if longest is not None:
        cast("Any", torch.nn.utils).clip_grad_norm_(
            [values for group in untyped.param_groups for values in group["params"]], longest
        )
    untyped.step()
