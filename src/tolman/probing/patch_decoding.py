"""Whether things in a picture are in an encoder's tokens at all: how well a linear map of single tokens tells the
patches that show them.

A probe may fail because the encoder never saw the person, or because nobody can read off where things are to each
other. This tells the two apart, layer by layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tolman.core.errors import SettingsError
from tolman.probing.attention import Track, patch_shares
from tolman.probing.encoder import Encoder, EncoderLayout, normalised, read_picture
from tolman.probing.masked_picture import MaskedPicture
from tolman.probing.typed_torch import from_array

COVERED_SHARE = 0.1
"""Share of a patch from which on it shows a thing."""
FITTED_SHARE = 0.75
"""Share of the pictures that the map is fitted to; it is tried on the others."""
_RIDGE = 1e-3
"""Of the map, for features on the same scale."""
_TOGETHER = 16


@dataclass(frozen=True)
class PatchDecodability:
    """How well patches of a thing are told from all others."""

    precision: float
    """Average precision: mean share of right patches among those that rank as high as one that shows the thing. NaN
    where no picture that it was tried on shows it."""
    share: float
    """Of patches that show the thing: what guesses get."""


def decode_patches(
    encoder: Encoder,
    pictures: Sequence[MaskedPicture],
    things: Sequence[str],
    layers: Sequence[int],
    track: Track | None = None,
) -> dict[int, dict[str, PatchDecodability]]:
    """For each layer how well each thing, named as in the masks, is told; pictures are of one kind of scene."""
    cut = round(len(pictures) * FITTED_SHARE)
    if not 0 < cut < len(pictures):
        raise SettingsError(f"{len(pictures)} pictures are too few to fit a map to some and try it on others")
    sums = [_Sums(encoder.anatomy.at(layer).width, len(things), encoder.device) for layer in layers]
    for done, seen in _seen(encoder, pictures[:cut], things, layers):
        for kept, (rows, shown) in zip(sums, seen, strict=True):
            kept.add(rows, shown)
        if track is not None:
            track(done, len(pictures))
    maps = [kept.fitted() for kept in sums]
    tried: list[list[tuple[Tensor, Tensor]]] = [[] for _ in layers]
    for done, seen in _seen(encoder, pictures[cut:], things, layers):
        for kept, (rows, shown), weights in zip(tried, seen, maps, strict=True):
            kept.append((rows @ weights, shown))
        if track is not None:
            track(cut + done, len(pictures))
    found: dict[int, dict[str, PatchDecodability]] = {}
    for layer, parts in zip(layers, tried, strict=True):
        scored, truth = (torch.cat(some).cpu().numpy() for some in zip(*parts, strict=True))
        shows = truth > 0
        found[layer] = {
            thing: PatchDecodability(
                average_precision(scored[:, place], shows[:, place]), float(shows[:, place].mean())
            )
            for place, thing in enumerate(things)
        }
    return found


def average_precision(scores: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Mean precision over all that is right, each at its own rank; equal scores share a rank. NaN if nothing is."""
    if not right.any():
        return float("nan")
    order = np.argsort(-scores)
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    hits = np.cumsum(right[order])[ends]
    return float((np.diff(hits, prepend=0) * hits / (ends + 1)).sum() / hits[-1])


def _seen(
    encoder: Encoder, pictures: Sequence[MaskedPicture], things: Sequence[str], layers: Sequence[int]
) -> Iterator[tuple[int, list[tuple[Tensor, Tensor]]]]:
    """A few pictures at a time: how many are done, and for each layer its tokens (patches, width) and which of them
    show which thing (patches, things; 0 or 1)."""
    built = [encoder.anatomy.at(layer) for layer in layers]
    for at in range(0, len(pictures), _TOGETHER):
        some = pictures[at : at + _TOGETHER]
        pixels = from_array(np.stack([read_picture(picture.path)[0] for picture in some]), encoder.device)
        tokens = encoder.tokens(normalised(pixels), layers)
        rows = [found[:, encoder.anatomy.prefix :].flatten(0, 1).double() for found in tokens]
        shown = {one: from_array(_shown(some, things, one), encoder.device) for one in set(built)}
        yield at + len(some), [(row, shown[one]) for row, one in zip(rows, built, strict=True)]


def _shown(pictures: Sequence[MaskedPicture], things: Sequence[str], anatomy: EncoderLayout) -> NDArray[np.float64]:
    nothing = np.zeros(anatomy.patches)
    shares = [
        [patch_shares(picture.masks[thing], anatomy) if thing in picture.masks else nothing for thing in things]
        for picture in pictures
    ]
    return (np.array(shares).transpose(0, 2, 1).reshape(-1, len(things)) >= COVERED_SHARE).astype(np.float64)


class _Sums:
    """All that a linear map is worked out from: tokens need not be kept."""

    def __init__(self, width: int, things: int, device: torch.device) -> None:
        self.count = 0
        self.total, self.squares = (torch.zeros(*size, device=device).double() for size in ((width,), (width, width)))
        self.shown, self.crossed = (torch.zeros(*size, device=device).double() for size in ((things,), (width, things)))

    def add(self, rows: Tensor, shown: Tensor) -> None:
        self.count += len(rows)
        self.total += rows.sum(dim=0)
        self.squares += rows.T @ rows
        self.shown += shown.sum(dim=0)
        self.crossed += rows.T @ shown

    def fitted(self) -> Tensor:
        """Ridge regression on features of one scale: width, things. What it adds to all rows alike is left out."""
        mean, shown = self.total / self.count, self.shown / self.count
        spread = (self.squares.diagonal() / self.count - mean.square()).clamp(min=0).sqrt()
        spread = torch.where(spread > 0, spread, torch.ones_like(spread))
        alike = (self.squares / self.count - mean[:, None] * mean) / (spread[:, None] * spread)
        along = (self.crossed / self.count - mean[:, None] * shown) / spread[:, None]
        eye = torch.eye(len(mean), dtype=alike.dtype, device=alike.device)
        return cast("Tensor", cast("Any", torch.linalg).solve(alike + _RIDGE * eye, along)) / spread[:, None]
