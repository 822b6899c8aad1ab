"""Finishes of a room: floor, walls, ceiling and trim, from the texture pack or made here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of
from tolman.render.building.floor_finishes import FLOORS
from tolman.render.building.relief import Pattern, Stream, Surface
from tolman.render.building.wall_finishes import MASONRY, WALLS
from tolman.render.shapes.mesh import Material, srgb

Use = Literal["floor", "wall"]


class SurfacePack(Protocol):
    """Finishes and skies that were fetched."""

    def surfaces(self, use: Use) -> Sequence[Surface]:
        """All finishes for floors or for walls, in a fixed order."""
        ...

    def skies(self) -> Sequence[NDArray[np.float32]]:
        """Environment maps in a fixed order, of any brightness and size, twice as wide as high."""
        ...


@dataclass(frozen=True, eq=False)
class RoomFinish:
    """Materials of one room."""

    floor: Surface
    wall: Surface
    ceiling: Material
    trim: Material


_TRIMS = ("#f2efe8", "#f2efe8", "#e6e1d6", "#8a6a4c", "#5f4632")
"""Of skirting boards and window frames."""
_MASONRY_WEIGHT = 0.1
"""Chance of a wall of brick, stone or concrete against that of another: in homes they are the exception. The table of
the texture pack has the same."""
_FETCHED_SHARE = 0.5
"""Of surfaces that come from the texture pack where there is one."""


def random_finish(stream: Stream, pack: SurfacePack | None = None, floors: Sequence[str] = tuple(FLOORS)) -> RoomFinish:
    """Random materials of a room; a floor made here is one of `floors`."""
    floor = FLOORS[one_of(stream, floors)]
    chances = [_MASONRY_WEIGHT if name in MASONRY else 1.0 for name in WALLS]
    wall = list(WALLS.values())[_drawn(chances, float(stream.random()))]
    return RoomFinish(
        _surface(stream, floor(stream), pack, "floor"),
        _surface(stream, wall(stream), pack, "wall"),
        Material(srgb("#f4f2ed"), roughness=0.95),
        Material(srgb(one_of(stream, _TRIMS)), roughness=0.45),
    )


def _surface(stream: Stream, made: Pattern, pack: SurfacePack | None, use: Use) -> Surface:
    """A pattern, or a finish of the pack in its place."""
    fetched, drawn = stream.random() < _FETCHED_SHARE, float(stream.random())
    choices = pack.surfaces(use) if pack is not None and fetched else ()
    if choices:
        return choices[_drawn([choice.weight for choice in choices], drawn)]
    return made.surface() if use == "floor" else made.shaded()


def _drawn(chances: Sequence[float], at: float) -> int:
    """The choice that a number in [0, 1) falls on."""
    sums: NDArray[np.float64] = np.cumsum(np.array(chances, np.float64))
    return min(int((sums <= at * sums[-1]).sum()), len(chances) - 1)
