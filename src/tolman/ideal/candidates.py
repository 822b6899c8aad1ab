"""Joint positions worth stating, where several are possible."""

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
    modes = np.stack([_mode(cells[:, i]) for i in range(cells.shape[1])])
    return [*likely, mean, median, modes]


def _mode(cells: Ints) -> Ints:
    first, counts = _distinct(cells)
    return cells[first[np.argmax(counts)]]


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Where each distinct row first stands, and how often it comes. Rows are told apart by a hash of 64 bits."""
    factors = np.asarray(rng(0, "rows").integers(1, 2**62, rows.shape[1]), np.int64)
    _, first, counts = np.unique(rows @ factors, return_index=True, return_counts=True)
    order = np.argsort(first)
    return first[order], counts[order]
