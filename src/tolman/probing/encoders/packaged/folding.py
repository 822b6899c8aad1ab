"""Norms over a batch, folded into the convolutions before them: with weights that no longer change they are one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[np.float32]]


def folded(
    name: str,
    weight: NDArray[np.float32],
    bias: NDArray[np.float32] | None,
    norms: Sequence[NDArray[np.float32]],
    epsilon: float,
) -> Arrays:
    """Weight and bias of a convolution with its norm in them, under a name. Norms are scale, shift, mean, variance."""
    scale, shift, mean, variance = (values.astype(np.float64) for values in norms)
    factor = scale / np.sqrt(variance + epsilon)
    moved = shift - mean * factor + (0 if bias is None else bias * factor)
    heavy = weight.astype(np.float64) * factor[:, None, None, None]
    return {f"{name}.weight": heavy.astype(np.float32), f"{name}.bias": moved.astype(np.float32)}


def folded_torch(stored: Arrays, ours: str, convolution: str, norm: str, epsilon: float) -> Arrays:
    """The same for weights under torch's names, where a convolution has no bias."""
    norms = [stored[f"{norm}.{part}"] for part in ("weight", "bias", "running_mean", "running_var")]
    return folded(ours, stored[f"{convolution}.weight"], None, norms, epsilon)
