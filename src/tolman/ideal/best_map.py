"""The map of highest expected score given what was observed, chosen among candidate joint positions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tolman.belief.map_scores import MapScale
from tolman.belief.posterior import Posterior, joint_positions
from tolman.core.geometry import Cell
from tolman.core.seeds import rng
from tolman.ideal.labels import Ints, LabelTables, label_tables, pair_directions
from tolman.world import AGENT, START

LIKELY = 8
"""Most probable joint positions that are candidates."""


def candidates(cells: Ints) -> list[Ints]:
    """Candidates for the best joint positions to state, given equally likely ones (worlds, names, x and y).

    The most probable ones; the mean, the median, and each name's most probable cell, which may be inconsistent jointly.
    """
    first, counts = _distinct(cells.reshape(len(cells), -1))
    likely = cells[first[np.argsort(-counts, kind="stable")[:LIKELY]]]
    if len(first) == 1:
        return [likely[0]]
    mean = np.rint(cells.mean(axis=0)).astype(np.int64)
    median = np.sort(cells, axis=0)[len(cells) // 2]
    return [*likely, mean, median, _modes(cells)]


def _modes(cells: Ints) -> Ints:
    """Each name's most probable cell; of ties the lowest."""
    low = cells.min(axis=(0, 1))
    wide = int((cells.max(axis=(0, 1)) - low).max()) + 1
    codes = (cells - low) @ np.array([wide, 1])
    best = [int(np.bincount(codes[:, i]).argmax()) for i in range(codes.shape[1])]
    return np.array([divmod(code, wide) for code in best]) + low


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Index of the first occurrence of each distinct row, and its count. Rows are compared by a 64-bit hash."""
    _, first, counts = np.unique(rows @ _hash_factors(rows.shape[1]), return_index=True, return_counts=True)
    order = np.argsort(first)
    return first[order], counts[order]


@cache
def _hash_factors(count: int) -> Ints:
    return np.asarray(rng(0, "rows").integers(1, 2**62, count), np.int64)


MOST, DRAWS = 512, 256
"""Joint positions over which the score is averaged: all of them up to `MOST`, else `DRAWS` samples."""


@dataclass(frozen=True)
class BestMap:
    """Positions to state, and their expected score."""

    cells: dict[str, Cell]
    """In cells east and north of the start, by name, the agent included."""
    expected: float
    """Mean of direction, facing and position, as maps are scored under the strict rules."""
    error: float = 0.0
    """Standard error of the expected score, where the observer states one."""
    lost: float | None = None
    """At most this much is expected more of any other map of these names; None where no bound is known."""


@dataclass(frozen=True)
class ScoredNames:
    """The names against which a map is scored, of which only those seen can be stated, and the scale of the scores."""

    names: tuple[str, ...]
    """With `AGENT`, where the agent's pose counts."""
    scale: MapScale


def best_map(
    posterior: Posterior, standing_on: str, seen: Sequence[str], scored: ScoredNames, seed: int = 0
) -> BestMap:
    """The map of highest expected score for an agent that stands on `standing_on`.

    The facings of all names seen are known. A scored name that was not seen is missing from the map.
    """
    joint = joint_positions(posterior, rng(seed, "best map"), MOST, DRAWS)
    start = np.zeros((len(joint.weights), 2), np.int64)
    cells = {START: start, **joint.cells}
    cells[AGENT] = cells.get(standing_on, start)
    stated = tuple(name for name in scored.names if name in cells and (name in seen or name == AGENT))
    if not stated:
        return BestMap({}, 0.0)
    true = np.stack([cells[name] for name in stated], axis=1)
    score, said = _best(true, scored, label_tables(2 * posterior.belief.extent))
    facing = known_facings(stated, scored)
    expected = score / 2 if facing is None else (score + facing) / 3
    return BestMap({name: (int(x), int(y)) for name, (x, y) in zip(stated, said.tolist(), strict=True)}, expected)


def _best(true: Ints, scored: ScoredNames, table: LabelTables) -> tuple[float, Ints]:
    """The best joint positions to state, given equally likely true ones (worlds, names, x and y), with the expected sum
    of their scores for direction and position."""
    right = pair_directions(true, table)
    share, pairs = true.shape[1] / len(scored.names), math.comb(len(scored.names) + 1, 2)
    length = max(scored.scale.length, 1e-12)
    expected: list[tuple[float, Ints]] = []
    for said in candidates(true):
        direction = np.count_nonzero(right == pair_directions(said[None], table)) / len(true) / pairs
        error = np.sqrt(((true - said) ** 2).sum(axis=(1, 2)) / true.shape[1])
        expected.append((float(direction + np.exp(-error / length).mean() * share), said))
    return max(expected, key=lambda pair: round(pair[0], 12))


def known_facings(stated: tuple[str, ...], scored: ScoredNames) -> float | None:
    """Share of facings that are known; None where none counts."""
    fronted = [name for name in scored.names if name in scored.scale.fronted]
    return sum(name in stated for name in fronted) / len(fronted) if fronted else None
