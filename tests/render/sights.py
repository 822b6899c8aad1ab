"""Everything that the text world lists, view by view, beside what the picture shows of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tests.render.outlines import outlines
from tests.render.pinhole import SIZE, Floats, Mask, bearing_of, depth_along, from_pose, rays
from tolman.core.geometry import bearing, difference, to_ego
from tolman.render.building.things import AssetOf
from tolman.render.engine.traced_scene import Hits
from tolman.render.renderer import Renderer
from tolman.render.views import Viewpoint, viewpoints
from tolman.sense import visible
from tolman.world import Door, Item, Pose, Scene

ENOUGH = 40
"""Pixels at 384 by 384 below which a thing can't be told."""


@dataclass(frozen=True)
class Foot:
    """The middle of the lowest row of pixels that show something, as a point of the world. Metres."""

    depth: float
    """Along the ray, by the picture."""
    expected: float
    """Along the ray to the model's triangles, by numpy; infinite where it misses them."""
    outside: float
    """How far the point lies outside the rectangle that the model takes up on the floor."""
    height: float
    """Above the floor."""


@dataclass(frozen=True)
class Sight:
    """One thing or door in one view that lists it. Bearings in degrees clockwise from straight ahead."""

    item: Item
    point: Viewpoint
    pixels: int
    alone: int
    """Pixels it would have with no other thing there, by numpy."""
    hidden_by: dict[str, int]
    """Pixels of that outline in which other things are."""
    walled: int
    """Pixels of that outline in which the building is."""
    cut: bool
    """Whether the picture's edge cuts it off."""
    true: float
    """Bearing of its cell."""
    shown: float
    """Bearing of the middle of its pixels; not a number without any."""
    outlined: float
    """Bearing of the middle of its outline by numpy."""
    foot: Foot | None
    """None without pixels."""

    @property
    def is_door(self) -> bool:
        return isinstance(self.item, Door)

    @property
    def is_hidden(self) -> bool:
        """Whether only other things keep it from having enough pixels."""
        return self.pixels < ENOUGH <= self.pixels + sum(self.hidden_by.values())

    @property
    def is_clear(self) -> bool:
        """Whether neither other things nor walls are before it."""
        return not self.hidden_by and not self.is_walled

    @property
    def is_walled(self) -> bool:
        """Whether a wall or a door's frame is before part of it; a pixel or two at its edge don't count."""
        return self.walled > 0.01 * self.alone + 2

    def __str__(self) -> str:
        by = max(self.hidden_by, key=self.hidden_by.__getitem__, default="nothing")
        place = f"from {self.point.standing_on} facing {self.point.heading.word}"
        return f"{self.item.name} {place}: {self.pixels} of {self.alone} pixels, behind {by}"


@dataclass(frozen=True)
class Seen:
    """All views of a scene."""

    scene: Scene
    views: int
    sights: tuple[Sight, ...]
    strangers: tuple[str, ...]
    """What shows that is not in the room, or stands where the camera is."""


def seen(scene: Scene, model_of: AssetOf) -> Seen:
    """A scene from everywhere that one can stand, with these models."""
    renderer = Renderer(scene, model_of, "draft")
    views = [(point, point.pose(scene)) for point in viewpoints(scene)]
    sights: list[Sight] = []
    strangers: list[str] = []
    for point, pose in views:
        hits = renderer.hits(pose, size=SIZE)
        strangers += [f"{name} from {point}" for name in _strangers(scene, pose, hits)]
        sights += _sights(scene, model_of, point, hits)
    return Seen(scene, len(views), tuple(sights), tuple(strangers))


def _strangers(scene: Scene, pose: Pose, hits: Hits) -> Iterator[str]:
    expected = {item.name for item in scene.items_in(pose.rooms) if item.cell != pose.cell}
    for number in np.unique(hits.ids[hits.ids > 0]).tolist():
        if scene.names[number - 1] not in expected:
            yield scene.names[number - 1]


def _sights(scene: Scene, model_of: AssetOf, point: Viewpoint, hits: Hits) -> Iterator[Sight]:
    pose = point.pose(scene)
    for item in visible(scene, pose):
        if item.cell != pose.cell:
            body = outlines(scene, model_of)[item.name]
            yield _sight(scene, point, item, hits, body.mask(pose), from_pose(body.corners, pose))


def _sight(scene: Scene, point: Viewpoint, item: Item, hits: Hits, alone: Mask, body: Floats) -> Sight:
    pose = point.pose(scene)
    mask = hits.ids == scene.names.index(item.name) + 1
    columns = np.nonzero(mask)[1]
    others = np.bincount(np.maximum(hits.ids[alone & ~mask], 0), minlength=len(scene.names) + 1).tolist()
    return Sight(
        item,
        point,
        pixels=len(columns),
        alone=int(alone.sum()),
        hidden_by={name: count for name, count in zip(scene.names, others[1:], strict=True) if count},
        walled=others[0],
        cut=bool(alone[[0, -1]].any() or alone[:, [0, -1]].any()),
        true=bearing(*to_ego(difference(item.cell, pose.cell), pose.heading)),
        shown=bearing_of(columns),
        outlined=bearing_of(np.nonzero(alone)[1]),
        foot=_foot(mask, hits, body) if len(columns) else None,
    )


def _foot(mask: Mask, hits: Hits, body: Floats) -> Foot:
    rows, columns = np.nonzero(mask)
    middle = np.nonzero(rows == rows.max())[0][[int((rows == rows.max()).sum()) // 2]]
    row, column = rows[middle], columns[middle]
    depth, way, corners = float(hits.depth[row, column][0]), rays(row, column)[0], body.reshape(-1, 3)
    low, high, point = corners.min(axis=0), corners.max(axis=0), depth * way
    outside = float(np.maximum(low - point, point - high)[:2].max())
    return Foot(depth, depth_along(body, way), max(0.0, outside), float(point[2] - low[2]))
