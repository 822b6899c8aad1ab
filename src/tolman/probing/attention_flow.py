"""How much the layers of an encoder let one thing in a picture look at another.

Masks say which patches belong to a thing, and by how much. The flow from one group of tokens to another is the mean
weight that a token of the first gives a token of the second, over the heads of a layer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.errors import SettingsError
from tolman.probing.encoder import Anatomy
from tolman.probing.preprocessing import SIDE

Floats = NDArray[np.float64]
Flow = Mapping[tuple[str, str], float]
"""By who looks and who is seen."""
BACKGROUND, CLS, REGISTERS = "background", "[CLS]", "registers"


def patch_shares(mask: NDArray[np.bool_], anatomy: Anatomy) -> Floats:
    """The share of each patch that a mask covers, row by row. The mask is brought to 224 by 224 first."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    fitted = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.NEAREST)) > 127
    side = anatomy.grid * anatomy.patch
    cells = fitted[:side, :side].reshape(anatomy.grid, anatomy.patch, anatomy.grid, anatomy.patch)
    return cells.mean(axis=(1, 3)).reshape(-1).astype(np.float64)


def group_weights(masks: Mapping[str, NDArray[np.bool_]], anatomy: Anatomy) -> dict[str, Floats]:
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
    means = [_mean(flows) for flows in by_environment.values()]
    pairs = dict.fromkeys(pair for found in means for pair in found)
    return {pair: _value([found[pair] for found in means if pair in found]) for pair in pairs}


def _mean(flows: Sequence[Flow]) -> dict[tuple[str, str], float]:
    pairs = dict.fromkeys(pair for found in flows for pair in found)
    return {pair: float(np.mean([found[pair] for found in flows if pair in found])) for pair in pairs}


def _value(values: Sequence[float]) -> FlowValue:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return FlowValue(float(np.mean(values)), spread, spread / len(values) ** 0.5)


def flow_difference(
    one: Mapping[tuple[str, str], FlowValue], other: Mapping[tuple[str, str], FlowValue]
) -> dict[tuple[str, str], float]:
    """By how much more flows in one encoder than in another, for pairs that both have."""
    if not set(one) & set(other):
        raise SettingsError("the two encoders have no pair of groups in common")
    return {pair: one[pair].mean - other[pair].mean for pair in one if pair in other}
