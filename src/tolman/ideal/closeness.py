"""How close many points come to the truth at once: exp(-error / scale), as coordinates are scored."""

import numpy as np

from tolman.ideal.labels import Floats


def closeness(error: Floats, scale: Floats) -> Floats:
    """1 for no error; where the scale is 0, all or none."""
    falling = np.exp(np.divide(-error, np.maximum(scale, 1e-12)))
    return np.asarray(np.where(scale > 0, falling, error == 0), np.float64)
