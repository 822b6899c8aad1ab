"""The best coordinates of several things: near the truth on average, and with directions right between them."""

import numpy as np

from tolman.ask.coordinate_answers import say_points
from tolman.ideal.best import Best
from tolman.ideal.candidates import candidates
from tolman.ideal.closeness import closeness
from tolman.ideal.directions import pair_directions
from tolman.ideal.labels import Floats, Ints
from tolman.ideal.told import Told
from tolman.ideal.worlds import Worlds


def allocentric_mapping(told: Told, worlds: Worlds) -> Best:
    """The best among likely joint positions, their mean and median, and the likeliest cells."""
    cells = np.stack([worlds.cells[name] for name in told.names("things")], axis=1)
    true = pair_directions(cells, worlds.labels)
    expected: list[tuple[float, Ints]] = []
    for said in candidates(cells):
        agree = (true == pair_directions(said[None], worlds.labels)).mean(axis=1)
        expected.append((float(worlds.weights @ (agree + _close(said, cells))) / 2, said))
    score, best = max(expected, key=lambda found: round(found[0], 12))
    return Best(say_points([(float(x), float(y)) for x, y in best.tolist()]), score, worlds.exact)


def _close(said: Ints, true: Ints) -> Floats:
    """In each world, how close one reply comes: see `map_similarity`."""
    error = np.sqrt(((true - said) ** 2).sum(axis=2).mean(axis=1))
    scale = np.sqrt((true**2).sum(axis=2).mean(axis=1))
    return closeness(error, scale)
