"""Small floor plans as SVG, for notebooks: walls, doors, things, and marks on top. Every text is escaped.

Frame as in scenes: cells, x east, y north; the drawing has north at the top.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from tolman.core.geometry import Heading
from tolman.world.vocabulary import door_colour

if TYPE_CHECKING:
    from tolman.world.scene import Scene

CELL = 40
"""Pixels."""
WALL, FLOOR, INK, THING, SEEN, AGENT = "#47413c", "#f6f0e6", "#2c2a28", "#a8b9bf", "#7fb08a", "#c8452f"
_HALO = f'text-anchor="middle" stroke="{FLOOR}" stroke-width="2" paint-order="stroke"'
_LETTERS, _INSET = 12, 9

Place = tuple[float, float]


@dataclass(frozen=True)
class CellDrawing:
    """A drawing of all cells from `low` to `high`, both included."""

    low: Place
    high: Place

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels."""
        return (self.high[0] - self.low[0] + 1) * CELL, (self.high[1] - self.low[1] + 1) * CELL

    def at(self, place: Place) -> tuple[float, float]:
        """The centre of a cell in pixels."""
        return (place[0] - self.low[0] + 0.5) * CELL, (self.high[1] - place[1] + 0.5) * CELL

    def rectangle(self, low: Place, high: Place, colour: str, inset: float = 0.0, title: str = "") -> str:
        """A filled rectangle of cells, both corners included."""
        x, y = self.at((low[0], high[1]))
        half = CELL / 2 - inset
        width, height = (high[0] - low[0]) * CELL + 2 * half, (high[1] - low[1]) * CELL + 2 * half
        box = f'x="{x - half:g}" y="{y - half:g}" width="{width:g}" height="{height:g}"'
        return f'<rect {box} fill="{colour}"><title>{escape(title)}</title></rect>'

    def arrow(self, place: Place, heading: Heading, colour: str = INK, title: str = "") -> str:
        """A triangle that points in a heading."""
        x, y = self.at(place)
        turned = f'transform="translate({x:g} {y:g}) rotate({heading.degrees})"'
        return f'<path d="M0 -13 L9 10 L0 5 L-9 10 Z" fill="{colour}" {turned}><title>{escape(title)}</title></path>'

    def front(self, place: Place, heading: Heading) -> str:
        """A bar at the side of a cell that something faces."""
        x, y = self.at(place)
        turned = f'transform="translate({x:g} {y:g}) rotate({heading.degrees})"'
        return f'<rect x="-9" y="-11" width="18" height="4" fill="{INK}" {turned}/>'

    def dot(self, place: Place, colour: str, title: str = "") -> str:
        """A round mark."""
        x, y = self.at(place)
        return f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{colour}"><title>{escape(title)}</title></circle>'

    def cross(self, place: Place, title: str) -> str:
        """A thin cross."""
        x, y = self.at(place)
        lines = f"M{x - 8:g} {y:g} h16 M{x:g} {y - 8:g} v16"
        return f'<path d="{lines}" stroke="{INK}" fill="none"><title>{escape(title)}</title></path>'

    def path(self, places: Sequence[Place], colour: str = AGENT) -> str:
        """A line through cells."""
        points = " ".join(f"{x:g},{y:g}" for x, y in map(self.at, places))
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-opacity=".7"/>'

    def label(self, place: Place, text: str) -> str:
        """A short name at the lower side of a cell."""
        x, y = self.at(place)
        short = text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
        return f'<text x="{x:g}" y="{y + CELL / 2:g}" {_HALO}>{escape(short)}</text>'

    def svg(self, parts: Iterable[str], title: str, ground: str = "#ffffff") -> str:
        """The whole drawing."""
        width, height = self.size
        style = f'font-family="sans-serif" font-size="9" fill="{INK}" role="img"'
        view = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
        back = f'<rect width="{width:g}" height="{height:g}" fill="{ground}"/>'
        inside = "".join(parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {view} {style}><title>{escape(title)}</title>{back}{inside}</svg>'
        )


def scene_parts(scene: "Scene", canvas: CellDrawing, seen: Collection[str] = ()) -> list[str]:
    """Floors, doors and things of a scene, on a ground of walls; a bar marks the side that a thing faces.

    Things in `seen` are green.
    """
    parts = [canvas.rectangle(room.low, room.high, FLOOR, title=f"room {room.id}") for room in scene.rooms]
    parts += [canvas.rectangle(door.cell, door.cell, door_colour(door.name), 5, door.name) for door in scene.doors]
    for thing in scene.things:
        colour = SEEN if thing.name in seen else THING
        parts.append(canvas.rectangle(thing.cell, thing.cell, colour, _INSET, thing.name))
        if thing.front is not None:
            parts.append(canvas.front(thing.cell, thing.front))
        parts.append(canvas.label(thing.cell, thing.name))
    return parts


def scene_svg(scene: "Scene", title: str) -> str:
    """A floor plan with the agent at its start, facing north."""
    canvas = CellDrawing(*scene.bounds)
    start = canvas.arrow(scene.start, Heading.NORTH, AGENT, "start")
    return canvas.svg([*scene_parts(scene, canvas), start], title, WALL)
