"""Values that the engine takes and gives: parts of a scene, quality presets, and what rays hit."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import UnknownNameError
from tolman.render.shapes.mesh import Mesh


@dataclass(frozen=True, eq=False)
class ScenePart:
    """One mesh of the world."""

    mesh: Mesh
    id: int
    """Number of the thing or door that it belongs to, from 1; 0 for walls, floors, ceilings and lights."""
    hidden_at: tuple[int, int] | None = None
    """Cell from which it is not drawn: that of the thing or door itself."""
    still: bool = False
    """Whether it never moves and does not glow: such parts are kept apart, so that moving others is quick."""


Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels in which there is nothing at all."""


@dataclass(frozen=True, eq=False)
class Hits:
    """What the ray through the middle of each pixel meets first. All of one height and width."""

    depth: Floats
    """Metres along the ray through the middle of the pixel; infinite where there is nothing."""
    ids: Ids
    """Number of the thing or door in the middle of the pixel, 0 for the building."""
    normals: Floats
    """East, north, up, of length 1; zero where there is nothing."""


RenderPresetName = Literal["draft", "standard", "reference"]


@dataclass(frozen=True)
class RenderPreset:
    """How light is followed."""

    name: RenderPresetName
    samples: int
    """Rays for each pixel."""
    depth: int
    """Longest path of light, in bounces."""
    sure: int
    """Bounces before a path may end by chance; those that go on count for more, so the mean stays right."""
    denoised: bool
    """Whether what grain is left is taken out."""


PRESETS: dict[str, RenderPreset] = {
    "draft": RenderPreset("draft", 2, 6, 3, True),
    "standard": RenderPreset("standard", 5, 12, 3, True),
    "reference": RenderPreset("reference", 1024, 24, 8, True),
}


def find_preset(name: str) -> RenderPreset:
    """The preset of that name."""
    try:
        return PRESETS[name]
    except KeyError:
        raise UnknownNameError(f"there is no preset {name!r}; choose one of {', '.join(PRESETS)}") from None
