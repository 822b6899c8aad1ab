"""Count all joint positions that satisfy every relation by variable elimination; where the tables would be too large,
by sampling a cutset and summing out the rest.

Counts are float64 scaled by powers of two and only ever added and multiplied: exact below 2**53, with a relative
error of about 1e-15 above.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.belief.bitboard import DisplacementSet, bit_indices
from tolman.belief.possible_positions import Belief, ExactPosition
from tolman.core.errors import TolmanError
from tolman.world import START

Floats = NDArray[np.float64]
PositionBits = NDArray[np.int64]
"""Possible positions of one name, as bits of the belief's board in ascending order."""


@dataclass(frozen=True)
class EliminationOrder:
    """The names to sum out, first to last, and the number of states of all intermediate tables together."""

    names: tuple[str, ...]
    states: int


def undecided(belief: Belief) -> tuple[str, ...]:
    """Names that the evidence mentions and that have several positions left, in alphabetical order."""
    return tuple(sorted(name for name in belief.links if belief.domains[name].bit_count() > 1))


def neighbours(belief: Belief) -> dict[str, set[str]]:
    """For every undecided name, the undecided names related to it."""
    names = set(undecided(belief))
    return {name: names & belief.links[name].keys() for name in sorted(names)}


def find_order(belief: Belief, last: tuple[str, ...] = ()) -> EliminationOrder:
    """A greedy order: the name with the smallest table goes next, those in `last` at the end."""
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
    return EliminationOrder(tuple(names), states)


def _states(name: str, around: Mapping[str, set[str]], size: Mapping[str, int]) -> int:
    return size[name] * math.prod(size[other] for other in around[name])


def _remove(name: str, around: dict[str, set[str]]) -> None:
    """Sum a name out: its neighbours become neighbours of each other."""
    others = around.pop(name)
    for other in others:
        around[other] |= others
        around[other] -= {name, other}


def position_bits(belief: Belief, name: str) -> PositionBits:
    """Possible positions of a name, as ascending bit indices."""
    return np.fromiter(bit_indices(belief.possible(name)), np.int64)


def compatibility(allowed: DisplacementSet, subject: PositionBits, anchor: PositionBits) -> Floats:
    """1 where a position of the subject (rows) and one of the anchor (columns) are compatible, else 0."""
    length = (allowed.stencil.bit_length() + 7) // 8
    raw = np.frombuffer(allowed.stencil.to_bytes(length, "little"), np.uint8)
    stencil = np.unpackbits(raw, bitorder="little")
    shift = subject[:, None] - anchor[None, :] - allowed.offset
    inside = (shift >= 0) & (shift < len(stencil))
    return np.where(inside, stencil[np.where(inside, shift, 0)], 0).astype(np.float64)


class ImpossibleBeliefError(TolmanError):
    """Every relation can hold, but not all together, so no world is consistent. The world may have changed."""


@dataclass(frozen=True, eq=False)
class Factor:
    """A number for each joint position of some names, one axis each, in the order in which they are summed out."""

    names: tuple[str, ...]
    values: Floats

    def along(self, names: tuple[str, ...]) -> Floats:
        """The values, shaped to be multiplied with a table of more names."""
        length = dict(zip(self.names, self.values.shape, strict=True))
        return self.values.reshape([length.get(name, 1) for name in names])

    def onto(self, names: tuple[str, ...]) -> Floats:
        """The sum over all names but these."""
        return self.values.sum(axis=tuple(i for i, name in enumerate(self.names) if name not in names))


@dataclass(frozen=True, eq=False)
class Elimination:
    """The result of summing out all names: one table each, in the order of elimination."""

    positions: Mapping[str, PositionBits]
    tables: tuple[Factor, ...]
    log2_count: float
    """Binary logarithm of the number of joint positions that satisfy all relations."""

    @cached_property
    def joint(self) -> dict[str, Factor]:
        """By name, the probabilities of the joint positions in its table."""
        found: dict[str, Factor] = {}
        for table in reversed(self.tables):
            name, *given = table.names
            ways = table.values.sum(axis=0)
            share = np.divide(table.values, ways, out=np.zeros_like(table.values), where=ways > 0)
            if given:
                share *= found[given[0]].onto(tuple(given))
            found[name] = Factor(table.names, share)
        return found

    def probabilities(self, name: str) -> Floats:
        """Marginal probabilities of the positions of one undecided name."""
        return self.joint[name].onto((name,))

    def draw(self, stream: np.random.Generator) -> dict[str, int]:
        """Position bits of one joint assignment, drawn uniformly from the consistent ones."""
        chosen: dict[str, int] = {}
        for table in reversed(self.tables):
            chosen[table.names[0]] = draw_index(table.values[_at(table, chosen)], stream)
        return self._bits(chosen)

    def best(self, gains: Mapping[str, Floats]) -> dict[str, int]:
        """Position bits of the consistent joint assignment with the largest sum of gains; of ties the lowest."""
        waiting: list[Factor] = []
        done: list[Factor] = []
        for table in self.tables:
            name = table.names[0]
            score = np.where(table.values > 0, 0.0, -np.inf) + Factor((name,), gains[name]).along(table.names)
            for message in (message for message in waiting if message.names[0] == name):
                score += message.along(table.names)
            waiting = [message for message in waiting if message.names[0] != name]
            done.append(Factor(table.names, score))
            if len(table.names) > 1:
                waiting.append(Factor(table.names[1:], score.max(axis=0)))
        chosen: dict[str, int] = {}
        for table in reversed(done):
            chosen[table.names[0]] = int(np.argmax(table.values[_at(table, chosen)]))
        return self._bits(chosen)

    def _bits(self, chosen: Mapping[str, int]) -> dict[str, int]:
        return {name: int(self.positions[name][i]) for name, i in chosen.items()}


