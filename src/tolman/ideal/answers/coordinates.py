"""The best coordinates of several things: near the truth on average, and with directions right between them."""

import numpy as np

from tolman.ask.coordinate_answers import say_points
from tolman.ideal.best import Best
from tolman.ideal.candidates import candidates
from tolman.ideal.closeness import closeness
from tolman.ideal.labels import Floats, Ints
from tolman.ideal.told import Told
from tolman.ideal.worlds import Worlds


def allocentric_mapping(told: Told, worlds: Worlds) -> Best:
    """The best among likely joint positions, their mean and median, and the likeliest cells."""
    cells = np.stack([worlds.cells[name] for name in told.names("things")], axis=1)
    first, second = pairs(cells.shape[1])
    true = directions(worlds, cells, first, second)
    expected: list[tuple[float, Ints]] = []
    for said in candidates(cells):
        agree = (true == directions(worlds, said[None], first, second)).mean(axis=1)
        expected.append((float(worlds.weights @ (agree + _close(said, cells))) / 2, said))
    score, best = max(expected, key=lambda found: round(found[0], 12))
    return Best(say_points([(float(x), float(y)) for x, y in best.tolist()]), score, worlds.exact)


def pairs(names: int) -> tuple[Ints, Ints]:
    """All pairs of so many names and the origin, which comes last, by number."""
    first, second = np.triu_indices(names + 1, 1)
    return first, second


def directions(worlds: Worlds, cells: Ints, first: Ints, second: Ints) -> Ints:
    """Labels of the directions between pairs in each world (worlds, names, x and y)."""
    points = np.concatenate([cells, np.zeros((len(cells), 1, 2), np.int64)], axis=1)
    return worlds.labels.on_map(points[:, first] - points[:, second])[0]


def _close(said: Ints, true: Ints) -> Floats:
    """In each world, how close one reply comes: see `map_similarity`."""
    error = np.sqrt(((true - said) ** 2).sum(axis=2).mean(axis=1))
    scale = np.sqrt((true**2).sum(axis=2).mean(axis=1))
    return closeness(error, scale)
