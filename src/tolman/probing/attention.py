"""Attention between objects in the layers of an encoder, and maps of what a probe's head attends to.

The flow from one group of tokens to another is the mean weight that a token of the first gives a token of the second,
over the heads of a layer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from tolman.core.errors import SettingsError
from tolman.probing.encoder import SIDE, Encoder, EncoderLayout, Pixels, normalised, read_picture
from tolman.probing.heads import HeadShape, Parameters, query_attention, token_weights
from tolman.probing.masked_picture import MaskedPicture
from tolman.probing.typed_torch import from_array

Floats = NDArray[np.float64]
Flow = Mapping[tuple[str, str], float]
"""By who looks and who is seen."""
BACKGROUND, CLS, REGISTERS = "background", "[CLS]", "registers"


def patch_shares(mask: NDArray[np.bool_], anatomy: EncoderLayout) -> Floats:
    """The share of each patch that a mask covers, row by row. The mask is brought to 224 by 224 first."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    fitted = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.NEAREST)) > 127
    side = anatomy.grid * anatomy.patch
    cells = fitted[:side, :side].reshape(anatomy.grid, anatomy.patch, anatomy.grid, anatomy.patch)
    return cells.mean(axis=(1, 3)).reshape(-1).astype(np.float64)


def group_weights(masks: Mapping[str, NDArray[np.bool_]], anatomy: EncoderLayout) -> dict[str, Floats]:
    """For each group how much each token belongs to it, summing to 1: the masks, what no mask covers, [CLS] and
    registers. Groups that no token belongs to are left out."""
    covered = {name: patch_shares(mask, anatomy) for name, mask in masks.items()}
    rest = ~np.logical_or.reduce(list(masks.values()))
    before = np.zeros(anatomy.prefix)
    groups = {name: np.concatenate([before, shares]) for name, shares in covered.items()}
    groups[BACKGROUND] = np.concatenate([before, patch_shares(rest, anatomy)])
    single = np.eye(anatomy.prefix + anatomy.patches)
    if anatomy.cls:
        groups[CLS] = single[0]
    if anatomy.registers:
        groups[REGISTERS] = single[int(anatomy.cls) : anatomy.prefix].sum(axis=0)
    return {name: weights / weights.sum() for name, weights in groups.items() if weights.sum() > 0}


def flow(attention: Floats, groups: Mapping[str, Floats]) -> dict[tuple[str, str], float]:
    """Mean attention from group to group. `attention` is heads, tokens that look, tokens seen."""
    mean = attention.mean(axis=0)
    return {(one, other): float(groups[one] @ mean @ groups[other]) for one in groups for other in groups}


@dataclass(frozen=True)
class FlowValue:
    """A mean over environments, with the spread and the standard error over them (NaN for one)."""

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
    """By how much more flows in one encoder than in another, for pairs that both have."""
    if not set(one) & set(other):
        raise SettingsError("the two encoders have no pair of groups in common")
    return {pair: one[pair].mean - other[pair].mean for pair in one if pair in other}


_TOGETHER = 8
"""Pictures that go through the encoder at once: attention takes much room."""
Track = Callable[[int, int], None]


def flows_of(
    encoder: Encoder, pictures: Sequence[MaskedPicture], layers: Sequence[int], track: Track | None = None
) -> dict[int, dict[str, list[Flow]]]:
    """For each layer, the flows of all pictures by environment."""
    found: dict[int, dict[str, list[Flow]]] = {layer: {} for layer in layers}
    for at in range(0, len(pictures), _TOGETHER):
        some = pictures[at : at + _TOGETHER]
        pixels = from_array(np.stack([read_picture(picture.path)[0] for picture in some]), encoder.device)
        seen = encoder.attention(normalised(pixels), layers)
        for layer, attention in zip(layers, seen, strict=True):
            for picture, weights in zip(some, attention.double().cpu().numpy(), strict=True):
                groups = group_weights(picture.masks, encoder.anatomy)
                found[layer].setdefault(picture.environment, []).append(flow(weights, groups))
        if track is not None:
            track(at + len(some), len(pictures))
    return found


Maps = NDArray[np.float32]
_WARM = np.array([213, 94, 0], dtype=np.float64)


@torch.no_grad()
def attention_maps(shape: HeadShape, head: Parameters, tokens: Tensor, anatomy: EncoderLayout) -> Maps:
    """How much each query looks at each patch: pictures, queries, rows, columns. AbMILP has one query.

    `head` is one head (the first axis has one entry); `tokens` are [CLS] and patches, as the store keeps them. What
    goes to [CLS] is left out, so a map may sum to less than 1.
    """
    given = tokens.float()
    if shape.name == "efficient":
        found = query_attention(shape, head, given)[0]
    elif shape.name == "abmilp":
        found = token_weights(shape, head, given[None])[0]
    else:
        raise SettingsError(f"a {shape.name} probe looks at all patches alike: choose abmilp or efficient")
    patches = found[..., int(anatomy.cls) :]
    return patches.reshape(*patches.shape[:-1], anatomy.grid, anatomy.grid).cpu().numpy()


def painted_map(pixels: Pixels, map_: Maps) -> Pixels:
    """A map laid over its picture (224 by 224): the more is looked at, the warmer; the rest grey.

    What is looked at no more than the average stays grey, so a probe that looks everywhere alike paints nothing. Fully
    warm is the most that is looked at, or three times the average where that is more.
    """
    above = np.asarray(map_, dtype=np.float32) / max(float(map_.mean()), 1e-12) - 1
    share = np.clip(above / max(float(above.max()), 2.0), 0, 1)
    large = Image.fromarray(share, mode="F").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    weight = np.clip(np.asarray(large), 0, 1)[..., None].astype(np.float64)
    grey = np.repeat(pixels.mean(axis=2, keepdims=True), 3, axis=2) * 0.7 + 0.3 * 255
    warm = 0.35 * pixels + 0.65 * _WARM
    return np.clip(grey * (1 - weight) + warm * weight, 0, 255).astype(np.uint8)
