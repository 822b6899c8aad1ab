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
    position_bits,
    sample_parts,
)
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Cell, Vector
from tolman.core.seeds import rng
from tolman.world import START

MOST_STATES = 5_000_000
"""Most entries (8 bytes each) of all tables of an exact posterior together; beyond, a cutset is sampled."""
_GAIN_UNITS = 2.0**40


def posterior(belief: Belief, seed: int = 0, most_states: int = MOST_STATES) -> "Posterior":
    """The posterior of a belief; the seed matters only where the tables would be too large.

    Raises `ImpossibleBeliefError` where no joint positions satisfy all relations, as can happen once the world changed.
    """
    order = find_order(belief)
    if order.states <= most_states:
        return Posterior(belief, *exact_parts(belief, order.names), True, most_states)
    parts = sample_parts(belief, rng(seed, "posterior"), min(most_states, STATES_PER_DRAW))
    return Posterior(belief, *parts, False, most_states)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Probabilities of positions and of displacements."""

    belief: Belief
    parts: tuple[BeliefPart, ...]
    """The belief itself; where sampled, the belief given each draw of the cutset."""
    log2_count: float
    """Binary logarithm of the number of joint positions of all names that the evidence mentions."""
    exact: bool
    """Whether nothing was sampled."""
    most_states: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names that the evidence mentions, which so have a posterior, in alphabetical order; without the start."""
        return tuple(sorted(self.belief.links.keys() - {START}))

    def marginal(self, name: str) -> dict[Cell, float]:
        """Probabilities of one object's or door's positions; cells of probability 0 are left out.

        Raises for a name that no evidence mentions: its posterior is the prior.
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
            shifts = position_bits(part.belief, a)[rows] - position_bits(part.belief, b)[columns]
            unique, which = np.unique(shifts, return_inverse=True)
            sums = np.bincount(which, joint[rows, columns], len(unique))
            for shift, chance in zip(unique.tolist(), sums.tolist(), strict=True):
                vector = _vector(shift, self.belief)
                found[vector] = found.get(vector, 0.0) + chance
        return found

    def entropy(self, name: str) -> float:
        """Entropy of one position in bits; for a name never mentioned, that of the prior of information gain."""
        if name in self.belief.names and not self.belief.is_constrained(name):
            return 2 * math.log2(self.belief.extent)
        chances = self._chances(name)
        chances = chances[chances > 0]
        return abs(float(chances @ np.log2(chances)))

    @property
    def joint_entropy(self) -> float:
        """Entropy of all positions together in bits.

        A name never mentioned is uniform over `extent` squared cells, as in information gain.
        """
        unseen = sum(not self.belief.is_constrained(name) for name in self.belief.names)
        return self.log2_count + unseen * 2 * math.log2(self.belief.extent)

    def most_probable(self) -> dict[str, Cell]:
        """The consistent joint positions with the highest expected number of correct names.

        Consistent joint positions are equally likely, so none is the most probable; this is the one with the largest
        sum of marginal probabilities, with a fixed order among ties. Where the posterior is not exact, the best among
        the parts.
        """
        gains = {name: np.rint(self._chances(name) * _GAIN_UNITS) for name in self.names}
        best = max((self._best(part, gains) for part in self.parts), key=lambda found: found[0])
        return best[1]

    def sample(self, stream: np.random.Generator) -> dict[str, Cell]:
        """One draw of all joint positions."""
        part = self.parts[0 if self.exact else draw_index(self._shares, stream)]
        return self._cells(part, part.elimination.draw(stream))

    @cached_property
    def standard_error(self) -> float:
        """The largest standard error of any probability of a position; 0 where the posterior is exact."""
        if self.exact:
            return 0.0
        apart = (self._by_part(name) - self._chances(name) for name in self.names)
        return max(math.sqrt((self._shares**2 @ off**2).max()) for off in apart)

    def _check(self, name: str) -> None:
        if name not in self.belief.domains:
            raise UnknownNameError(f"no evidence mentions {name!r}, so it has no posterior")

    @cached_property
    def _shares(self) -> Floats:
        return np.array([part.share for part in self.parts])

    def _by_part(self, name: str) -> Floats:
        """Probabilities of the positions of a name (columns) in each part (rows)."""
        self._check(name)
        everywhere = position_bits(self.belief, name)
        table = np.zeros((len(self.parts), len(everywhere)))
        for row, part in zip(table, self.parts, strict=True):
            row[np.searchsorted(everywhere, position_bits(part.belief, name))] = _chances(part, name)
        return table

    def _chances(self, name: str) -> Floats:
        return self._shares @ self._by_part(name)

    def _joint(self, part: BeliefPart, a: str, b: str) -> Floats:
        """Probabilities of the joint positions of two names in a part, `a` along the rows."""
        if a not in part.elimination.positions or b not in part.elimination.positions:
            return np.outer(_chances(part, a), _chances(part, b))
        order = find_order(part.belief, last=(a, b))
        if order.states > self.most_states:
            return _joint_by_rows(part, a, b)
        table = eliminate(part.belief, order.names).joint[a]
        return table.values if b in table.names else np.outer(_chances(part, a), _chances(part, b))

    def _best(self, part: BeliefPart, gains: dict[str, Floats]) -> tuple[float, dict[str, Cell]]:
        """The largest sum of gains in a part, and its joint positions."""
        index = {
            name: np.searchsorted(position_bits(self.belief, name), position_bits(part.belief, name))
            for name in part.elimination.positions
        }
        cells = self._cells(part, part.elimination.best({name: gains[name][where] for name, where in index.items()}))
        total = sum(float(gains[name][self.belief.positions(name).index(cell)]) for name, cell in cells.items())
        return total, cells

    def _cells(self, part: BeliefPart, bits: dict[str, int]) -> dict[str, Cell]:
        """All positions, given a joint assignment of the names that a part leaves undecided."""
        board = self.belief.board
        return {name: board.cell(bits[name]) if name in bits else part.belief.positions(name)[0] for name in self.names}


def _chances(part: BeliefPart, name: str) -> Floats:
    """Probabilities of the possible positions of a name in a part."""
    return part.elimination.probabilities(name) if name in part.elimination.positions else np.ones(1)


def _joint_by_rows(part: BeliefPart, a: str, b: str) -> Floats:
    """`Posterior._joint` by conditioning on each position of `a` in turn: slower, but with smaller tables."""
    joint = np.zeros((part.belief.count(a), part.belief.count(b)))
    for row, cell, chance in zip(joint, part.belief.positions(a), _chances(part, a).tolist(), strict=True):
        if chance > 0:
            belief = part.belief.with_statements((ExactPosition(a, START, cell),))
            given = BeliefPart(1.0, belief, eliminate(belief, find_order(belief).names))
            row[np.searchsorted(position_bits(part.belief, b), position_bits(belief, b))] = chance * _chances(given, b)
    return joint


def _vector(shift: int, belief: Belief) -> Vector:
    """The displacement that a difference of bit indices on the belief's board stands for."""
    reach, stride = 2 * belief.extent, belief.board.stride
    y, x = divmod(shift + reach, stride)
    return x - reach, y


