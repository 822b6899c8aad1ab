"""Doors: a coloured leaf in a frame. The leaf is not drawn for someone who stands in the doorway."""

from collections.abc import Iterator

from tolman.render.building.measures import DOOR_HEIGHT, DOOR_WIDTH, FRAME, WALL
from tolman.render.building.openings import Corner, slab
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.world import Door
from tolman.world.vocabulary import COLOURS

_LEAF = 0.045
_BRASS = Material(srgb("#c9a75a"), roughness=0.25, metallic=1.0)
_TRIM = Material(srgb("#efece4"), roughness=0.5)


def leaf(door: Door) -> Iterator[Mesh]:
    """The door itself: a panel of its colour with raised fields, and handles on both sides."""
    paint = Material(srgb(COLOURS.get(door.name.split()[0], "#8b8f94")), roughness=0.4)
    half = DOOR_WIDTH / 2
    yield _across(door, (-half, half), _LEAF / 2, (0.0, DOOR_HEIGHT), paint)
    for low, high in ((0.18, 0.95), (1.08, 1.88)):
        for start, end in ((-half + 0.1, -0.04), (0.04, half - 0.1)):
            yield _across(door, (start, end), _LEAF / 2 + 0.008, (low, high), paint)
    yield _across(door, (half - 0.14, half - 0.06), _LEAF / 2 + 0.05, (0.99, 1.02), _BRASS)


def frame(door: Door) -> Iterator[Mesh]:
    """Jambs and head, on both sides of the wall."""
    half, deep = DOOR_WIDTH / 2, WALL / 2 + 0.012
    yield _across(door, (-half - FRAME, -half), deep, (0.0, DOOR_HEIGHT + FRAME), _TRIM)
    yield _across(door, (half, half + FRAME), deep, (0.0, DOOR_HEIGHT + FRAME), _TRIM)
    yield _across(door, (-half, half), deep, (DOOR_HEIGHT, DOOR_HEIGHT + FRAME), _TRIM)


def _across(
    door: Door, along: tuple[float, float], deep: float, heights: tuple[float, float], material: Material
) -> Mesh:
    """A box in the doorway: from where to where along the wall, how far to both sides, and between which heights."""
    x, y = door.cell
    if door.axis == "x":
        low: Corner = (x - deep, y + along[0], heights[0])
        high: Corner = (x + deep, y + along[1], heights[1])
    else:
        low, high = (x + along[0], y - deep, heights[0]), (x + along[1], y + deep, heights[1])
    return slab(low, high, material)
