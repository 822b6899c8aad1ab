"""How a thing stands on uneven ground: with its feet down, leaning with the slope where it is long or has wheels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.assets.outdoor.kinds import LEVEL
from tolman.render.outdoors.ground import Height
from tolman.render.shapes.model import Model
from tolman.render.shapes.transforms import turn

Pose = NDArray[np.float64]
"""A 3 by 4 matrix: a turn, and a shift in metres."""
_FOOT = 0.06
"""Share of a thing's height within which it touches the ground."""
_SUNK = {"rock": 0.06, "tree": 0.03, "snowy tree": 0.05, "cactus": 0.03, "snowman": 0.03}
"""Metres that a thing sits deeper than it lies."""


@dataclass(frozen=True, eq=False)
class Footing:
    """A model's outer box and its base, in its own frame."""

    kind: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    base: NDArray[np.float64]
    """Nine points on the ground below it, in metres: rows of x, y, z."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """Of the box, one a row."""
        both = np.array([self.low, self.high])
        return np.array([[both[i, 0], both[j, 1], both[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])

    def pose(self, x: float, y: float, heading: float, height: Height) -> Pose:
        """Where the model goes to stand at a place, with its front to a heading in clockwise degrees from north."""
        turned = turn("z", -heading)[:, :3]
        feet = self.base @ turned.T
        ground = height((feet[:, 0] + x).astype(np.float32), (feet[:, 1] + y).astype(np.float32)).astype(np.float64)
        if self.kind in LEVEL:
            return np.column_stack([turned, [x, y, ground.min() - _SUNK.get(self.kind, 0.0)]])
        slopes = np.linalg.lstsq(np.column_stack([feet[:, :2], np.ones(len(feet))]), ground, rcond=None)[0]
        plane = slopes.astype(np.float64)
        low = float((ground - feet[:, :2] @ plane[:2] - plane[2]).min())
        return np.column_stack([_leant(plane) @ turned, [x, y, plane[2] + max(low, -0.1)]])


def _leant(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """The smallest turn that brings straight up onto the normal of a plane that rises by `plane` along x and y."""
    up = np.array([-plane[0], -plane[1], 1.0])
    up /= np.linalg.norm(up)
    x, y, z = up
    return np.array(
        [[1 - x * x / (1 + z), -x * y / (1 + z), x], [-x * y / (1 + z), 1 - y * y / (1 + z), y], [-x, -y, z]]
    )


def footing(kind: str, model: Model) -> Footing:
    """Of a model as it was made: standing on z = 0."""
    low, high = model.bounds
    points = np.concatenate([mesh.points for mesh in model.meshes]).astype(np.float64)
    feet = points[points[:, 2] < low[2] + _FOOT * (high[2] - low[2])]
    least = np.array([0.12, 0.12])
    middle, half = (feet[:, :2].min(axis=0) + feet[:, :2].max(axis=0)) / 2, np.ptp(feet[:, :2], axis=0) / 2
    steps = np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    base = np.column_stack([middle + steps * np.maximum(half, least), np.zeros(9)])
    return Footing(kind, low, high, base)
