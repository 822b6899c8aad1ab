"""What a map picture compares, true and stated positions, and the symbols and error lines that it draws for them."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tolman.core.geometry import Cell, Heading
from tolman.render.plan.drawing import Brush, Point
from tolman.render.plan.map_style import FAINT, FLOOR, INK, QUIET, RIGHT, STATED, WRONG, Colour, error_colour
from tolman.render.plan.placement import Box, Canvas, map_area
from tolman.world import AGENT, START, Door, Item, Pose, Scene

MapPoint = tuple[float, float]
StatedPositions = Mapping[str, tuple[MapPoint, Heading | None]]
"""Name to cells east and north of the start, and the facing if the map gives one."""

_FAR = 1e9
"""Cells beyond which a position is no farther off; what is not a number counts as this far."""


@dataclass(frozen=True, slots=True)
class MapMark:
    """One name on the picture: its true place, its stated place, or both."""

    name: str
    seen: bool
    true: MapPoint | None
    """None for a name that the scene does not have."""
    stated: MapPoint | None
    """None for what the map leaves out."""
    front: Heading | None
    """The true facing; None for doors and for things that look alike from all sides."""
    facing: Heading | None
    """The stated facing."""

    @property
    def error(self) -> float | None:
        """Cells from the true place to the stated one."""
        return None if self.true is None or self.stated is None else math.dist(self.true, self.stated)


def map_marks(scene: Scene, said: StatedPositions, seen: Collection[str]) -> list[MapMark]:
    """Things and doors in the scene's order, then names that only the map has; the agent and the start are left out."""
    strangers = [name for name in said if name not in scene and name not in (AGENT, START)]
    return [
        *(_map_mark(scene, said, item.name, item.cell, _front(item), seen=item.name in seen) for item in scene.items),
        *(_map_mark(scene, said, name, None, None, seen=False) for name in strangers),
    ]


def agent_mark(scene: Scene, said: StatedPositions, pose: Pose) -> MapMark:
    """The agent, whose heading is its front."""
    return _map_mark(scene, said, AGENT, pose.cell, pose.heading, seen=True)


def _front(item: Item) -> Heading | None:
    return None if isinstance(item, Door) else item.front


def _map_mark(
    scene: Scene, said: StatedPositions, name: str, cell: Cell | None, front: Heading | None, *, seen: bool
) -> MapMark:
    if name not in said:
        return MapMark(name, seen, cell, None, front, None)
    (east, north), facing = said[name]
    stated = (scene.start[0] + _limited(east), scene.start[1] + _limited(north))
    return MapMark(name, seen, cell, stated, front, facing)


def _limited(cells: float) -> float:
    return max(-_FAR, min(_FAR, cells))


_ARROW = ((0.0, 1.3), (0.85, -0.65), (-0.85, -0.65))
"""Outline of the agent: to the right and ahead, in its own size."""
_HEAD = ((0.0, 1.2), (1.0, -1.2), (-1.0, -1.2))
"""Outline of the arrow at the border, likewise."""
_STEP, _MOST_STEPS = 12, 32
"""Pixels between the places along a line that labels keep clear of, and how many there are at most."""


@dataclass(frozen=True, slots=True)
class StatedSpot:
    """Where a statement appears on the picture, in pixels; one far outside appears at the border as an arrow."""

    point: Point
    beyond: Point | None
    """Unit vector towards a place outside the picture."""


def radius(sheet: Canvas) -> float:
    """Radius of a stated disc, in pixels; all other marks are in proportion."""
    return min(max(0.18 * sheet.cell, 2.2), 5.5)


def spot(sheet: Canvas, mark: MapMark) -> StatedSpot | None:
    """Where the picture shows what a map states: in its place or on the way there from the truth."""
    if mark.stated is None:
        return None
    low_x, low_y, high_x, high_y = map_area(sheet, 1.4 * radius(sheet))
    x, y = sheet.at(*mark.stated)
    if low_x <= x <= high_x and low_y <= y <= high_y:
        return StatedSpot((x, y), None)
    from_x, from_y = sheet.at(*mark.true) if mark.true else ((low_x + high_x) / 2, (low_y + high_y) / 2)
    dx, dy = x - from_x, y - from_y
    shares = [(high_x if dx > 0 else low_x) - from_x, (high_y if dy > 0 else low_y) - from_y]
    share = min(room / way for room, way in zip(shares, (dx, dy), strict=True) if way)
    length = math.hypot(dx, dy)
    return StatedSpot((from_x + share * dx, from_y + share * dy), (dx / length, dy / length))


