"""What tokens hold of objects: attention between objects in the layers of an encoder, attention maps of a probe's
head, and how well a linear map of single tokens detects the patches that show an object.

The flow from one group of tokens to another is the mean attention weight from tokens of the first to tokens of the
second, over the heads of a layer.

A probe may fail because the encoder does not represent an object, or because the relation can't be decoded. Decoding
single patches separates the two, layer by layer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from tolman.core.errors import SettingsError
from tolman.probing.encoder import SIDE, Encoder, EncoderLayout, Pixels, from_array, normalised, read_picture
from tolman.probing.head import HeadShape, Parameters, find_head
from tolman.probing.protocol import Progress


@dataclass(frozen=True, eq=False)
class MaskedPicture:
    """A picture, its environment, and the masks of the objects in it by name."""

    path: Path
    environment: str
    masks: Mapping[str, NDArray[np.bool_]]


Floats = NDArray[np.float64]
Flow = Mapping[tuple[str, str], float]
"""By attending and attended group."""
BACKGROUND, CLS, REGISTERS = "background", "[CLS]", "registers"


def patch_shares(mask: NDArray[np.bool_], layout: EncoderLayout) -> Floats:
    """The share of each patch that a mask covers, row by row. The mask is resized to 224 by 224 first."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    fitted = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.NEAREST)) > 127
    side = layout.grid * layout.patch
    cells = fitted[:side, :side].reshape(layout.grid, layout.patch, layout.grid, layout.patch)
    return cells.mean(axis=(1, 3)).reshape(-1).astype(np.float64)


def group_weights(masks: Mapping[str, NDArray[np.bool_]], layout: EncoderLayout) -> dict[str, Floats]:
    """For each group the weights of the tokens, which sum to 1: the masks, the background, [CLS] and registers. Groups
    without tokens are left out."""
    covered = {name: patch_shares(mask, layout) for name, mask in masks.items()}
    rest = ~np.logical_or.reduce(list(masks.values()))
    before = np.zeros(layout.prefix)
    groups = {name: np.concatenate([before, shares]) for name, shares in covered.items()}
    groups[BACKGROUND] = np.concatenate([before, patch_shares(rest, layout)])
    single = np.eye(layout.prefix + layout.patches)
    if layout.cls:
        groups[CLS] = single[0]
    if layout.registers:
        groups[REGISTERS] = single[int(layout.cls) : layout.prefix].sum(axis=0)
    return {name: weights / weights.sum() for name, weights in groups.items() if weights.sum() > 0}


def flow(attention: Floats, groups: Mapping[str, Floats]) -> dict[tuple[str, str], float]:
    """Mean attention from group to group. `attention` is (heads, query tokens, key tokens)."""
    mean = attention.mean(axis=0)
    return {(one, other): float(groups[one] @ mean @ groups[other]) for one in groups for other in groups}


@dataclass(frozen=True)
class FlowValue:
    """A mean over environments, with the standard deviation and the standard error (NaN for one environment)."""

    mean: float
    spread: float
    error: float


def mean_flow(by_environment: Mapping[str, Sequence[Flow]]) -> dict[tuple[str, str], FlowValue]:
    """Mean over the pictures of each environment, then over environments."""
    means = [_mean_over_pictures(flows) for flows in by_environment.values()]
    pairs = dict.fromkeys(pair for found in means for pair in found)
    return {pair: _over_environments([found[pair] for found in means if pair in found]) for pair in pairs}


def _mean_over_pictures(flows: Sequence[Flow]) -> dict[tuple[str, str], float]:
    pairs = dict.fromkeys(pair for found in flows for pair in found)
    return {pair: float(np.mean([found[pair] for found in flows if pair in found])) for pair in pairs}


def _over_environments(values: Sequence[float]) -> FlowValue:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return FlowValue(float(np.mean(values)), spread, spread / len(values) ** 0.5)


def flow_difference(
    one: Mapping[tuple[str, str], FlowValue], other: Mapping[tuple[str, str], FlowValue]
) -> dict[tuple[str, str], float]:
    """The difference in flow between two encoders, for pairs that both have."""
    if not set(one) & set(other):
        raise SettingsError("the two encoders have no pair of groups in common")
    return {pair: one[pair].mean - other[pair].mean for pair in one if pair in other}


_BATCH = 8
"""Pictures per batch: attention takes much memory."""


def flows_of(
    encoder: Encoder, pictures: Sequence[MaskedPicture], layers: Sequence[int], progress: Progress | None = None
) -> dict[int, dict[str, list[Flow]]]:
    """For each layer, the flows of all pictures by environment."""
    found: dict[int, dict[str, list[Flow]]] = {layer: {} for layer in layers}
    for at in range(0, len(pictures), _BATCH):
        some = pictures[at : at + _BATCH]
        pixels = from_array(np.stack([read_picture(picture.path)[0] for picture in some]), encoder.device)
        seen = encoder.attention(normalised(pixels), layers)
        for layer, attention in zip(layers, seen, strict=True):
            for picture, weights in zip(some, attention.double().cpu().numpy(), strict=True):
                groups = group_weights(picture.masks, encoder.layout)
                found[layer].setdefault(picture.environment, []).append(flow(weights, groups))
        if progress is not None:
            progress(at + len(some), len(pictures))
    return found


Maps = NDArray[np.float32]
_WARM = np.array([213, 94, 0], dtype=np.float64)


@torch.no_grad()
def attention_maps(shape: HeadShape, head: Parameters, tokens: Tensor, layout: EncoderLayout) -> Maps:
    """The attention of each query to each patch: pictures, queries, rows, columns. AbMILP has one query.

    `head` is one head (the first axis has one entry); `tokens` are [CLS] and patches, as stored. The weight of [CLS] is
    left out, so a map may sum to less than 1.
    """
    found = find_head(shape.name).attention(shape, head, tokens.float()[None])[0, :, 0]
    patches = found[..., int(layout.cls) :]
    return patches.reshape(*patches.shape[:-1], layout.grid, layout.grid).cpu().numpy()


def painted_map(pixels: Pixels, map_: Maps) -> Pixels:
    """An attention map drawn over its picture (224 by 224), in a warm colour on grey.

    Patches up to the mean weight stay grey, so a uniform map shows nothing. The full colour is the largest weight, or
    three times the mean where that is more.
    """
    above = np.asarray(map_, dtype=np.float32) / max(float(map_.mean()), 1e-12) - 1
    share = np.clip(above / max(float(above.max()), 2.0), 0, 1)
    large = Image.fromarray(share, mode="F").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    weight = np.clip(np.asarray(large), 0, 1)[..., None].astype(np.float64)
    grey = np.repeat(pixels.mean(axis=2, keepdims=True), 3, axis=2) * 0.7 + 0.3 * 255
    warm = 0.35 * pixels + 0.65 * _WARM
    return np.clip(grey * (1 - weight) + warm * weight, 0, 255).astype(np.uint8)


COVERED_SHARE = 0.1
"""Least covered share of a patch that shows an object."""
FITTED_SHARE = 0.75
"""Share of the pictures to which the map is fitted; it is tested on the others."""
_RIDGE = 1e-3
"""Ridge penalty, for standardised features."""
_DECODING_BATCH = 16


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
    for at in range(0, len(pictures), _DECODING_BATCH):
        some = pictures[at : at + _DECODING_BATCH]
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
