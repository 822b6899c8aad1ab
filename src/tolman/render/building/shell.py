"""The building itself: floors, ceilings, walls, skirting, windows and lights."""

from collections.abc import Iterator

from tolman.render.building.finishes import Finish, finish
from tolman.render.building.measures import CEILING, SKIRTING_DEPTH, SKIRTING_HEIGHT, WALL
from tolman.render.building.openings import Box, Opening, Wall, slab
from tolman.render.building.rooms import walls_of
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.seeds import rng
from tolman.world import Room, Scene

LAMP = 0.6
"""Side of a ceiling light."""
LAMP_GLOW = 9.0
DAYLIGHT = Material((0.86, 0.94, 1.0), glow=5.0)
_LIT = 14.0
"""Square metres that one ceiling light serves."""


def shell(scene: Scene, look: int) -> Iterator[Mesh]:
    """All that belongs to the building, room by room; `look` is the seed of its finishes and windows."""
    for room in scene.rooms:
        made_of = finish(rng(look, "finish", room.id))
        yield from _floor_and_ceiling(room, made_of)
        for wall in walls_of(scene, room, look):
            yield from wall_meshes(wall, made_of)
            for hole in (hole for hole in wall.openings if hole.low > 0):
                yield from _window(wall, hole, made_of)
        yield from _lights(room)


def _floor_and_ceiling(room: Room, look: Finish) -> Iterator[Mesh]:
    (x0, y0), (x1, y1) = room.low, room.high
    west, south, east, north = x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0
    yield slab((west, south, -0.1), (east, north, 0.0), look.floor, look.repeat)
    yield slab((west, south, CEILING), (east, north, CEILING + 0.1), look.ceiling)


def wall_meshes(wall: Wall, look: Finish) -> Iterator[Mesh]:
    """A wall around its openings, and the skirting at its foot."""
    for box in wall.slabs():
        if _is_solid(box):
            yield slab(*box, look.wall)
    for start, end in wall.without(wall.openings):
        foot = wall.box(start, end, 0.0, SKIRTING_HEIGHT, (0.0, SKIRTING_DEPTH))
        if _is_solid(foot):
            yield slab(*foot, look.trim)


def _window(wall: Wall, hole: Opening, look: Finish) -> Iterator[Mesh]:
    """A pane of daylight at the outer side, and its frame."""
    yield slab(*wall.box(hole.start, hole.end, hole.low, hole.high, (WALL, -WALL + 0.01)), DAYLIGHT)
    yield from window_frame(wall, hole, look)


def window_frame(wall: Wall, hole: Opening, look: Finish) -> Iterator[Mesh]:
    """A frame around a window, a bar across, and a sill."""
    for bar in _frame(hole):
        yield slab(*wall.box(*bar, (WALL * 0.8, -WALL * 0.5)), look.trim)
    yield slab(*wall.box(hole.start - 0.05, hole.end + 0.05, hole.low - 0.03, hole.low, (WALL, 0.06)), look.trim)


def _frame(hole: Opening) -> Iterator[tuple[float, float, float, float]]:
    thick = 0.05
    middle = (hole.start + hole.end) / 2
    yield hole.start, hole.start + thick, hole.low, hole.high
    yield hole.end - thick, hole.end, hole.low, hole.high
    yield middle - thick / 2, middle + thick / 2, hole.low, hole.high
    yield hole.start, hole.end, hole.low, hole.low + thick
    yield hole.start, hole.end, hole.high - thick, hole.high


def _lights(room: Room) -> Iterator[Mesh]:
    (x0, y0), (x1, y1) = room.low, room.high
    wide, long = x1 - x0 + 2.0, y1 - y0 + 2.0
    across, along = (max(1, round(side / _LIT**0.5)) for side in (wide, long))
    glow = Material((1.0, 0.94, 0.84), glow=LAMP_GLOW)
    rim = Material(srgb("#d9d9d6"), roughness=0.4)
    half = LAMP / 2
    for i in range(across):
        for j in range(along):
            x, y = x0 - 1.0 + wide * (i + 0.5) / across, y0 - 1.0 + long * (j + 0.5) / along
            yield slab((x - half, y - half, CEILING - 0.03), (x + half, y + half, CEILING - 0.02), glow)
            yield slab(
                (x - half - 0.03, y - half - 0.03, CEILING - 0.02), (x + half + 0.03, y + half + 0.03, CEILING), rim
            )


def _is_solid(box: Box) -> bool:
    return all(high - low > 1e-6 for low, high in zip(*box, strict=True))
