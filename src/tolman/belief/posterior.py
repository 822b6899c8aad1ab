"""The posterior over positions after any history: marginals, displacements, entropy, the most probable map and joint
samples.

The prior is uniform and independent over the cells of [-extent, extent] squared, so the posterior is uniform over the
joint positions that satisfy all relations.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.belief.possible_positions import Belief, ExactPosition
from tolman.belief.variable_elimination import (
    STATES_PER_DRAW,
    BeliefPart,
    Elimination,
    Factor,
    Floats,
    draw_index,
    eliminate,
    exact_parts,
    find_order,
    places,
    sample_parts,
)
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Cell, Vector
from tolman.core.seeds import rng
from tolman.world import START

MOST_STATES = 5_000_000
"""Numbers in all tables of an exact posterior together, of 8 bytes each. Beyond it, some positions are drawn."""
_GAIN_UNITS = 2.0**40


def posterior(belief: Belief, seed: int = 0, most_states: int = MOST_STATES) -> "Posterior":
    """What an ideal observer makes of a belief. The seed counts only where the tables would be too large.

    Raises `ImpossibleBeliefError` where no joint positions satisfy all relations, as may be after the world changed.
    """
    order = find_order(belief)
    if order.states <= most_states:
        return Posterior(belief, *exact_parts(belief, order.names), True, most_states)
    parts = sample_parts(belief, rng(seed, "posterior"), min(most_states, STATES_PER_DRAW))
    return Posterior(belief, *parts, False, most_states)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Probabilities of positions, and of anything that follows from them."""

    belief: Belief
    parts: tuple[BeliefPart, ...]
    """The belief itself; where it was too large, what became of it in each draw."""
    log2_count: float
    """Number of joint positions of all names that were mentioned, as a power of two."""
    exact: bool
    """Whether there was no need to draw anything."""
    most_states: int

    @property
    def names(self) -> tuple[str, ...]:
        """All that was mentioned and so has a posterior, in alphabetical order, without the start."""
        return tuple(sorted(self.belief.links.keys() - {START}))

    def marginal(self, name: str) -> dict[Cell, float]:
        """Probabilities of one thing's or door's positions; cells that have none are left out.

        Raises for a name that was never mentioned: all that is known of it is the prior.
        """
        cells, chances = self.belief.positions(name), self._chances(name).tolist()
        return {cell: chance for cell, chance in zip(cells, chances, strict=True) if chance > 0}

    def pair(self, a: str, b: str) -> dict[Vector, float]:
        """Probabilities of the displacement that leads from `b` to `a`, in cells east and north."""
        self._check(a)
        self._check(b)
        found: dict[Vector, float] = {}
        for part in self.parts:
            joint = part.share * (np.diag(_chances(part, a)) if a == b else self._joint(part, a, b))
            rows, columns = np.nonzero(joint)
            shifts = places(part.belief, a)[rows] - places(part.belief, b)[columns]
            unique, which = np.unique(shifts, return_inverse=True)
            sums = np.bincount(which, joint[rows, columns], len(unique))
            for shift, chance in zip(unique.tolist(), sums.tolist(), strict=True):
                vector = _vector(shift, self.belief)
                found[vector] = found.get(vector, 0.0) + chance
        return found

    def entropy(self, name: str) -> float:
        """Bits that are unknown about one position; for a name never mentioned, those of information gain's prior."""
        if name in self.belief.names and not self.belief.is_constrained(name):
            return 2 * math.log2(self.belief.extent)
        chances = self._chances(name)
        chances = chances[chances > 0]
        return abs(float(chances @ np.log2(chances)))

    @property
    def joint_entropy(self) -> float:
        """Bits that are unknown about all positions together.

        Names never mentioned count as one of `extent` squared cells each, as in information gain.
        """
        unseen = sum(not self.belief.is_constrained(name) for name in self.belief.names)
        return self.log2_count + unseen * 2 * math.log2(self.belief.extent)

    def most_probable(self) -> dict[str, Cell]:
        """Of all joint positions that satisfy all relations, those expected to put the most names right.

        Consistent joint positions are equally likely, so none is the most probable; this is the one with the largest
        sum of marginal probabilities. Ties are broken the same way every time. Where the posterior is not exact, the
        best among the parts.
        """
        gains = {name: np.rint(self._chances(name) * _GAIN_UNITS) for name in self.names}
        best = max((self._best(part, gains) for part in self.parts), key=lambda found: found[0])
        return best[1]

    def sample(self, stream: np.random.Generator) -> dict[str, Cell]:
        """One draw of all joint positions."""
        part = self.parts[0 if self.exact else draw_index(self._shares, stream)]
        return self._cells(part, part.rest.draw(stream))

    @cached_property
    def standard_error(self) -> float:
        """The largest standard error of any probability of a position; 0 where the posterior is exact."""
        if self.exact:
            return 0.0
        apart = (self._by_part(name) - self._chances(name) for name in self.names)
        return max(math.sqrt((self._shares**2 @ off**2).max()) for off in apart)

    def _check(self, name: str) -> None:
        if name not in self.belief.domains:
            raise UnknownNameError(f"nothing was told about {name!r}, so it has no posterior")

    @cached_property
    def _shares(self) -> Floats:
        return np.array([part.share for part in self.parts])

    def _by_part(self, name: str) -> Floats:
        """Probabilities of the positions of a name (columns) in each part (rows)."""
        self._check(name)
        everywhere = places(self.belief, name)
        table = np.zeros((len(self.parts), len(everywhere)))
        for row, part in zip(table, self.parts, strict=True):
            row[np.searchsorted(everywhere, places(part.belief, name))] = _chances(part, name)
        return table

    def _chances(self, name: str) -> Floats:
        return self._shares @ self._by_part(name)

    def _joint(self, part: BeliefPart, a: str, b: str) -> Floats:
        """Probabilities of the joint positions of two names that a part leaves, `a` along the rows."""
        if a not in part.rest.places or b not in part.rest.places:
            return np.outer(_chances(part, a), _chances(part, b))
        order = find_order(part.belief, last=(a, b))
        if order.states > self.most_states:
            return _joint_by_rows(part, a, b)
        table = eliminate(part.belief, order.names).joint[a]
        return table.values if b in table.names else np.outer(_chances(part, a), _chances(part, b))

    def _best(self, part: BeliefPart, gains: dict[str, Floats]) -> tuple[float, dict[str, Cell]]:
        """The most that a part can gain, and how."""
        index = {
            name: np.searchsorted(places(self.belief, name), places(part.belief, name)) for name in part.rest.places
        }
        cells = self._cells(part, part.rest.best({name: gains[name][where] for name, where in index.items()}))
        total = sum(float(gains[name][self.belief.positions(name).index(cell)]) for name, cell in cells.items())
        return total, cells

    def _cells(self, part: BeliefPart, bits: dict[str, int]) -> dict[str, Cell]:
        """All positions of a joint assignment of the names that a part leaves undecided."""
        board = self.belief.board
        return {name: board.cell(bits[name]) if name in bits else part.belief.positions(name)[0] for name in self.names}


