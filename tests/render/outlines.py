"""Where in a picture each thing and door of a scene must be, by numpy alone."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tests.render.pinhole import Floats, Mask, corners_of, from_pose, silhouette
from tolman.render.building.rooms import appearance_seed, door_leaf
from tolman.render.building.things import AssetOf, placed_thing
from tolman.render.building.walls import DOOR_HEIGHT, DOOR_WIDTH, WALL
from tolman.world import Door, Item, Pose, Scene

_RAISED = 0.012
"""Metres by which a door's frame stands out of the wall."""


@dataclass(frozen=True, eq=False)
class Body:
    """Something that stands in the world."""

    item: Item
    corners: Floats
    """Of its triangles."""

    def mask(self, pose: Pose) -> Mask:
        """Pixels that show it to someone at a pose, with no other thing there."""
        outline = silhouette(from_pose(self.corners, pose))
        if isinstance(self.item, Door):
            outline &= silhouette(from_pose(_hole(self.item, pose), pose))
        return outline


@lru_cache(maxsize=1)
def outlines(scene: Scene, model_of: AssetOf) -> dict[str, Body]:
    """Everything that has a name, as it stands in the scene."""
    look = appearance_seed(scene)
    meshes = (
        (item, door_leaf(item) if isinstance(item, Door) else placed_thing(item, model_of, look))
        for item in scene.items
    )
    return {item.name: Body(item, corners_of(parts)) for item, parts in meshes}


def _hole(door: Door, pose: Pose) -> Floats:
    """The hole in the face of the wall, through which someone on that side sees the door: two triangles."""
    along, across = (1, 0) if door.axis == "x" else (0, 1)
    hole = np.zeros((4, 3))
    hole[:, along] = door.cell[along] + np.array([-1, 1, 1, -1]) * DOOR_WIDTH / 2
    hole[:, across] = door.cell[across] + np.sign(pose.cell[across] - door.cell[across]) * (WALL / 2 + _RAISED)
    hole[:, 2] = (0.0, 0.0, DOOR_HEIGHT, DOOR_HEIGHT)
    return hole[[[0, 1, 2], [0, 2, 3]]]
