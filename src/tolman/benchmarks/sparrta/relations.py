"""Where the target is, as seen from a viewpoint: in front of the source, behind it, or to a side of it.

Positions are on the ground, in any right-handed frame seen from above: x to the right, y up. Facing directions do not
matter. Front means beyond the source, on the line from the viewpoint through it.
"""

import math
from typing import Literal, get_args

from tolman.core.errors import SettingsError

Relation = Literal["front", "back", "left", "right"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
"""In the order of the class indices of the paper."""
Viewpoint = Literal["ego", "allo"]
"""The camera, or the human."""
VIEWPOINTS: tuple[Viewpoint, ...] = get_args(Viewpoint)
AMBIGUITY = 15.0
"""Half-width in degrees of the ambiguous zone around each diagonal, as published."""
Ground = tuple[float, float]


def parse_viewpoints(text: str) -> tuple[Viewpoint, ...]:
    """The viewpoints that an option names: `ego`, `allo`, or `both`, which is also `ego,allo`."""
    names = set(VIEWPOINTS) if text == "both" else {part.strip() for part in text.split(",")}
    if names - set(VIEWPOINTS):
        raise SettingsError(f"--viewpoint is ego, allo or both, not {text!r}")
    return tuple(name for name in VIEWPOINTS if name in names)


def bearing(viewpoint: Ground, source: Ground, target: Ground) -> float | None:
    """Angle of the target from the source, counter-clockwise degrees from the line of sight, in (-180, 180].

    None where two of the positions are the same.
    """
    sight = source[0] - viewpoint[0], source[1] - viewpoint[1]
    offset = target[0] - source[0], target[1] - source[1]
    if sight == (0, 0) or offset == (0, 0):
        return None
    across, along = sight[0] * offset[1] - sight[1] * offset[0], sight[0] * offset[0] + sight[1] * offset[1]
    return math.degrees(math.atan2(across, along))


def relation(viewpoint: Ground, source: Ground, target: Ground, ambiguity: float = AMBIGUITY) -> Relation | None:
    """The relation, or None within `ambiguity` degrees of a diagonal, the border included."""
    angle = bearing(viewpoint, source, target)
    if angle is None or any(diagonal - ambiguity <= abs(angle) <= diagonal + ambiguity for diagonal in (45.0, 135.0)):
        return None
    if abs(angle) < 45:
        return "front"
    if abs(angle) > 135:
        return "back"
    return "left" if angle > 0 else "right"