def _chances(part: BeliefPart, name: str) -> Floats:
    """Probabilities along the places that a part leaves to a name."""
    return part.rest.probabilities(name) if name in part.rest.places else np.ones(1)


def _joint_by_rows(part: BeliefPart, a: str, b: str) -> Floats:
    """Such a table, made by putting `a` at one position after another: slower, but with smaller tables."""
    joint = np.zeros((part.belief.count(a), part.belief.count(b)))
    for row, cell, chance in zip(joint, part.belief.positions(a), _chances(part, a).tolist(), strict=True):
        if chance > 0:
            belief = part.belief.stating((ExactPosition(a, START, cell),))
            there = BeliefPart(1.0, belief, eliminate(belief, find_order(belief).names))
            row[np.searchsorted(places(part.belief, b), places(belief, b))] = chance * _chances(there, b)
    return joint


def _vector(shift: int, belief: Belief) -> Vector:
    """The displacement that a difference of bits on the belief's board stands for."""
    reach, stride = 2 * belief.extent, belief.board.stride
    y, x = divmod(shift + reach, stride)
    return x - reach, y


Ints = NDArray[np.int64]

MOST_LISTED = 4096
"""Joint positions up to which all are listed."""
JOINT_DRAWS = 1024
"""Joint positions drawn where there are more."""


@dataclass(frozen=True, eq=False)
class JointPositions:
    """Weighted joint positions, in cells east and north of the start; the weights add up to 1."""

    cells: dict[str, Ints]
    """By name, one row of two for each joint position."""
    weights: Floats
    exact: bool
    """Whether all there are, and none drawn."""


def joint_positions(
    posterior: Posterior, stream: np.random.Generator, most: int = MOST_LISTED, draws: int = JOINT_DRAWS
) -> JointPositions:
    """Every joint position that satisfies all relations, if there are at most so many; else so many draws."""
    every = posterior.exact and 2.0**posterior.log2_count <= most + 0.5
    if every:
        chosen = [(posterior.parts[0], _list_all(posterior.parts[0].rest))]
    else:
        shares = np.array([part.share for part in posterior.parts])
        counts = stream.multinomial(draws, shares / shares.sum())
        parts = zip(posterior.parts, counts.tolist(), strict=True)
        chosen = [(part, _draw_rows(part.rest, count, stream)) for part, count in parts if count]
    cells = [_cells(posterior, part, rows) for part, rows in chosen]
    joined = {name: np.concatenate([found[name] for found in cells]) for name in posterior.names}
    rows = sum(rows.count for _, rows in chosen)
    return JointPositions(joined, np.full(rows, 1.0 / rows), every)


@dataclass(frozen=True, eq=False)
class _Rows:
    """For each undecided name the number of its place, row by row."""

    count: int
    places: dict[str, Ints]


def _list_all(rest: Elimination) -> _Rows:
    rows = _Rows(1, {})
    for table in reversed(rest.tables):
        which, place = np.nonzero(_ways(table, rows).T)
        kept = {name: index[which] for name, index in rows.places.items()}
        rows = _Rows(len(which), {**kept, table.names[0]: place})
    return rows


def _draw_rows(rest: Elimination, count: int, stream: np.random.Generator) -> _Rows:
    rows = _Rows(count, {})
    for table in reversed(rest.tables):
        sums: Floats = np.cumsum(_ways(table, rows), axis=0)
        place = np.count_nonzero(sums <= stream.random(count) * sums[-1], axis=0)
        rows = _Rows(count, {**rows.places, table.names[0]: place})
    return rows


def _ways(table: Factor, rows: _Rows) -> Floats:
    """Ways to go on with each place of a table's first name (rows), for each row so far (columns)."""
    given = tuple(rows.places[name] for name in table.names[1:])
    values = table.values[(slice(None), *given)]
    return values if given else np.repeat(values[:, None], rows.count, axis=1)


def _cells(posterior: Posterior, part: BeliefPart, rows: _Rows) -> dict[str, Ints]:
    board = posterior.belief.board
    found: dict[str, Ints] = {}
    for name in posterior.names:
        if name in rows.places:
            y, x = np.divmod(part.rest.places[name][rows.places[name]], board.stride)
            found[name] = np.stack([x - board.reach, y - board.reach], axis=1)
        else:
            found[name] = np.tile(np.array(part.belief.positions(name)[0], np.int64), (rows.count, 1))
    return found
