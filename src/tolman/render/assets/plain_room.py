"""One thing in a plain room, to be looked at from a distance: what it looks like there, and how large it is."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.geometry import Heading
from tolman.render.building.build import merged
from tolman.render.building.measures import CEILING, EYE
from tolman.render.building.openings import slab
from tolman.render.building.things import PLINTH_HEIGHT, ModelOf, placed
from tolman.render.camera import Perspective
from tolman.render.engine.light import to_srgb
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import find_preset
from tolman.render.engine.stage import Stage
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.world import Thing
from tolman.world.vocabulary import Kind

SIZE, FIELD = 384, 90.0
"""Pixels across a view, and degrees."""
_AROUND = 128
"""Pixels around the middle of a view in which any thing is that is 6 m away."""
_WEST, _SOUTH, _EAST, _NORTH = -7.0, -7.0, 7.0, 7.0
_LAMPS = (-4.5, -1.5, 1.5, 4.5)
"""Metres from the middle at which lights are, both ways."""
_FLOOR, _WALL = Material(srgb("#b4b0a8"), roughness=0.95), Material(srgb("#dcdad5"), roughness=0.95)
_LIGHT = Material((1.0, 0.96, 0.90), glow=18.0)


@dataclass(frozen=True)
class Standing:
    """A thing of a kind in the middle of the room, as large as in any scene and on its plinth if it has one there."""

    kind: Kind
    model_of: ModelOf
    look: int = 0
    """Seed of its model."""

    def view(self, seen_by: Perspective, preset: str = "standard") -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The picture, and which of its pixels are the thing itself, plinth not."""
        seen = self._stage.look(seen_by, find_preset(preset))
        return to_srgb(seen.light), seen.hits.ids == 1

    def pixels(self, metres: float, aside: float) -> int:
        """How many pixels of a view from so far away are the thing itself; `aside` as in `camera`."""
        return int((self._stage.hits(middle_of(camera(metres, aside), _AROUND)).ids == 1).sum())

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """The thing with its front to the south, without its plinth."""
        return tuple(mesh for mesh in self._placed if not self._on_plinth or mesh.points[:, 2].max() > PLINTH_HEIGHT)

    @property
    def _on_plinth(self) -> bool:
        """Only a plinth ends at the height of plinths with everything else above it."""
        tops = [mesh for mesh in self._placed if mesh.points[:, 2].max() > PLINTH_HEIGHT]
        return 0 < len(tops) < len(self._placed) and min(mesh.points[:, 2].min() for mesh in tops) >= PLINTH_HEIGHT

    @cached_property
    def _placed(self) -> tuple[Mesh, ...]:
        front = Heading.SOUTH if self.kind.fronted else None
        thing = Thing(self.kind.name, self.kind.name, (0, 0), front, 1)
        return tuple(merged(list(placed(thing, self.model_of, self.look))))

    @cached_property
    def _stage(self) -> Stage:
        things = {id(mesh) for mesh in self.meshes}
        parts = [Part(mesh, 1 if id(mesh) in things else 2) for mesh in self._placed]
        return Stage([*parts, *(Part(mesh, 0) for mesh in merged(list(_room())))])


def camera(metres: float, aside: float) -> Perspective:
    """A level camera at eye height that looks at the middle of the room, `aside` degrees off the thing's front,
    clockwise from above."""
    angle = math.radians(aside)
    return Perspective(-metres * math.sin(angle), -metres * math.cos(angle), EYE, aside, FIELD, SIZE, SIZE)


def middle_of(view: Perspective, side: int) -> Perspective:
    """The middle of a camera's picture alone, pixel for pixel, `side` pixels wide and high; both are even."""
    reach = math.tan(math.radians(view.field) / 2) * side / view.width
    return replace(view, field=2 * math.degrees(math.atan(reach)), width=side, height=side)


def _room() -> Iterator[Mesh]:
    thick = 0.1
    yield slab((_WEST, _SOUTH, -thick), (_EAST, _NORTH, 0.0), _FLOOR)
    yield slab((_WEST, _SOUTH, CEILING), (_EAST, _NORTH, CEILING + thick), _WALL)
    yield slab((_WEST - thick, _SOUTH, 0.0), (_WEST, _NORTH, CEILING), _WALL)
    yield slab((_EAST, _SOUTH, 0.0), (_EAST + thick, _NORTH, CEILING), _WALL)
    yield slab((_WEST, _SOUTH - thick, 0.0), (_EAST, _SOUTH, CEILING), _WALL)
    yield slab((_WEST, _NORTH, 0.0), (_EAST, _NORTH + thick, CEILING), _WALL)
    for x in _LAMPS:
        for y in _LAMPS:
            yield slab((x - 0.3, y - 0.3, CEILING - 0.03), (x + 0.3, y + 0.3, CEILING - 0.02), _LIGHT)
