"""What an encoder is to everyone else: tokens and attention of its layers, for pictures that were made ready."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor

from tolman.errors import SettingsError, TolmanError
from tolman.probing.preprocessing import SIDE


class EncoderError(TolmanError):
    """An encoder can't be had here, or can't do what was asked of it."""


@dataclass(frozen=True)
class Anatomy:
    """How an encoder is built. Tokens come as [CLS] where there is one, then registers, then patches row by row."""

    patch: int
    """Pixels along a side of a patch."""
    width: int
    layers: int
    cls: bool = True
    registers: int = 0
    """Tokens that are neither [CLS] nor a patch."""
    stages: tuple[tuple[int, int], ...] = ()
    """Pixels along a side of a patch, and width, layer by layer, where layers differ in them; the last ones above."""

    def at(self, layer: int) -> "Anatomy":
        """How one layer, counted from 1, is built."""
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
    """A frozen network that turns a picture into tokens, layer by layer. Layers count from 1."""

    @property
    def name(self) -> str: ...

    @property
    def weights(self) -> str:
        """A digest of all that was learnt: two encoders with the same one give the same tokens."""
        ...

    @property
    def trained_on(self) -> frozenset[str]:
        """The first letters of digests of pictures that it was trained on, where these are known."""
        ...

    @property
    def anatomy(self) -> Anatomy: ...

    @property
    def device(self) -> torch.device: ...

    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """What each of the layers gives before any final norm: pictures, tokens, width."""
        ...

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """How much tokens look at tokens in each of the layers: pictures, heads, tokens that look, tokens seen."""
        ...


BRIEF = 16
"""Letters of a picture's digest that an encoder keeps of what it was trained on."""


def seen_pictures(encoder: Encoder, digests: Iterable[str]) -> int:
    """How many of some pictures, by the digests of their files, an encoder is known to have been trained on."""
    return sum(one[:BRIEF] in encoder.trained_on for one in digests)


def device_name(device: torch.device) -> str:
    """What computes, in words."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def chosen_layers(text: str, layers: int) -> tuple[int, ...]:
    """The layers that a text names: `last`, `all`, or numbers from 1 such as `2,4,6`."""
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


def without_registers(tokens: Tensor, anatomy: Anatomy) -> Tensor:
    """[CLS] and patches, as heads see them."""
    if not anatomy.registers:
        return tokens
    return torch.cat((tokens[:, : int(anatomy.cls)], tokens[:, anatomy.prefix :]), dim=1)
