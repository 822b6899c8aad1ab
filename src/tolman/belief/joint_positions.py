"""Joint positions of everything that was mentioned, as rows of one table: all of them, or draws where they are many."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.belief.cutset import Part
from tolman.belief.elimination import Elimination, Table
from tolman.belief.network import Floats
from tolman.belief.posterior import Posterior

Ints = NDArray[np.int64]

MOST = 4096
"""Joint positions up to which all are listed."""
DRAWS = 1024
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
    posterior: Posterior, stream: np.random.Generator, most: int = MOST, draws: int = DRAWS
) -> JointPositions:
    """Every joint position that satisfies all relations, if there are at most so many; else so many draws."""
    every = posterior.exact and 2.0**posterior.log2_count <= most + 0.5
    if every:
        chosen = [(posterior.parts[0], _every(posterior.parts[0].rest))]
    else:
        shares = np.array([part.share for part in posterior.parts])
        counts = stream.multinomial(draws, shares / shares.sum())
        parts = zip(posterior.parts, counts.tolist(), strict=True)
        chosen = [(part, _drawn(part.rest, count, stream)) for part, count in parts if count]
    cells = [_cells(posterior, part, rows) for part, rows in chosen]
    joined = {name: np.concatenate([found[name] for found in cells]) for name in posterior.names}
    rows = sum(rows.count for _, rows in chosen)
    return JointPositions(joined, np.full(rows, 1.0 / rows), every)


@dataclass(frozen=True, eq=False)
class _Rows:
    """For each undecided name the number of its place, row by row."""

    count: int
    places: dict[str, Ints]


def _every(rest: Elimination) -> _Rows:
    rows = _Rows(1, {})
    for table in reversed(rest.tables):
        which, place = np.nonzero(_ways(table, rows).T)
        kept = {name: index[which] for name, index in rows.places.items()}
        rows = _Rows(len(which), {**kept, table.names[0]: place})
    return rows


def _drawn(rest: Elimination, count: int, stream: np.random.Generator) -> _Rows:
    rows = _Rows(count, {})
    for table in reversed(rest.tables):
        sums: Floats = np.cumsum(_ways(table, rows), axis=0)
        place = np.count_nonzero(sums <= stream.random(count) * sums[-1], axis=0)
        rows = _Rows(count, {**rows.places, table.names[0]: place})
    return rows


def _ways(table: Table, rows: _Rows) -> Floats:
    """Ways to go on with each place of a table's first name (rows), for each row so far (columns)."""
    given = tuple(rows.places[name] for name in table.names[1:])
    values = table.values[(slice(None), *given)]
    return values if given else np.repeat(values[:, None], rows.count, axis=1)


def _cells(posterior: Posterior, part: Part, rows: _Rows) -> dict[str, Ints]:
    board = posterior.belief.board
    found: dict[str, Ints] = {}
    for name in posterior.names:
        if name in rows.places:
            y, x = np.divmod(part.rest.places[name][rows.places[name]], board.stride)
            found[name] = np.stack([x - board.reach, y - board.reach], axis=1)
        else:
            found[name] = np.tile(np.array(part.belief.positions(name)[0], np.int64), (rows.count, 1))
    return found
