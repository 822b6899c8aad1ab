"""A belief as a network of tables: the undecided names, their positions in a fixed order, and which pairs go together.

A name with one position left is decided: arc consistency has already taken everything that it says about others into
their domains, so it needs no table. The start is always decided.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.belief.board import Shifter, bit_indices
from tolman.belief.possible import Belief

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
"""Possible positions of one name, as bits of the belief's board in ascending order."""


@dataclass(frozen=True)
class Order:
    """The names to sum out, first to last, and the number of states of all tables on the way together."""

    names: tuple[str, ...]
    states: int


def undecided(belief: Belief) -> tuple[str, ...]:
    """Names that were mentioned and have several positions left, in alphabetical order."""
    return tuple(sorted(name for name in belief.links if belief.domains[name].bit_count() > 1))


def neighbours(belief: Belief) -> dict[str, set[str]]:
    """For every undecided name, the undecided ones that it was related to."""
    names = set(undecided(belief))
    return {name: names & belief.links[name].keys() for name in sorted(names)}


def find_order(belief: Belief, last: tuple[str, ...] = ()) -> Order:
    """A good order: always the name whose table is smallest goes next, those in `last` at the end."""
    size = {name: belief.domains[name].bit_count() for name in undecided(belief)}
    around = neighbours(belief)
    names: list[str] = []
    states = 0
    while around:
        free = [name for name in around if name not in last] or [name for name in last if name in around][:1]
        name = min(free, key=lambda name: _states(name, around, size))
        states += _states(name, around, size)
        names.append(name)
        _remove(name, around)
    return Order(tuple(names), states)


def _states(name: str, around: Mapping[str, set[str]], size: Mapping[str, int]) -> int:
    return size[name] * math.prod(size[other] for other in around[name])


def _remove(name: str, around: dict[str, set[str]]) -> None:
    """Sum a name out: all that it was related to are now related to each other."""
    others = around.pop(name)
    for other in others:
        around[other] |= others
        around[other] -= {name, other}


def places(belief: Belief, name: str) -> Places:
    return np.fromiter(bit_indices(belief.possible(name)), np.int64)


def fits(shifter: Shifter, subject: Places, anchor: Places) -> Floats:
    """1 where a position of the subject (rows) and one of the anchor (columns) go together, else 0."""
    length = (shifter.stencil.bit_length() + 7) // 8
    raw = np.frombuffer(shifter.stencil.to_bytes(length, "little"), np.uint8)
    stencil = np.unpackbits(raw, bitorder="little")
    shift = subject[:, None] - anchor[None, :] - shifter.offset
    inside = (shift >= 0) & (shift < len(stencil))
    return np.where(inside, stencil[np.where(inside, shift, 0)], 0).astype(np.float64)
