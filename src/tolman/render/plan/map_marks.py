"""What a map picture compares: where each thing, door and the agent is, and where the map puts it.

Positions are cells of the world frame, x east and y north.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tolman.geometry import Cell, Heading
from tolman.world import AGENT, START, Door, Item, Pose, Scene

Point = tuple[float, float]
Stated = Mapping[str, tuple[Point, Heading | None]]
"""Name to cells east and north of the start, and the facing if the map gives one."""

_FAR = 1e9
"""Cells beyond which a position is no farther off; what is not a number counts as this far."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One name on the picture: its true place, its stated place, or both."""

    name: str
    seen: bool
    true: Point | None
    """None for a name that the scene does not have."""
    stated: Point | None
    """None for what the map leaves out."""
    front: Heading | None
    """The true facing; None for doors and for things that look alike from all sides."""
    facing: Heading | None
    """The stated facing."""

    @property
    def error(self) -> float | None:
        """Cells from the true place to the stated one."""
        return None if self.true is None or self.stated is None else math.dist(self.true, self.stated)


def marks(scene: Scene, said: Stated, seen: Collection[str]) -> list[Mark]:
    """Things and doors in the scene's order, then names that only the map has; the agent and the start are left out."""
    strangers = [name for name in said if name not in scene and name not in (AGENT, START)]
    return [
        *(_mark(scene, said, item.name, item.cell, _front(item), seen=item.name in seen) for item in scene.items),
        *(_mark(scene, said, name, None, None, seen=False) for name in strangers),
    ]


def agent_mark(scene: Scene, said: Stated, pose: Pose) -> Mark:
    """The agent, whose heading is its front."""
    return _mark(scene, said, AGENT, pose.cell, pose.heading, seen=True)


def _front(item: Item) -> Heading | None:
    return None if isinstance(item, Door) else item.front


def _mark(scene: Scene, said: Stated, name: str, cell: Cell | None, front: Heading | None, *, seen: bool) -> Mark:
    if name not in said:
        return Mark(name, seen, cell, None, front, None)
    (east, north), facing = said[name]
    stated = (scene.start[0] + _limited(east), scene.start[1] + _limited(north))
    return Mark(name, seen, cell, stated, front, facing)


def _limited(cells: float) -> float:
    return max(-_FAR, min(_FAR, cells))
