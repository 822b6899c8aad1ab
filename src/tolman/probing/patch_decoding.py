"""Whether objects are encoded in an encoder's tokens at all: how well a linear map of single tokens detects the patches
that show them.

A probe may fail because the encoder does not represent an object, or because the relation can't be decoded. This
separates the two, layer by layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tolman.core.errors import SettingsError
from tolman.probing.attention import patch_shares
from tolman.probing.encoder import Encoder, EncoderLayout, normalised, read_picture
from tolman.probing.masked_picture import MaskedPicture
from tolman.probing.protocol import Progress
from tolman.probing.typed_torch import from_array

COVERED_SHARE = 0.1
"""Least covered share of a patch that shows an object."""
FITTED_SHARE = 0.75
"""Share of the pictures to which the map is fitted; it is tested on the others."""
_RIDGE = 1e-3
"""Ridge penalty, for standardised features."""
_BATCH = 16


@dataclass(frozen=True)
class PatchDecodability:
    """How well the patches of an object are detected."""

    precision: float
    """Average precision; NaN where no test picture shows the object."""
    share: float
    """Share of patches that show the object, the average precision of a guess."""


def decode_patches(
    encoder: Encoder,
    pictures: Sequence[MaskedPicture],
    things: Sequence[str],
    layers: Sequence[int],
    progress: Progress | None = None,
) -> dict[int, dict[str, PatchDecodability]]:
    """For each layer how well each object, named as in the masks, is detected; pictures are of one kind of scene."""
    cut = round(len(pictures) * FITTED_SHARE)
    if not 0 < cut < len(pictures):
        raise SettingsError(f"{len(pictures)} pictures are too few for a fit and a test")
    sums = [_Sums(encoder.layout.at(layer).width, len(things), encoder.device) for layer in layers]
    for done, seen in _batches(encoder, pictures[:cut], things, layers):
        for kept, (rows, shown) in zip(sums, seen, strict=True):
            kept.add(rows, shown)
        if progress is not None:
            progress(done, len(pictures))
    maps = [kept.fitted() for kept in sums]
    tested: list[list[tuple[Tensor, Tensor]]] = [[] for _ in layers]
    for done, seen in _batches(encoder, pictures[cut:], things, layers):
        for kept, (rows, shown), weights in zip(tested, seen, maps, strict=True):
            kept.append((rows @ weights, shown))
        if progress is not None:
            progress(cut + done, len(pictures))
    found: dict[int, dict[str, PatchDecodability]] = {}
    for layer, parts in zip(layers, tested, strict=True):
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
    """Mean precision over the positives, each at its own rank; equal scores share a rank. NaN without positives."""
    if not right.any():
        return float("nan")
    order = np.argsort(-scores)
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    hits = np.cumsum(right[order])[ends]
    return float((np.diff(hits, prepend=0) * hits / (ends + 1)).sum() / hits[-1])


def _batches(
    encoder: Encoder, pictures: Sequence[MaskedPicture], things: Sequence[str], layers: Sequence[int]
) -> Iterator[tuple[int, list[tuple[Tensor, Tensor]]]]:
    """Batches of pictures: the number done, and for each layer its tokens (patches, width) and the patches that show
    each object (patches, things; 0 or 1)."""
    built = [encoder.layout.at(layer) for layer in layers]
    for at in range(0, len(pictures), _BATCH):
        some = pictures[at : at + _BATCH]
        pixels = from_array(np.stack([read_picture(picture.path)[0] for picture in some]), encoder.device)
        tokens = encoder.tokens(normalised(pixels), layers)
        rows = [found[:, encoder.layout.prefix :].flatten(0, 1).double() for found in tokens]
        shown = {one: from_array(_shown(some, things, one), encoder.device) for one in set(built)}
        yield at + len(some), [(row, shown[one]) for row, one in zip(rows, built, strict=True)]


def _shown(pictures: Sequence[MaskedPicture], things: Sequence[str], layout: EncoderLayout) -> NDArray[np.float64]:
    nothing = np.zeros(layout.patches)
    shares = [
        [patch_shares(picture.masks[thing], layout) if thing in picture.masks else nothing for thing in things]
        for picture in pictures
    ]
    return (np.array(shares).transpose(0, 2, 1).reshape(-1, len(things)) >= COVERED_SHARE).astype(np.float64)


class _Sums:
    """Sufficient statistics of the ridge regression, so that tokens need not be kept."""

    def __init__(self, width: int, things: int, device: torch.device) -> None:
        self.count = 0
        self.total, self.squares = (torch.zeros(*size, device=device).double() for size in ((width,), (width, width)))
        self.shown, self.products = (
            torch.zeros(*size, device=device).double() for size in ((things,), (width, things))
        )

    def add(self, rows: Tensor, shown: Tensor) -> None:
        self.count += len(rows)
        self.total += rows.sum(dim=0)
        self.squares += rows.T @ rows
        self.shown += shown.sum(dim=0)
        self.products += rows.T @ shown

    def fitted(self) -> Tensor:
        """Weights of the ridge regression on standardised features (width, things), without the intercept."""
        mean, shown = self.total / self.count, self.shown / self.count
        deviation = (self.squares.diagonal() / self.count - mean.square()).clamp(min=0).sqrt()
        deviation = torch.where(deviation > 0, deviation, torch.ones_like(deviation))
        covariance = (self.squares / self.count - mean[:, None] * mean) / (deviation[:, None] * deviation)
        cross_covariance = (self.products / self.count - mean[:, None] * shown) / deviation[:, None]
        eye = torch.eye(len(mean), dtype=covariance.dtype, device=covariance.device)
        return (
            cast("Tensor", cast("Any", torch.linalg).solve(covariance + _RIDGE * eye, cross_covariance))
            / deviation[:, None]
        )
