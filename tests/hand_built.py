"""Small worlds made by hand, so that a test can be checked with pencil and paper.

y
5  .  .  .  .  .  #  .  .  .  .  .
4  .  .  .  .  .  #  .  .  .  .  .          room 1: x 1 to 5      room 2: x 7 to 11
3  .  .  A  .  .  D  .  .  .  .  .          A: the agent starts at (3, 3)
2  .  .  .  .  .  #  .  .  .  .  .          D: the red door at (6, 3)
1  .  .  .  .  .  #  .  .  .  .  .
x  1  2  3  4  5  6  7  8  9 10 11
"""

from tolman.core.geometry import Cell, Heading
from tolman.world import Door, Room, Scene, Thing

START_CELL = (3, 3)
RED_DOOR = Door("red door", (6, 3), (1, 2), "x")


def thing(name: str, cell: Cell, front: Heading | None = None) -> Thing:
    """A thing in the room that its cell lies in."""
    return Thing(name, name, cell, front, 1 if cell[0] < 6 else 2)


def two_rooms(*things: Thing) -> Scene:
    """The world drawn above, with these things in it."""
    rooms = (Room(1, (1, 1), (5, 5)), Room(2, (7, 1), (11, 5)))
    return Scene(rooms, (RED_DOOR,), things, START_CELL)


def one_room(*things: Thing, side: int = 5, start: Cell = START_CELL) -> Scene:
    """A single square room whose lowest cell is (1, 1)."""
    return Scene((Room(1, (1, 1), (side, side)),), (), things, start)


def furnished() -> Scene:
    """Two rooms with a sofa north of the start, a lamp to its east, and a vase and a chair beyond the door."""
    return two_rooms(
        thing("sofa", (3, 5), Heading.SOUTH),
        thing("lamp", (5, 4)),
        thing("vase", (9, 3)),
        thing("chair", (9, 5), Heading.WEST),
    )
