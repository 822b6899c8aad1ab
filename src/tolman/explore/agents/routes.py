"""Routes as moves."""

from tolman.explore.actions import Goto, Move, Rotate
from tolman.explore.agents.acquaintance import Look
from tolman.geometry import Heading


def moves_along(facing: Heading, route: tuple[Look, ...], heading: Heading | None = None) -> tuple[Move, ...]:
    """Turns and moves along a route, then to the heading wanted at its end, if one is."""
    moves: list[Move] = []
    for name, toward in route:
        if facing != toward:
            moves.append(Rotate(facing.turn_to(toward)))
        moves.append(Goto(name))
        facing = toward
    if heading is not None and facing != heading:
        moves.append(Rotate(facing.turn_to(heading)))
    return tuple(moves)
