"""Scenes in which every thing is a slim post: its pixels lie around the bearing of its cell, whatever stands there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tests.render.pinhole import SIZE, Floats, Pixels, rays
from tolman.core.geometry import bearing, difference, to_ego
from tolman.render.renderer import Renderer
from tolman.render.shapes.mesh import Asset, Material
from tolman.render.shapes.solids import cylinder
from tolman.render.views import viewpoints
from tolman.sense import Sighting, look
from tolman.world import Item, Pose, Scene

RADIUS, HEIGHT = 0.05, 0.6
"""In metres. Lower than the camera, so that those behind stand out above those before."""
_MAST, _TALL = 0.0005, 1.9
_GREY = Material((0.4, 0.4, 0.4))


def with_posts(scene: Scene) -> Scene:
    """The same scene with things of no known kind, which are not put on plinths."""
    return replace(scene, things=tuple(replace(thing, category="post") for thing in scene.things))


def post(kind: str, seed: int) -> Asset:
    """A post, and a mast too thin to matter: things of no known kind are made as high as that."""
    del kind, seed
    foot = (0.0, 0.0, 0.0)
    return Asset((cylinder(RADIUS, HEIGHT, foot, _GREY), cylinder(_MAST, _TALL, foot, _GREY)))


@dataclass(frozen=True, eq=False)
class Shown:
    """The pixels of one thing or door in one view that lists it."""

    item: Item
    pose: Pose
    said: Sighting
    rows: Pixels
    columns: Pixels
    points: Floats
    """What they show: metres to the right, ahead and up from the camera."""
    is_whole: bool
    """Whether nothing stands before its foot."""

    @property
    def bearing(self) -> float:
        return true_bearing(self.item, self.pose)


def true_bearing(item: Item, pose: Pose) -> float:
    """Degrees clockwise from the heading to the middle of a cell."""
    return bearing(*to_ego(difference(item.cell, pose.cell), pose.heading))


def all_shown(renderer: Renderer) -> Iterator[Shown]:
    """Everything that is listed in any view of a scene, but for what is where the camera stands."""
    scene = renderer.scene
    for point in viewpoints(scene):
        pose = point.pose(scene)
        hits = renderer.hits(pose, size=SIZE)
        for said in look(scene, pose)[0]:
            item, number = scene.item(said.name), scene.names.index(said.name) + 1
            if item.cell != pose.cell:
                rows, columns = np.nonzero(hits.ids == number)
                points = hits.depth[rows, columns, None] * rays(rows, columns)
                before = hits.ids[np.minimum(rows + 2, SIZE - 1), columns]
                whole = bool(np.isin(before, (0, number)).all())
                yield Shown(item, pose, said, rows, columns, points, whole)