def draw_truth(brush: Brush, sheet: Canvas, mark: MapMark) -> None:
    """An open ring with a short tick where the thing's front is; faint where it has not been seen."""
    if mark.true is None:
        return
    centre, r, colour = sheet.at(*mark.true), radius(sheet), QUIET if mark.seen else FAINT
    if mark.front is not None:
        brush.line(_off(centre, mark.front, 1.6 * r), _off(centre, mark.front, 2.2 * r), _thick(sheet), colour)
    brush.ring(centre, 1.65 * r, _thick(sheet), colour)


def draw_error(brush: Brush, sheet: Canvas, mark: MapMark) -> None:
    """A line from the truth to the statement, from green to red with its length."""
    there = spot(sheet, mark)
    if mark.true is None or mark.error is None or there is None:
        return
    brush.line(sheet.at(*mark.true), there.point, _thick(sheet), error_colour(mark.error))


def draw_statement(brush: Brush, sheet: Canvas, mark: MapMark) -> None:
    """A disc where the map puts something, with a tick for its facing; an arrow if that is outside the picture."""
    there, r = spot(sheet, mark), radius(sheet)
    if there is None:
        return
    if there.beyond is not None:
        brush.polygon(_turned(_HEAD, there.point, there.beyond, r), STATED)
        return
    if mark.facing is not None:
        start, end = _off(there.point, mark.facing, 0.5 * r), _off(there.point, mark.facing, 2.3 * r)
        brush.line(start, end, _thick(sheet) + 2.0, FLOOR)
        brush.line(start, end, _thick(sheet) + 0.5, _verdict(mark))
    brush.disc(there.point, r + 0.8, FLOOR)
    brush.disc(there.point, r, STATED)


def draw_agent(brush: Brush, sheet: Canvas, mark: MapMark) -> None:
    """A solid arrow head where the agent is, and an outlined one (a ring if it faces nowhere) where the map puts it."""
    there, size = spot(sheet, mark), 1.6 * radius(sheet)
    if mark.true is not None and mark.front is not None:
        here, ahead = sheet.at(*mark.true), mark.front.vector
        brush.polygon(_turned(_ARROW, here, ahead, 1.4 * size), FLOOR)
        brush.polygon(_turned(_ARROW, here, ahead, size), INK)
    if there is None:
        return
    if there.beyond is not None:
        brush.polygon(_turned(_HEAD, there.point, there.beyond, radius(sheet)), STATED)
    elif mark.facing is None:
        brush.ring(there.point, size, 1.2 * _thick(sheet), STATED)
    else:
        outer, inner = (_turned(_ARROW, there.point, mark.facing.vector, share * size) for share in (1.6, 1.25))
        brush.polygon(outer, STATED, hole=inner)


def covered(sheet: Canvas, mark: MapMark) -> list[Box]:
    """What labels should keep clear of: the truth if there is one, then the statement, then the line between them."""
    there = spot(sheet, mark)
    ends = [] if mark.true is None else [sheet.at(*mark.true)]
    ends += [] if there is None else [there.point]
    boxes = [_square(end, 1.9 * radius(sheet)) for end in ends]
    if len(ends) == 2:
        (x0, y0), (x1, y1) = ends
        steps = min(int(math.dist(*ends) / _STEP), _MOST_STEPS)
        shares = [(i + 0.5) / steps for i in range(steps)]
        boxes += [_square((x0 + share * (x1 - x0), y0 + share * (y1 - y0)), 3.0) for share in shares]
    return boxes


def _square(centre: Point, reach: float) -> Box:
    return centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach


def _verdict(mark: MapMark) -> Colour:
    """Whether a stated facing is right; grey where there is no front to compare with."""
    if mark.front is None:
        return QUIET
    return RIGHT if mark.facing == mark.front else WRONG


def _thick(sheet: Canvas) -> float:
    """Width of lines in pixels."""
    return min(max(0.065 * sheet.cell, 1.0), 1.8)


def _off(centre: Point, heading: Heading, pixels: float) -> Point:
    dx, dy = heading.vector
    return centre[0] + pixels * dx, centre[1] + pixels * dy


def _turned(outline: tuple[Point, ...], centre: Point, ahead: Point, size: float) -> list[Point]:
    """An outline (right, ahead) around a point, turned so that ahead is along a unit vector."""
    (x, y), (dx, dy) = centre, ahead
    return [(x + size * (dy * right + dx * on), y + size * (dy * on - dx * right)) for right, on in outline]
