"""Typed wrappers of torch functions that lack type annotations."""

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


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
