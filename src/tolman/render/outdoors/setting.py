"""What an environment is once it is built: things to be seen, and where actors and cameras may be."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tolman.render.outdoors.ground import Height
from tolman.render.outdoors.noise import Floats
from tolman.render.outdoors.sky import Sky
from tolman.render.shapes.model import Mesh

Where = Callable[[Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True)
class Weather:
    """Between what the light of an environment varies. Angles in degrees."""

    height: tuple[float, float]
    cover: tuple[float, float]
    haze: tuple[float, float]
    exposure: tuple[float, float] = (0.85, 1.15)

    def draw(self, stream: np.random.Generator) -> Sky:
        """One moment's light."""
        height, cover, haze, exposure = (
            float(stream.uniform(*span)) for span in (self.height, self.cover, self.haze, self.exposure)
        )
        return Sky(float(stream.uniform(0, 360)), height, cover, haze, exposure, int(stream.integers(1 << 31)))


@dataclass(frozen=True, eq=False)
class Setting:
    """An environment, built. Metres from its middle: x east, y north, z up."""

    meshes: tuple[Mesh, ...]
    """The ground comes first."""
    height: Height
    weather: Weather
    sight: float
    """Metres after which two thirds of the light that comes is the haze's own."""
    solids: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    """Discs that no actor may overlap: x, y and radius of trunks, boulders and posts."""
    stands: Where = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where an actor may stand."""
    airy: Where = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where a camera may be."""
