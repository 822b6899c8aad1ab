"""The floor that things cover: their cell, or in world version 2 up to half of the cells before and behind it too.

A thing stays centred on its cell, so its bearing and distance are those of the cell in every version.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tolman.core.geometry import Cell, Heading
from tolman.world.scene import Room, Thing
from tolman.world.vocabulary import kind_in

CLEARANCE = 0.1
"""Metres that are left free between a thing of more than one cell and walls, other things, doors and the start."""


class Footprint(NamedTuple):
    """A rectangle in metres, x east and y north, with the centres of cells at whole numbers."""

    west: float
    south: float
    east: float
    north: float

    def meets(self, other: "Footprint", gap: float = 0.0) -> bool:
        """Whether two rectangles overlap, or are closer than `gap` metres."""
        return (
            self.west < other.east + gap
            and other.west < self.east + gap
            and self.south < other.north + gap
            and other.south < self.north + gap
        )


def cell_square(cell: Cell) -> Footprint:
    """The square metre of a cell."""
    x, y = cell
    return Footprint(x - 0.5, y - 0.5, x + 0.5, y + 0.5)


def footprint(thing: Thing, version: int) -> Footprint:
    """What a thing covers: at least its cell, more along its length if its kind is longer."""
    kind = kind_in(thing.category, version)
    if version == 1 or kind is None:
        return cell_square(thing.cell)
    (x, y), front = thing.cell, thing.front or Heading.NORTH
    across, along = (kind.width, kind.depth) if front in (Heading.NORTH, Heading.SOUTH) else (kind.depth, kind.width)
    half_x, half_y = max(0.5, across / 2), max(0.5, along / 2)
    return Footprint(x - half_x, y - half_y, x + half_x, y + half_y)


def fits(thing: Thing, room: Room, others: Iterable[Thing], taken: Iterable[Cell], version: int) -> bool:
    """Whether a thing stays within the floor of its room, and clear of other things and of `taken` cells."""
    mine = footprint(thing, version)
    if mine == cell_square(thing.cell):
        return not any(mine.meets(footprint(other, version)) for other in others if other.name != thing.name)
    (west, south), (east, north) = room.low, room.high
    floor = Footprint(west - 0.5 + CLEARANCE, south - 0.5 + CLEARANCE, east + 0.5 - CLEARANCE, north + 0.5 - CLEARANCE)
    inside = (
        mine.west >= floor.west and mine.south >= floor.south and mine.east <= floor.east and mine.north <= floor.north
    )
    squares = [*map(cell_square, taken), *(footprint(other, version) for other in others if other.name != thing.name)]
    return inside and not any(mine.meets(square, CLEARANCE) for square in squares)
