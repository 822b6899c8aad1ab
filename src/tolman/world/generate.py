"""A world from a seed."""

from tolman.seeds import check_seed, rng
from tolman.world.attach import attached_layout
from tolman.world.furnish import furnish
from tolman.world.grid import DoorSpot, door_spots, rooms_of
from tolman.world.layout import published_layout
from tolman.world.scene import Door, Room, Scene
from tolman.world.settings import WorldSettings
from tolman.world.vocabulary import COLOURS

_PUBLISHED_ROOM_COUNTS = (2, 3, 4)
_PUBLISHED_COLOURS = 5


def generate(seed: int, settings: WorldSettings | None = None) -> Scene:
    """The world that a seed makes. With two to four rooms, seed k has the walls and doors of published scene k."""
    check_seed(seed)
    settings = settings or WorldSettings()
    rooms, spots = _layout(seed, settings)
    furnishing = furnish(seed, settings, rooms, spots)
    doors = tuple(
        Door(f"{colour} door", *spot) for colour, spot in zip(_door_colours(seed, len(spots)), spots, strict=True)
    )
    return Scene(rooms, doors, furnishing.things, furnishing.start, label=str(seed))


def _layout(seed: int, settings: WorldSettings) -> tuple[tuple[Room, ...], list[DoorSpot]]:
    if settings.rooms in _PUBLISHED_ROOM_COUNTS:
        mask = published_layout(seed, settings.rooms, settings.room_size)
        return rooms_of(mask), door_spots(mask)
    return attached_layout(seed, settings.rooms, settings.room_size)


def _door_colours(seed: int, count: int) -> list[str]:
    """Distinct colours: the published five in random order, then the others."""
    colours = list(COLOURS)
    stream = rng(seed, "doors")
    first = [colours[int(i)] for i in stream.permutation(_PUBLISHED_COLOURS)]
    later = [colours[_PUBLISHED_COLOURS + int(i)] for i in stream.permutation(len(colours) - _PUBLISHED_COLOURS)]
    return (first + later)[:count]