def draw_index(weights: Floats, stream: np.random.Generator) -> int:
    """An index, drawn in proportion to its weight."""
    sums: Floats = np.cumsum(weights)
    return int(np.count_nonzero(sums <= stream.random() * sums[-1]))


def _at(table: Factor, chosen: Mapping[str, int]) -> tuple[slice | int, ...]:
    """The index into a table by the positions already chosen for all names but the first."""
    return (slice(None), *(chosen[name] for name in table.names[1:]))


def eliminate(belief: Belief, order: tuple[str, ...]) -> Elimination:
    """Sum out all undecided names in this order; raises where no joint assignment is left."""
    positions = {name: position_bits(belief, name) for name in order}
    waiting = _relation_factors(belief, positions)
    tables: list[Factor] = []
    log2_count = 0.0
    for name in order:
        factors = [factor for factor in waiting if factor.names[0] == name]
        waiting = [factor for factor in waiting if factor.names[0] != name]
        table = _product(name, factors, positions)
        tables.append(table)
        ways = table.values.sum(axis=0)
        if not ways.any():
            raise ImpossibleBeliefError(f"no position of {name!r} is consistent with all evidence")
        _, power = math.frexp(ways.max())
        log2_count += power
        if len(table.names) > 1:
            waiting.append(Factor(table.names[1:], np.ldexp(ways, -power)))
        else:
            log2_count += math.log2(math.ldexp(float(ways), -power))
    return Elimination(positions, tuple(tables), log2_count)


def _relation_factors(belief: Belief, positions: Mapping[str, PositionBits]) -> list[Factor]:
    """One table for every related pair, the name that is summed out first along the first axis."""
    names = list(positions)
    return [
        Factor((a, b), compatibility(belief.links[a][b], positions[a], positions[b]))
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if b in belief.links[a]
    ]


def _product(name: str, factors: list[Factor], positions: Mapping[str, PositionBits]) -> Factor:
    """The number of ways to place a name and its remaining neighbours."""
    involved = {other for factor in factors for other in factor.names} | {name}
    names = tuple(other for other in positions if other in involved)
    values = np.ones([len(positions[other]) for other in names])
    for factor in factors:
        values *= factor.along(names)
    return Factor(names, values)


CUTSET_DRAWS = 256
STATES_PER_DRAW = 20_000


@dataclass(frozen=True, eq=False)
class BeliefPart:
    """A belief small enough to be summed out, and its share of the posterior; the shares add up to 1."""

    share: float
    belief: Belief
    elimination: Elimination


@dataclass(frozen=True, eq=False)
class _Draw:
    log2_weight: float
    belief: Belief
    elimination: Elimination


def exact_parts(belief: Belief, order: tuple[str, ...]) -> tuple[tuple[BeliefPart, ...], float]:
    """The belief as its only part, and the binary logarithm of the number of joint positions."""
    elimination = eliminate(belief, order)
    return (BeliefPart(1.0, belief, elimination),), elimination.log2_count


def sample_parts(
    belief: Belief, stream: np.random.Generator, most_states: int = STATES_PER_DRAW, draws: int = CUTSET_DRAWS
) -> tuple[tuple[BeliefPart, ...], float]:
    """Weighted parts of a belief, and the binary logarithm of the estimated number of joint positions."""
    drawn = [draw for _ in range(draws) if (draw := _draw(belief, stream, most_states)) is not None]
    if not drawn:
        raise ImpossibleBeliefError(f"none of {draws} draws found positions consistent with all evidence")
    top = max(draw.log2_weight for draw in drawn)
    weights = [2.0 ** (draw.log2_weight - top) for draw in drawn]
    total = math.fsum(weights)
    parts = tuple(BeliefPart(w / total, draw.belief, draw.elimination) for w, draw in zip(weights, drawn, strict=True))
    return parts, top + math.log2(total / draws)


def _draw(belief: Belief, stream: np.random.Generator, most_states: int) -> _Draw | None:
    """One draw of a cutset; None where it is inconsistent and so has weight 0."""
    log2_choices = 0.0
    conflicts = len(belief.conflicts)
    while (order := find_order(belief)).states > most_states:
        name = _most_related(belief)
        cells = belief.positions(name)
        cell = cells[int(stream.integers(len(cells)))]
        log2_choices += math.log2(len(cells))
        belief = belief.with_statements((ExactPosition(name, START, cell),))
        if len(belief.conflicts) > conflicts:
            return None
    try:
        elimination = eliminate(belief, order.names)
    except ImpossibleBeliefError:
        return None
    return _Draw(log2_choices + elimination.log2_count, belief, elimination)


def _most_related(belief: Belief) -> str:
    """The name that is related to most others; of ties the one with the most positions."""
    around = neighbours(belief)
    return max(around, key=lambda name: (len(around[name]), belief.count(name)))
