"""Drawing part of the world and counting the rest exactly: for beliefs whose tables would be too large.

A draw puts one hub after another at a random position, until what is left is small enough to be summed out. Its weight
is the number of choices there were, times the number of ways to place the rest; so the mean weight is, without bias,
the number of joint positions.
"""

import math
from dataclasses import dataclass

import numpy as np

from tolman.belief.elimination import Elimination, ImpossibleBeliefError, eliminate
from tolman.belief.network import find_order, neighbours
from tolman.belief.possible import Belief
from tolman.belief.relations import Exactly
from tolman.world import START

DRAWS = 256
STATES_PER_DRAW = 20_000


@dataclass(frozen=True, eq=False)
class Part:
    """A belief that can be summed out, and its share among all parts; the shares add up to 1."""

    share: float
    belief: Belief
    rest: Elimination


@dataclass(frozen=True, eq=False)
class _Draw:
    log2_weight: float
    belief: Belief
    rest: Elimination


def whole(belief: Belief, order: tuple[str, ...]) -> tuple[tuple[Part, ...], float]:
    """The belief as its only part, and the exact number of joint positions as a power of two."""
    rest = eliminate(belief, order)
    return (Part(1.0, belief, rest),), rest.log2_count


def draw_parts(
    belief: Belief, stream: np.random.Generator, most_states: int = STATES_PER_DRAW, draws: int = DRAWS
) -> tuple[tuple[Part, ...], float]:
    """Weighted parts of a belief, and the estimated number of joint positions as a power of two."""
    drawn = [draw for _ in range(draws) if (draw := _draw(belief, stream, most_states)) is not None]
    if not drawn:
        raise ImpossibleBeliefError(f"none of {draws} draws found positions that fit everything that was told")
    top = max(draw.log2_weight for draw in drawn)
    weights = [2.0 ** (draw.log2_weight - top) for draw in drawn]
    total = math.fsum(weights)
    parts = tuple(Part(w / total, draw.belief, draw.rest) for w, draw in zip(weights, drawn, strict=True))
    return parts, top + math.log2(total / draws)


def _draw(belief: Belief, stream: np.random.Generator, most_states: int) -> _Draw | None:
    """One draw, or None where it came to a dead end and so has no weight."""
    log2_choices = 0.0
    conflicts = len(belief.conflicts)
    while (order := find_order(belief)).states > most_states:
        name = _hub(belief)
        cells = belief.positions(name)
        cell = cells[int(stream.integers(len(cells)))]
        log2_choices += math.log2(len(cells))
        belief = belief.stating((Exactly(name, START, cell),))
        if len(belief.conflicts) > conflicts:
            return None
    try:
        rest = eliminate(belief, order.names)
    except ImpossibleBeliefError:
        return None
    return _Draw(log2_choices + rest.log2_count, belief, rest)


def _hub(belief: Belief) -> str:
    """The name that is related to most others, of several the one with the most positions."""
    around = neighbours(belief)
    return max(around, key=lambda name: (len(around[name]), belief.count(name)))
