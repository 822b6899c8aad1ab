"""Things where the scene says, the way they face there; small and thin ones made so large that they can be told.

The rule: what is less than 0.40 m high and wide is shown larger, up to twice, until it is as large as that. What then
shows less than 0.05 square metres from its front or its side is made wider or deeper, up to twice, until it does. What
is less than 0.50 m high and 0.75 m deep stands on a plinth, its top 0.40 m above the floor. What is named after a
colour has it.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from tolman.geometry import Heading
from tolman.render.assets.named import as_named
from tolman.render.building.openings import slab
from tolman.render.building.shadow import shadow
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh, Model
from tolman.seeds import rng
from tolman.world import Thing
from tolman.world.vocabulary import KIND_BY_NAME

LARGE_ENOUGH = 0.40
MOST_ENLARGED = 2.0
ENOUGH_TO_SEE = 0.05
"""Square metres: 50 pixels of a picture of 384 by 384 at six metres."""
LOW = 0.50
BROAD = 0.75
"""What is as deep as this would hang over its plinth on all sides."""
PLINTH_HEIGHT, PLINTH_SIDE = 0.40, 0.55
CELL = 0.98
"""Side of the square within which a thing stays."""
_PLINTH = Material(srgb("#e4e2dc"), roughness=0.7)

ModelOf = Callable[[str, int], Model]
"""The model of a kind, by seed."""


def placed(thing: Thing, model_of: ModelOf, look: int) -> Iterator[Mesh]:
    """The meshes of a thing in the world, and of what it stands on; `look` is the seed of its model."""
    stream = rng(look, "thing", thing.name)
    model = as_named(model_of(thing.category, int(stream.integers(2**31))), thing.name, thing.category)
    model = _sized(model, thing.category)
    low, high = model.bounds
    lift = PLINTH_HEIGHT if high[2] < LOW and high[1] - low[1] < BROAD else 0.0
    front = Heading(int(stream.integers(4))) if thing.front is None else thing.front
    x, y = thing.cell
    yield from model.moved(_turned(front, (x, y, lift))).meshes
    if lift:
        half = PLINTH_SIDE / 2
        yield slab((x - half, y - half, 0.0), (x + half, y + half, lift), _PLINTH)


def _sized(model: Model, category: str) -> Model:
    """A model at its kind's real size, but not too small to be told."""
    kind = KIND_BY_NAME.get(category)
    if kind is None:
        return model.fitted(CELL, CELL, 1.9)
    larger = min(MOST_ENLARGED, max(1.0, LARGE_ENOUGH / max(kind.width, kind.height)))
    width, depth = min(CELL, kind.width * larger), min(CELL, kind.depth * larger)
    return _thick(model.fitted(width, depth, kind.height * larger))


def _thick(model: Model) -> Model:
    """A model that is not so thin that from one side there is hardly anything to see of it."""
    low, high = model.bounds
    size, stretch = np.maximum(high - low, 1e-6), np.ones(3)
    for axis in (0, 1):
        if size[axis] * size[2] < 10 * ENOUGH_TO_SEE:
            wanted = ENOUGH_TO_SEE / max(shadow(model, axis), 1e-6)
            stretch[axis] = max(1.0, min(wanted, MOST_ENLARGED, CELL / size[axis]))
    return model if stretch.max() == 1 else model.moved(np.column_stack([np.diag(stretch), np.zeros(3)]))


def _turned(front: Heading, shift: tuple[float, float, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Turned clockwise from north, and moved."""
    angle = math.radians(front.degrees)
    sin, cos = round(math.sin(angle)), round(math.cos(angle))
    return np.array([[cos, sin, 0, shift[0]], [-sin, cos, 0, shift[1]], [0, 0, 1, shift[2]]], np.float64)
