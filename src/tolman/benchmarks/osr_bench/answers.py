"""What the answers are, by the released rules: everything is worked out on the cells of the map."""

import math
from collections.abc import Sequence

from tolman.benchmarks.osr_bench.grid_map import GridMap, Place

NOT_FOUND = "The positioning object is not found in the picture."
NOT_UNIQUE = "The positioning object is not unique in the picture."
NO_CANDIDATE = "None of the candidates were found in the picture."
NO_OTHER = "The orienting object or querying object is not found in the picture."
SPECIAL = (NOT_FOUND, NOT_UNIQUE, NO_CANDIDATE, NO_OTHER)
"""Answers where an object is absent or there are several; labels of the protocol, as stored in the released data."""
DIRECTIONS = ("Front", "Front Right", "Right", "Back Right", "Back", "Back Left", "Left", "Front Left")
"""Clockwise. One word means exactly so; two words mean anywhere between."""


def count_of(world: GridMap, name: str) -> str:
    """How many objects of a class there are."""
    return str(world.counts.get(name, 0))


def closest_of(world: GridMap, place: str, candidates: Sequence[str]) -> str:
    """Which candidate is closest to the object that gives the place; of equally close ones the first."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    there = [name for name in candidates if name in world.places]
    return min(there, key=lambda name: _least(origin, world.places[name])) if there else NO_CANDIDATE


def direction_of(world: GridMap, place: str, faced: str, wanted: str) -> str:
    """Which way something lies for who stands by one object and faces another. Empty where no way can be told."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    if faced not in world.places or wanted not in world.places:
        return NO_OTHER
    ahead, there = (minus(nearest(world, origin, name), origin) for name in (faced, wanted))
    return word_of(ahead, there)


def word_of(ahead: Place, there: Place) -> str:
    """The direction of a step of rows and columns for who looks along another."""
    along = ahead[0] * there[0] + ahead[1] * there[1]
    across = ahead[0] * there[1] - ahead[1] * there[0]
    lengthwise = "Front" if along > 0 else "Back" if along < 0 else ""
    sideways = "Left" if across > 0 else "Right" if across < 0 else ""
    return f"{lengthwise} {sideways}".strip()


def nearest(world: GridMap, origin: Place, name: str) -> Place:
    """The closest cell with a class; of equally close ones the first clockwise from the right."""
    cells = world.places[name]
    if len(cells) == 1:
        return cells[0]
    least = _least(origin, cells)
    closest = [cell for cell in cells if squared(origin, cell) == least]
    return closest[0] if len(closest) == 1 else min(closest, key=lambda cell: _turn(minus(cell, origin)))


def squared(a: Place, b: Place) -> int:
    """The square of the distance in cells: exact, unlike its root."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _least(origin: Place, cells: Sequence[Place]) -> int:
    return min(squared(origin, cell) for cell in cells)


def minus(a: Place, b: Place) -> Place:
    return a[0] - b[0], a[1] - b[1]


def _turn(step: Place) -> float:
    return math.atan2(step[0], step[1]) % (2 * math.pi)


def _origin(world: GridMap, place: str) -> Place | str:
    found = world.places.get(place, [])
    if not found:
        return NOT_FOUND
    return found[0] if len(found) == 1 else NOT_UNIQUE
