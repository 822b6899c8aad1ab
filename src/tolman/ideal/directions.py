"""Directions between all pairs of some names and the start, in many worlds at once, as maps are scored."""

import numpy as np

from tolman.ideal.labels import Ints, Labels


def pair_directions(cells: Ints, labels: Labels) -> Ints:
    """Labels of the directions between pairs, the start being last (worlds, names, x and y)."""
    first, second = np.triu_indices(cells.shape[1] + 1, 1)
    points = np.concatenate([cells, np.zeros((len(cells), 1, 2), np.int64)], axis=1)
    return labels.on_map(points[:, first] - points[:, second])[0]
