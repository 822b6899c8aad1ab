"""True and stated positions on a map picture, with their symbols and error lines."""

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
"""Cells to which stated coordinates are limited; NaN counts as this far."""


@dataclass(frozen=True, slots=True)
class MapMark:
    """One name on the picture: its true position, its stated position, or both. Cells of the world frame."""

    name: str
    seen: bool
    true: MapPoint | None
    """None for a name that the scene does not have."""
    stated: MapPoint | None
    """None for a name that the map does not have."""
    front: Heading | None
    """The true facing; None for doors and for things without a front."""
    facing: Heading | None
    """The stated facing."""

    @property
    def error(self) -> float | None:
        """Cells from the true position to the stated one."""
        return None if self.true is None or self.stated is None else math.dist(self.true, self.stated)


def map_marks(scene: Scene, stated_positions: StatedPositions, seen: Collection[str]) -> list[MapMark]:
    """Things and doors in the scene's order, then names that only the map has, without the agent and the start."""
    unknown = [name for name in stated_positions if name not in scene and name not in (AGENT, START)]
    return [
        *(
            _map_mark(scene, stated_positions, item.name, item.cell, _front(item), seen=item.name in seen)
            for item in scene.items
        ),
        *(_map_mark(scene, stated_positions, name, None, None, seen=False) for name in unknown),
    ]


def agent_mark(scene: Scene, stated_positions: StatedPositions, pose: Pose) -> MapMark:
    """The agent's mark; its heading is its front."""
    return _map_mark(scene, stated_positions, AGENT, pose.cell, pose.heading, seen=True)


def _front(item: Item) -> Heading | None:
    return None if isinstance(item, Door) else item.front


def _map_mark(
    scene: Scene, stated_positions: StatedPositions, name: str, cell: Cell | None, front: Heading | None, *, seen: bool
) -> MapMark:
    if name not in stated_positions:
        return MapMark(name, seen, cell, None, front, None)
    (east, north), facing = stated_positions[name]
    stated = (scene.start[0] + _limited(east), scene.start[1] + _limited(north))
    return MapMark(name, seen, cell, stated, front, facing)


def _limited(cells: float) -> float:
    return max(-_FAR, min(_FAR, cells))


_ARROW = ((0.0, 1.3), (0.85, -0.65), (-0.85, -0.65))
"""Outline of the agent's symbol: right and ahead, in units of its size."""
_HEAD = ((0.0, 1.2), (1.0, -1.2), (-1.0, -1.2))
"""Outline of the arrow at the border, likewise."""
_STEP, _MOST_STEPS = 12, 32
"""Pixels between the points of an error line that labels avoid, and their largest number."""


@dataclass(frozen=True, slots=True)
class StatedSpot:
    """Where a stated position is drawn, in pixels; one outside the picture is drawn as an arrow at the border."""

    point: Point
    beyond: Point | None
    """Unit vector towards a position outside the picture."""


def radius(canvas: Canvas) -> float:
    """Radius of the disc of a stated position in pixels; other symbols are in proportion."""
    return min(max(0.18 * canvas.cell, 2.2), 5.5)


def spot(canvas: Canvas, mark: MapMark) -> StatedSpot | None:
    """Where a stated position is drawn: in place, or at the border on the line from the true position."""
    if mark.stated is None:
        return None
    low_x, low_y, high_x, high_y = map_area(canvas, 1.4 * radius(canvas))
    x, y = canvas.at(*mark.stated)
    if low_x <= x <= high_x and low_y <= y <= high_y:
        return StatedSpot((x, y), None)
    from_x, from_y = canvas.at(*mark.true) if mark.true else ((low_x + high_x) / 2, (low_y + high_y) / 2)
    dx, dy = x - from_x, y - from_y
    to_border = [(high_x if dx > 0 else low_x) - from_x, (high_y if dy > 0 else low_y) - from_y]
    share = min(border / full for border, full in zip(to_border, (dx, dy), strict=True) if full)
    length = math.hypot(dx, dy)
    return StatedSpot((from_x + share * dx, from_y + share * dy), (dx / length, dy / length))


