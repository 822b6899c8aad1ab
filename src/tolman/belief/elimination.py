"""Counting all ways to place the undecided names so that every relation holds, by summing one name out after another.

Each name leaves a table: its positions along the first axis, those of the names it then depends on along the others.
Going back through the tables gives probabilities, draws and best assignments, all exact. Numbers of ways are float64
scaled by powers of two, and only ever added and multiplied: below 2**53 they are exact, above it they keep a relative
error of some 1e-15, and they never overflow.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tolman.belief.network import Floats, Places, fits, places
from tolman.belief.possible import Belief
from tolman.errors import TolmanError


class ImpossibleBeliefError(TolmanError):
    """Every relation can hold, but not all together: no world fits what was told. The world may have changed."""


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers for all joint positions of some names, one axis each, in the order in which they are summed out."""

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
    """What is left behind by summing out all names: one table each, first summed out first."""

    places: Mapping[str, Places]
    tables: tuple[Table, ...]
    log2_count: float
    """Number of joint positions that satisfy all relations, as a power of two."""

    @cached_property
    def joint(self) -> dict[str, Table]:
        """By name, the probabilities of its table's joint positions."""
        found: dict[str, Table] = {}
        for table in reversed(self.tables):
            name, *given = table.names
            ways = table.values.sum(axis=0)
            share = np.divide(table.values, ways, out=np.zeros_like(table.values), where=ways > 0)
            if given:
                share *= found[given[0]].onto(tuple(given))
            found[name] = Table(table.names, share)
        return found

    def probabilities(self, name: str) -> Floats:
        """By position of one undecided name."""
        return self.joint[name].onto((name,))

    def draw(self, stream: np.random.Generator) -> dict[str, int]:
        """The places of one joint assignment, each consistent one being as likely as any other."""
        chosen: dict[str, int] = {}
        for table in reversed(self.tables):
            chosen[table.names[0]] = pick(table.values[_at(table, chosen)], stream)
        return self._bits(chosen)

    def best(self, gains: Mapping[str, Floats]) -> dict[str, int]:
        """The places of the consistent joint assignment with the largest sum of gains, of several the lowest."""
        waiting: list[Table] = []
        done: list[Table] = []
        for table in self.tables:
            name = table.names[0]
            score = np.where(table.values > 0, 0.0, -np.inf) + Table((name,), gains[name]).along(table.names)
            for message in (message for message in waiting if message.names[0] == name):
                score += message.along(table.names)
            waiting = [message for message in waiting if message.names[0] != name]
            done.append(Table(table.names, score))
            if len(table.names) > 1:
                waiting.append(Table(table.names[1:], score.max(axis=0)))
        chosen: dict[str, int] = {}
        for table in reversed(done):
            chosen[table.names[0]] = int(np.argmax(table.values[_at(table, chosen)]))
        return self._bits(chosen)

    def _bits(self, chosen: Mapping[str, int]) -> dict[str, int]:
        return {name: int(self.places[name][i]) for name, i in chosen.items()}


def pick(weights: Floats, stream: np.random.Generator) -> int:
    """An index, drawn in proportion to its weight."""
    sums: Floats = np.cumsum(weights)
    return int(np.count_nonzero(sums <= stream.random() * sums[-1]))


def _at(table: Table, chosen: Mapping[str, int]) -> tuple[slice | int, ...]:
    """Where in a table the names after the first have been chosen already."""
    return (slice(None), *(chosen[name] for name in table.names[1:]))


def eliminate(belief: Belief, order: tuple[str, ...]) -> Elimination:
    """Sum out all undecided names in this order; raises where no joint assignment is left."""
    where = {name: places(belief, name) for name in order}
    waiting = _relations(belief, where)
    tables: list[Table] = []
    log2_count = 0.0
    for name in order:
        factors = [factor for factor in waiting if factor.names[0] == name]
        waiting = [factor for factor in waiting if factor.names[0] != name]
        table = _product(name, factors, where)
        tables.append(table)
        ways = table.values.sum(axis=0)
        if not ways.any():
            raise ImpossibleBeliefError(f"no position of {name!r} fits everything that was told")
        _, power = math.frexp(ways.max())
        log2_count += power
        if len(table.names) > 1:
            waiting.append(Table(table.names[1:], np.ldexp(ways, -power)))
        else:
            log2_count += math.log2(math.ldexp(float(ways), -power))
    return Elimination(where, tuple(tables), log2_count)


def _relations(belief: Belief, where: Mapping[str, Places]) -> list[Table]:
    """One table for every related pair, the name that is summed out first along the first axis."""
    names = list(where)
    return [
        Table((a, b), fits(belief.links[a][b], where[a], where[b]))
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if b in belief.links[a]
    ]


def _product(name: str, factors: list[Table], where: Mapping[str, Places]) -> Table:
    """The numbers of ways to place a name and all that it still depends on."""
    involved = {other for factor in factors for other in factor.names} | {name}
    names = tuple(other for other in where if other in involved)
    values = np.ones([len(where[other]) for other in names])
    for factor in factors:
        values *= factor.along(names)
    return Table(names, values)
