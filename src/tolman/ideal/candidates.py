"""Joint positions worth stating, where several are possible."""

from functools import cache

import numpy as np

from tolman.ideal.labels import Ints
from tolman.seeds import rng

LIKELY = 8
"""Joint positions that are tried as they are."""


def candidates(cells: Ints) -> list[Ints]:
    """Joint positions that may be the best to state, given equally likely ones (worlds, names, x and y).

    The likeliest as they are; the mean, the median, and each name's likeliest cell, which need not go together.
    """
    first, counts = _distinct(cells.reshape(len(cells), -1))
    likely = cells[first[np.argsort(-counts, kind="stable")[:LIKELY]]]
    if len(first) == 1:
        return [likely[0]]
    mean = np.rint(cells.mean(axis=0)).astype(np.int64)
    median = np.sort(cells, axis=0)[len(cells) // 2]
    return [*likely, mean, median, _modes(cells)]


def _modes(cells: Ints) -> Ints:
    """Each name's likeliest cell, of several the lowest."""
    low = cells.min(axis=(0, 1))
    wide = int((cells.max(axis=(0, 1)) - low).max()) + 1
    codes = (cells - low) @ np.array([wide, 1])
    best = [int(np.bincount(codes[:, i]).argmax()) for i in range(codes.shape[1])]
    return np.array([divmod(code, wide) for code in best]) + low


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Where each distinct row first stands, and how often it comes. Rows are told apart by a hash of 64 bits."""
    _, first, counts = np.unique(rows @ _factors(rows.shape[1]), return_index=True, return_counts=True)
    order = np.argsort(first)
    return first[order], counts[order]


@cache
def _factors(count: int) -> Ints:
    return np.asarray(rng(0, "rows").integers(1, 2**62, count), np.int64)