def draw_truth(brush: Brush, canvas: Canvas, mark: MapMark) -> None:
    """A ring at a true position, with a tick at the thing's front; faint if it has not been seen."""
    if mark.true is None:
        return
    centre, r, colour = canvas.at(*mark.true), radius(canvas), QUIET if mark.seen else FAINT
    if mark.front is not None:
        start, end = _offset(centre, mark.front, 1.6 * r), _offset(centre, mark.front, 2.2 * r)
        brush.line(start, end, _line_width(canvas), colour)
    brush.ring(centre, 1.65 * r, _line_width(canvas), colour)


def draw_error(brush: Brush, canvas: Canvas, mark: MapMark) -> None:
    """A line from the true to the stated position, green to red by its length."""
    stated = spot(canvas, mark)
    if mark.true is None or mark.error is None or stated is None:
        return
    brush.line(canvas.at(*mark.true), stated.point, _line_width(canvas), error_colour(mark.error))


def draw_statement(brush: Brush, canvas: Canvas, mark: MapMark) -> None:
    """A disc at a stated position, with a tick for the facing; an arrow if it is outside the picture."""
    stated, r = spot(canvas, mark), radius(canvas)
    if stated is None:
        return
    if stated.beyond is not None:
        brush.polygon(_turned(_HEAD, stated.point, stated.beyond, r), STATED)
        return
    if mark.facing is not None:
        start, end = _offset(stated.point, mark.facing, 0.5 * r), _offset(stated.point, mark.facing, 2.3 * r)
        brush.line(start, end, _line_width(canvas) + 2.0, FLOOR)
        brush.line(start, end, _line_width(canvas) + 0.5, _facing_colour(mark))
    brush.disc(stated.point, r + 0.8, FLOOR)
    brush.disc(stated.point, r, STATED)


def draw_agent(brush: Brush, canvas: Canvas, mark: MapMark) -> None:
    """A solid arrow head at the agent's position, and an outlined one (a ring without a facing) at the stated one."""
    stated, size = spot(canvas, mark), 1.6 * radius(canvas)
    if mark.true is not None and mark.front is not None:
        true, ahead = canvas.at(*mark.true), mark.front.vector
        brush.polygon(_turned(_ARROW, true, ahead, 1.4 * size), FLOOR)
        brush.polygon(_turned(_ARROW, true, ahead, size), INK)
    if stated is None:
        return
    if stated.beyond is not None:
        brush.polygon(_turned(_HEAD, stated.point, stated.beyond, radius(canvas)), STATED)
    elif mark.facing is None:
        brush.ring(stated.point, size, 1.2 * _line_width(canvas), STATED)
    else:
        outer, inner = (_turned(_ARROW, stated.point, mark.facing.vector, share * size) for share in (1.6, 1.25))
        brush.polygon(outer, STATED, hole=inner)


def covered(canvas: Canvas, mark: MapMark) -> list[Box]:
    """Boxes that labels should avoid: of the true position, if any, the stated position, and the line between them."""
    stated = spot(canvas, mark)
    ends = [] if mark.true is None else [canvas.at(*mark.true)]
    ends += [] if stated is None else [stated.point]
    boxes = [_square(end, 1.9 * radius(canvas)) for end in ends]
    if len(ends) == 2:
        (x0, y0), (x1, y1) = ends
        steps = min(int(math.dist(*ends) / _STEP), _MOST_STEPS)
        shares = [(i + 0.5) / steps for i in range(steps)]
        boxes += [_square((x0 + share * (x1 - x0), y0 + share * (y1 - y0)), 3.0) for share in shares]
    return boxes


def _square(centre: Point, reach: float) -> Box:
    return centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach


def _facing_colour(mark: MapMark) -> Colour:
    """Green or red for a correct or wrong facing; grey if there is no true one."""
    if mark.front is None:
        return QUIET
    return RIGHT if mark.facing == mark.front else WRONG


def _line_width(canvas: Canvas) -> float:
    """In pixels."""
    return min(max(0.065 * canvas.cell, 1.0), 1.8)


def _offset(centre: Point, heading: Heading, pixels: float) -> Point:
    dx, dy = heading.vector
    return centre[0] + pixels * dx, centre[1] + pixels * dy


def _turned(outline: tuple[Point, ...], centre: Point, ahead: Point, size: float) -> list[Point]:
    """An outline of (right, front) coordinates around a point, with its front along the unit vector `ahead`."""
    (x, y), (dx, dy) = centre, ahead
    return [(x + size * (dy * right + dx * front), y + size * (dy * front - dx * right)) for right, front in outline]
