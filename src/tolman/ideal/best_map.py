"""The map of highest expected score: what anyone could state who was told as much."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tolman.belief.joint_positions import joint_positions
from tolman.belief.map_scores import Yardstick
from tolman.belief.posterior import Posterior
from tolman.geometry import Cell
from tolman.ideal.candidates import candidates
from tolman.ideal.directions import pair_directions
from tolman.ideal.labels import Ints, Labels, labels
from tolman.seeds import rng
from tolman.world import AGENT, START

MOST, DRAWS = 512, 256
"""Joint positions that are weighed: all up to so many, else so many draws. A map is asked for after every turn."""


@dataclass(frozen=True)
class BestMap:
    """Positions to state, and the score to be expected of them."""

    cells: dict[str, Cell]
    """In cells east and north of the start, by name, the agent included."""
    expected: float
    """Mean of direction, facing and position, as maps are scored under the strict rules."""


@dataclass(frozen=True)
class Scored:
    """What a map is scored against: all of some names, of which only those that were seen can be stated."""

    names: tuple[str, ...]
    """The agent, where it counts, is one of them."""
    yardstick: Yardstick


def best_map(posterior: Posterior, standing_on: str, seen: Sequence[str], scored: Scored, seed: int = 0) -> BestMap:
    """The best map of what was seen by someone who stands on `standing_on`.

    Facings are known of all that was seen. A name that counts and was not seen is missing from the map.
    """
    joint = joint_positions(posterior, rng(seed, "best map"), MOST, DRAWS)
    start = np.zeros((len(joint.weights), 2), np.int64)
    cells = {START: start, **joint.cells}
    cells[AGENT] = cells.get(standing_on, start)
    stated = tuple(name for name in scored.names if name in cells and (name in seen or name == AGENT))
    if not stated:
        return BestMap({}, 0.0)
    true = np.stack([cells[name] for name in stated], axis=1)
    score, said = _best(true, scored, labels(2 * posterior.belief.extent))
    facing = _facing(stated, scored)
    expected = score / 2 if facing is None else (score + facing) / 3
    return BestMap({name: (int(x), int(y)) for name, (x, y) in zip(stated, said.tolist(), strict=True)}, expected)


def _best(true: Ints, scored: Scored, table: Labels) -> tuple[float, Ints]:
    """The best joint positions to state, given equally likely true ones (worlds, names, x and y).

    With the expected sum of their scores for direction and position.
    """
    right = pair_directions(true, table)
    share, pairs = true.shape[1] / len(scored.names), math.comb(len(scored.names) + 1, 2)
    length = max(scored.yardstick.length, 1e-12)
    expected: list[tuple[float, Ints]] = []
    for said in candidates(true):
        direction = np.count_nonzero(right == pair_directions(said[None], table)) / len(true) / pairs
        error = np.sqrt(((true - said) ** 2).sum(axis=(1, 2)) / true.shape[1])
        expected.append((float(direction + np.exp(-error / length).mean() * share), said))
    return max(expected, key=lambda pair: round(pair[0], 12))


def _facing(stated: tuple[str, ...], scored: Scored) -> float | None:
    """Share of facings that are known; None where none counts."""
    fronted = [name for name in scored.names if name in scored.yardstick.fronted]
    return sum(name in stated for name in fronted) / len(fronted) if fronted else None
