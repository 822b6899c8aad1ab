"""Input and output of the engine: parts of a scene, quality presets, and ray hits."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import UnknownNameError
from tolman.render.shapes.mesh import Mesh


@dataclass(frozen=True, eq=False)
class ScenePart:
    """One mesh of a scene."""

    mesh: Mesh
    id: int
    """Number of the thing or door that it belongs to, from 1; 0 for walls, floors, ceilings and lights."""
    hidden_at: tuple[int, int] | None = None
    """Cell of the thing or door, from which it is not drawn."""
    static: bool = False
    """Whether it never moves and emits no light: such parts are grouped, so that moving others is fast."""


Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels whose ray hits nothing."""


@dataclass(frozen=True, eq=False)
class Hits:
    """First hits of the rays through the centres of all pixels, as arrays of the picture's height and width."""

    depth: Floats
    """Metres along the ray; infinite without a hit."""
    ids: Ids
    """Number of the thing or door, 0 for the building, `NOTHING` without a hit."""
    normals: Floats
    """Unit vectors (east, north, up); zero without a hit."""


RenderPresetName = Literal["preview", "draft", "standard", "reference"]


@dataclass(frozen=True)
class RenderPreset:
    """Quality of the path tracing."""

    name: RenderPresetName
    samples: int
    """Rays per pixel."""
    depth: int
    """Longest light path, in bounces."""
    sure: int
    """Bounces before Russian roulette may end a path."""
    denoised: bool
    """Whether the picture is denoised."""
    gathered: bool = False
    """Whether paths end at their second surface with light that was gathered once for the scene."""


PRESETS: dict[str, RenderPreset] = {
    "preview": RenderPreset("preview", 0, 0, 0, False),
    "draft": RenderPreset("draft", 2, 12, 3, True, gathered=True),
    "standard": RenderPreset("standard", 6, 12, 3, True, gathered=True),
    "reference": RenderPreset("reference", 1024, 24, 8, True),
}
"""`preview` traces no light: surfaces are shaded by their direction."""


def preview_shade(east: Any, up: Any, facing: Any) -> Any:
    """Brightness of a surface in previews, from two parts of its normal and the cosine between it and the view."""
    return 0.42 + 0.16 * up + 0.05 * east + 0.30 * facing


def find_preset(name: str) -> RenderPreset:
    """The preset of that name."""
    try:
        return PRESETS[name]
    except KeyError:
        raise UnknownNameError(f"there is no preset {name!r}; choose one of {', '.join(PRESETS)}") from None
