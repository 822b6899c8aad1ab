"""Places for a camera, and whether it has all actors in its picture: many at once."""

import math

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.rules import Floats, Rules
from tolman.benchmarks.sparrta.sample import FIELD
from tolman.render.outdoors.setting import Setting

_EYES = 256
"""Cameras that are tried for a layout."""
_CLEARANCE = 0.35
"""Metres between a camera and the ground or a trunk."""
_SIZE = 224.0
_SCALE = _SIZE / 2 / math.tan(math.radians(FIELD) / 2)
_NEAREST = 0.5


def cameras(setting: Setting, rules: Rules, point: Floats, level: float, stream: np.random.Generator) -> Floats:
    """Places for a camera about a point, one a row: above the actors' level and the ground, and not in a wall."""
    flat = point[:2] + stream.uniform(-rules.reach, rules.reach, (_EYES, 2))
    up = level + stream.uniform(0, rules.rise, _EYES)
    x, y = flat.astype(np.float32).T
    free = setting.airy(x, y) & (up > setting.height(x, y) + _CLEARANCE)
    near = np.hypot(x[:, None] - setting.solids[:, 0], y[:, None] - setting.solids[:, 1])
    free &= (near > setting.solids[:, 2] + _CLEARANCE).all(axis=1)
    return np.column_stack([flat, up])[free]


def are_framed(eyes: Floats, point: Floats, corners: Floats, rules: Rules) -> NDArray[np.bool_]:
    """For each camera that looks at a point, whether all boxes are inside its picture, large enough, and not all in its
    very middle. `corners` are those of each box."""
    ahead = point - eyes
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    right = np.stack([ahead[:, 1], -ahead[:, 0], np.zeros(len(eyes))], 1)
    right /= np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-9)
    up = np.cross(right, ahead)
    to = corners[None] - eyes[:, None, None]
    far = (to * ahead[:, None, None]).sum(axis=-1)
    before = np.maximum(far, _NEAREST)
    across = _SCALE * (to * right[:, None, None]).sum(axis=-1) / before
    above = _SCALE * (to * up[:, None, None]).sum(axis=-1) / before
    most = _SIZE / 2 - rules.margin
    inside = ((np.abs(across) <= most) & (np.abs(above) <= most) & (far > _NEAREST)).all(axis=(1, 2))
    large = (np.ptp(across, axis=2) * np.ptp(above, axis=2) >= rules.pixels).all(axis=1)
    off = np.hypot(across.mean(axis=2), above.mean(axis=2)).max(axis=1)
    return inside & large & (off >= _SCALE * math.tan(math.radians(rules.clustered)))
