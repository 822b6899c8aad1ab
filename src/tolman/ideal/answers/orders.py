"""The likeliest order in which things come straight ahead, as only the whole of it counts."""

import numpy as np

from tolman.ideal.best import Best, likeliest
from tolman.ideal.told import Told
from tolman.ideal.worlds import Worlds


def mental_rotation(told: Told, worlds: Worlds) -> Best:
    """While one turns once around at the start, from north."""
    names = told.names("things")
    cells = np.stack([worlds.cells[name] for name in names], axis=1)
    bearings = worlds.labels.turned(cells)
    angles = np.round((bearings if told.name("turn") == "clockwise" else -bearings) % 360.0, 6)
    order = np.lexsort((np.hypot(cells[..., 0], cells[..., 1]), angles), axis=1)
    digits = len(names) ** np.arange(len(names))
    best, sure = likeliest(order @ digits, worlds.weights)
    chosen = [names[best // int(digit) % len(names)] for digit in digits]
    return Best(", ".join(chosen), sure, worlds.exact)