Ints = NDArray[np.int64]

MOST_LISTED = 4096
"""Most joint positions that are enumerated."""
JOINT_DRAWS = 1024
"""Joint positions sampled where there are more."""


@dataclass(frozen=True, eq=False)
class JointPositions:
    """Weighted joint positions, in cells east and north of the start; the weights add up to 1."""

    cells: dict[str, Ints]
    """By name, an array of shape (joint positions, 2)."""
    weights: Floats
    exact: bool
    """Whether all joint positions were enumerated, none sampled."""


def joint_positions(
    posterior: Posterior, stream: np.random.Generator, most: int = MOST_LISTED, draws: int = JOINT_DRAWS
) -> JointPositions:
    """Every consistent joint position if there are at most `most`, else `draws` samples."""
    every = posterior.exact and 2.0**posterior.log2_count <= most + 0.5
    if every:
        chosen = [(posterior.parts[0], _list_all(posterior.parts[0].elimination))]
    else:
        shares = np.array([part.share for part in posterior.parts])
        counts = stream.multinomial(draws, shares / shares.sum())
        parts = zip(posterior.parts, counts.tolist(), strict=True)
        chosen = [(part, _draw_rows(part.elimination, count, stream)) for part, count in parts if count]
    cells = [_cells(posterior, part, rows) for part, rows in chosen]
    joined = {name: np.concatenate([found[name] for found in cells]) for name in posterior.names}
    rows = sum(rows.count for _, rows in chosen)
    return JointPositions(joined, np.full(rows, 1.0 / rows), every)


@dataclass(frozen=True, eq=False)
class _Rows:
    """For each undecided name the index of its position, row by row."""

    count: int
    indices: dict[str, Ints]


def _list_all(rest: Elimination) -> _Rows:
    rows = _Rows(1, {})
    for table in reversed(rest.tables):
        which, place = np.nonzero(_ways(table, rows).T)
        kept = {name: index[which] for name, index in rows.indices.items()}
        rows = _Rows(len(which), {**kept, table.names[0]: place})
    return rows


def _draw_rows(rest: Elimination, count: int, stream: np.random.Generator) -> _Rows:
    rows = _Rows(count, {})
    for table in reversed(rest.tables):
        sums: Floats = np.cumsum(_ways(table, rows), axis=0)
        place = np.count_nonzero(sums <= stream.random(count) * sums[-1], axis=0)
        rows = _Rows(count, {**rows.indices, table.names[0]: place})
    return rows


def _ways(table: Factor, rows: _Rows) -> Floats:
    """Number of completions with each position of a table's first name (rows), for each row so far (columns)."""
    given = tuple(rows.indices[name] for name in table.names[1:])
    values = table.values[(slice(None), *given)]
    return values if given else np.repeat(values[:, None], rows.count, axis=1)


def _cells(posterior: Posterior, part: BeliefPart, rows: _Rows) -> dict[str, Ints]:
    board = posterior.belief.board
    found: dict[str, Ints] = {}
    for name in posterior.names:
        if name in rows.indices:
            y, x = np.divmod(part.elimination.positions[name][rows.indices[name]], board.stride)
            found[name] = np.stack([x - board.reach, y - board.reach], axis=1)
        else:
            found[name] = np.tile(np.array(part.belief.positions(name)[0], np.int64), (rows.count, 1))
    return found
