"""The drawing grid of a page: names to place, where they were put last, ruler and protractor. Never the truth.

Points are cells east and north of the map's origin. Nothing here knows the world.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product
from string import ascii_uppercase
from typing import Literal

from tolman.belief.map_parsing import NoMap, read_global_map
from tolman.core.bins import cardinal_bin, distance_bin, ego_bin
from tolman.core.geometry import Heading, Vector, bearing, difference, distance, to_ego
from tolman.core.rules import STRICT
from tolman.models.human_sessions import NotebookEntry, SavedSession
from tolman.play.session import RequestedReply
from tolman.sense import Observation
from tolman.world import AGENT

_LARGEST_RING = 64


@dataclass(frozen=True)
class Measured:
    """From one point to another: steps and their word, clockwise degrees from north and their word.

    Where the first point has a front, also degrees from straight ahead there, and their word.
    """

    steps: float
    distance: str
    degrees: float
    direction: str
    ahead: float | None = None
    seen: str | None = None


def measure(start: Vector, end: Vector, facing: Heading | None = None) -> Measured:
    """What the instruments read, laid from one point to another."""
    apart = difference(end, start)
    from_north = bearing(*apart)
    read = Measured(
        steps=round(distance(apart), 2),
        distance=str(distance_bin(distance(apart))),
        degrees=round(from_north % 360, 1),
        direction=str(cardinal_bin(from_north)) if apart != (0, 0) else "the same place",
    )
    if facing is None or apart == (0, 0):
        return read
    ahead = bearing(*to_ego(apart, facing))
    return Measured(read.steps, read.distance, read.degrees, read.direction, round(ahead, 1), str(ego_bin(ahead)))


def rings() -> list[int]:
    """Distances in cells at which the word changes, for circles around a point."""
    return [cells for cells in range(1, _LARGEST_RING) if distance_bin(cells) != distance_bin(cells + 0.5)]


MapFrame = Literal["global", "local"]
LARGEST = 60
"""Cells from the middle of the grid to its edge when it is widest."""
_FACINGS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class GridItem:
    """Something to place: its name, a letter that stands for it, and whether the page puts it first."""

    name: str
    letter: str
    kind: Literal["thing", "door", "agent"]
    first: bool


def items(wanted: RequestedReply, frame: MapFrame, *, told: bool = True) -> list[GridItem]:
    """All names that the person was told; those seen so far first, or on a local map those in view now.

    Who is not `told` in words what is in view finds all names alike.
    """
    brief, shown = wanted.episode.brief, set(_in_view(wanted) if frame == "local" else _seen(wanted))
    shown = shown if told else set(brief.names)
    letters = _letters()
    listed = [GridItem(name, next(letters), "thing", name in shown) for name in brief.things]
    listed += [GridItem(name, next(letters), "door", name in shown) for name in brief.doors]
    listed.sort(key=lambda item: not item.first)
    return listed if frame == "local" else [GridItem(AGENT, "", "agent", True), *listed]


def grid_data(wanted: RequestedReply, saved: SavedSession, *, tools: bool, told: bool = True) -> dict[str, object]:
    """Plain values for the page's script. A local map begins empty, any other with the notebook."""
    frame: MapFrame = "local" if wanted.probe == "local" else "global"
    marks = {} if frame == "local" else saved.notebook
    return {
        "frame": frame,
        "answers": wanted.probe in ("global", "local"),
        "items": [
            {"name": i.name, "letter": i.letter, "kind": i.kind, "first": i.first}
            for i in items(wanted, frame, told=told)
        ],
        "places": {
            name: [*mark.position, None if mark.facing is None else _FACINGS.index(mark.facing)]
            for name, mark in marks.items()
        },
        "largest": LARGEST,
        "rings": rings() if tools else [],
    }


def notebook_of(reply: str, wanted: RequestedReply) -> dict[str, NotebookEntry]:
    """The map in a reply as a notebook, on whole cells of the grid: what was said last is what one goes on from."""
    said = read_global_map(reply, (*wanted.episode.brief.names, AGENT), STRICT)
    if isinstance(said, NoMap):
        return {}
    cells = {name: (round(p.position[0]), round(p.position[1]), p.facing) for name, p in said.places.items()}
    return {
        name: NotebookEntry(position=(x, y), facing=None if facing is None else _FACINGS[facing])
        for name, (x, y, facing) in cells.items()
        if max(abs(x), abs(y)) <= LARGEST
    }


def _seen(wanted: RequestedReply) -> Iterator[str]:
    for turn in wanted.past:
        yield from turn.told.names if isinstance(turn.told, Observation) else ()


def _in_view(wanted: RequestedReply) -> tuple[str, ...]:
    told = wanted.past[-1].told if wanted.past else None
    return told.names if isinstance(told, Observation) else ()


def _letters() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))
