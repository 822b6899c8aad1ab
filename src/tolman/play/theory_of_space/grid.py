"""The drawing grid of a page: names to place, their last placements, ruler and protractor.

Points are cells east and north of the map's origin. The true scene is not used here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tolman.belief.map_parsing import NoMap, read_global_map
from tolman.belief.unexplored import letters_in_order
from tolman.core.bins import cardinal_bin, distance_bin, ego_bin
from tolman.core.geometry import Heading, Vector, bearing, difference, distance, to_ego
from tolman.core.rules import STRICT
from tolman.models.replay import NotebookEntry, SavedSession
from tolman.play.theory_of_space.session import RequestedReply
from tolman.sense import Observation
from tolman.world import AGENT

_LARGEST_RING = 64


@dataclass(frozen=True)
class Measured:
    """From one point to another: distance in cells and its label, clockwise degrees from north and their label.

    Where the first point has a front, also degrees from straight ahead, and their egocentric label.
    """

    steps: float
    distance: str
    degrees: float
    direction: str
    ahead: float | None = None
    seen: str | None = None


def measure(start: Vector, end: Vector, facing: Heading | None = None) -> Measured:
    """The measurement from one point to another."""
    apart = difference(end, start)
    from_north = bearing(*apart)
    measured = Measured(
        steps=round(distance(apart), 2),
        distance=str(distance_bin(distance(apart))),
        degrees=round(from_north % 360, 1),
        direction=str(cardinal_bin(from_north)) if apart != (0, 0) else "the same place",
    )
    if facing is None or apart == (0, 0):
        return measured
    ahead = bearing(*to_ego(apart, facing))
    return replace(measured, ahead=round(ahead, 1), seen=str(ego_bin(ahead)))


def rings() -> list[int]:
    """Distances in cells at which the distance label changes, for circles around a point."""
    return [cells for cells in range(1, _LARGEST_RING) if distance_bin(cells) != distance_bin(cells + 0.5)]


MapFrame = Literal["global", "local"]
LARGEST = 60
"""Largest distance in cells from the middle of the grid to its edge."""
_FACINGS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class GridItem:
    """A name to place, the letter on its token, and whether the page lists it first."""

    name: str
    letter: str
    kind: Literal["thing", "door", "agent"]
    first: bool


def items(requested: RequestedReply, frame: MapFrame, *, described: bool = True) -> list[GridItem]:
    """All names of the brief; first those seen so far, or on a local map those in view now.

    Where views are not `described` in words, all names are listed alike.
    """
    brief, shown = requested.episode.brief, set(_in_view(requested) if frame == "local" else _seen(requested))
    shown = shown if described else set(brief.names)
    letters = letters_in_order()
    listed = [GridItem(name, next(letters), "thing", name in shown) for name in brief.things]
    listed += [GridItem(name, next(letters), "door", name in shown) for name in brief.doors]
    listed.sort(key=lambda item: not item.first)
    return listed if frame == "local" else [GridItem(AGENT, "", "agent", True), *listed]


def grid_data(
    requested: RequestedReply, saved: SavedSession, *, tools: bool, described: bool = True
) -> dict[str, object]:
    """JSON values for the page's script. A local map begins empty, any other with the notebook."""
    frame: MapFrame = "local" if requested.elicits == "local" else "global"
    marks = {} if frame == "local" else saved.notebook
    return {
        "frame": frame,
        "answers": requested.elicits in ("global", "local"),
        "items": [
            {"name": i.name, "letter": i.letter, "kind": i.kind, "first": i.first}
            for i in items(requested, frame, described=described)
        ],
        "places": {
            name: [*mark.position, None if mark.facing is None else _FACINGS.index(mark.facing)]
            for name, mark in marks.items()
        },
        "largest": LARGEST,
        "rings": rings() if tools else [],
    }


def notebook_of(reply: str, requested: RequestedReply) -> dict[str, NotebookEntry]:
    """The map in a reply as the notebook from which the person continues, rounded to cells of the grid."""
    said = read_global_map(reply, (*requested.episode.brief.names, AGENT), STRICT)
    if isinstance(said, NoMap):
        return {}
    cells = {name: (round(p.position[0]), round(p.position[1]), p.facing) for name, p in said.places.items()}
    return {
        name: NotebookEntry(position=(x, y), facing=None if facing is None else _FACINGS[facing])
        for name, (x, y, facing) in cells.items()
        if max(abs(x), abs(y)) <= LARGEST
    }


def _seen(requested: RequestedReply) -> Iterator[str]:
    for turn in requested.past:
        yield from turn.feedback.names if isinstance(turn.feedback, Observation) else ()


def _in_view(requested: RequestedReply) -> tuple[str, ...]:
    view = requested.past[-1].feedback if requested.past else None
    return view.names if isinstance(view, Observation) else ()
