"""What the drawing grid of a page is given: names to place, and where the person put them last. Never the truth."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product
from string import ascii_uppercase
from typing import Literal

from tolman.belief.read_map import NoMap, read_global_map
from tolman.models.sittings import Mark, SavedSitting
from tolman.play.measure import rings
from tolman.play.order import Wanted
from tolman.rules import STRICT
from tolman.sense import Observation
from tolman.world import AGENT

Frame = Literal["global", "local"]
LARGEST = 60
"""Cells from the middle of the grid to its edge when it is widest."""
_FACINGS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Item:
    """Something to place: its name, a letter that stands for it, and whether the page puts it first."""

    name: str
    letter: str
    kind: Literal["thing", "door", "agent"]
    first: bool


def items(wanted: Wanted, frame: Frame, *, told: bool = True) -> list[Item]:
    """All names that the person was told; those seen so far first, or on a local map those in view now.

    Who is not `told` in words what is in view finds all names alike.
    """
    brief, shown = wanted.episode.brief, set(_in_view(wanted) if frame == "local" else _seen(wanted))
    shown = shown if told else set(brief.names)
    letters = _letters()
    listed = [Item(name, next(letters), "thing", name in shown) for name in brief.things]
    listed += [Item(name, next(letters), "door", name in shown) for name in brief.doors]
    listed.sort(key=lambda item: not item.first)
    return listed if frame == "local" else [Item(AGENT, "", "agent", True), *listed]


def grid_data(wanted: Wanted, saved: SavedSitting, *, tools: bool, told: bool = True) -> dict[str, object]:
    """Plain values for the page's script. A local map begins empty, any other with the notebook."""
    frame: Frame = "local" if wanted.probe == "local" else "global"
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


def notebook_of(reply: str, wanted: Wanted) -> dict[str, Mark]:
    """The map in a reply as a notebook, on whole cells of the grid: what was said last is what one goes on from."""
    said = read_global_map(reply, (*wanted.episode.brief.names, AGENT), STRICT)
    if isinstance(said, NoMap):
        return {}
    cells = {name: (round(p.position[0]), round(p.position[1]), p.facing) for name, p in said.places.items()}
    return {
        name: Mark(position=(x, y), facing=None if facing is None else _FACINGS[facing])
        for name, (x, y, facing) in cells.items()
        if max(abs(x), abs(y)) <= LARGEST
    }


def _seen(wanted: Wanted) -> Iterator[str]:
    for turn in wanted.past:
        yield from turn.told.names if isinstance(turn.told, Observation) else ()


def _in_view(wanted: Wanted) -> tuple[str, ...]:
    told = wanted.past[-1].told if wanted.past else None
    return told.names if isinstance(told, Observation) else ()


def _letters() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))
