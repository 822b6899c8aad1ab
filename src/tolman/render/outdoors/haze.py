"""The air between: far things take on the colour of the sky behind them."""

import numpy as np

from tolman.render.outdoors.noise import Floats


def hazy(light: Floats, depth: Floats, sky: Floats, sight: float) -> Floats:
    """A picture's light with the air of `sight` metres in it; `sky` is the picture of all directions.

    Pixels without a depth are the sky itself and stay as they are.
    """
    rim = np.median(sky[sky.shape[0] // 2 - 8 : sky.shape[0] // 2].reshape(-1, 3), axis=0)
    share = np.where(np.isfinite(depth), 1 - np.exp(-np.nan_to_num(depth, posinf=0.0) / sight), 0.0)[..., None]
    return (light * (1 - share) + rim * share).astype(np.float32)
