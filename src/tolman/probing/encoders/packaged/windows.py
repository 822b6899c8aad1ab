"""Maps cut into square windows, within which some networks look, and put together again. Width is the last axis."""

from torch import Tensor
from torch.nn import functional


def cut_windows(maps: Tensor, side: int) -> Tensor:
    """Windows one after another: windows, rows, columns, width. Maps that do not fit are filled up with zeros."""
    pictures, rows, columns, width = maps.shape
    down, right = -rows % side, -columns % side
    if down or right:
        maps = functional.pad(maps, (0, 0, 0, right, 0, down))
    tall, wide = (rows + down) // side, (columns + right) // side
    cut = maps.view(pictures, tall, side, wide, side, width)
    return cut.permute(0, 1, 3, 2, 4, 5).reshape(-1, side, side, width)


def join_windows(windows: Tensor, rows: int, columns: int) -> Tensor:
    """Maps of that size again; what was filled up is cut away."""
    side, width = windows.shape[1], windows.shape[-1]
    tall, wide = -(-rows // side), -(-columns // side)
    joined = windows.view(-1, tall, wide, side, side, width).permute(0, 1, 3, 2, 4, 5)
    return joined.reshape(-1, tall * side, wide * side, width)[:, :rows, :columns]
