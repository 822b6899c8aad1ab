"""Facings that pictures do not show: of things that look the same facing another way, from wherever they were seen."""

import math
from collections.abc import Mapping, Sequence

from tolman.belief.cognitive_map import true_local_map
from tolman.core.geometry import Heading, bearing, distance
from tolman.core.rules import Rules
from tolman.world import Pose, Scene, Thing

AlikeView = tuple[int, int, int]
"""Metres, and two angles in clockwise degrees from the front of a thing, seen from above, to the camera: from there its
pictures look the same."""
AlikeViews = Mapping[str, Sequence[AlikeView]]
"""By name of the thing; each pair of angles is listed once."""

VIEW_DISTANCES = (1, 3, 6)
"""Metres at which views are compared."""
ANGLE_STEP = 45
"""Degrees between angles at which views are compared."""


def unclear_facings(scene: Scene, poses: Sequence[Pose], alike: AlikeViews, rules: Rules) -> list[frozenset[str]]:
    """After each pose of an exploration, the names of things seen so far whose true facing can't be told from another.

    Empty where nothing is alike, as in the text world, and under rules that score all facings.
    """
    if not alike or not rules.only_visible_facings:
        return [frozenset()] * len(poses)
    left: dict[str, set[Heading]] = {}
    unclear: list[frozenset[str]] = []
    for pose in poses:
        for name in true_local_map(scene, pose, rules).places:
            item = scene.item(name)
            if isinstance(item, Thing) and item.front is not None:
                possible = left.get(name, set(Heading) - {item.front})
                left[name] = {other for other in possible if _same_view(item, other, pose, alike.get(name, ()))}
        unclear.append(frozenset(name for name, others in left.items() if others))
    return unclear


def _same_view(thing: Thing, other: Heading, pose: Pose, alike: Sequence[AlikeView]) -> bool:
    """Whether a thing looks the same from a pose if it faces another way."""
    if thing.front is None:
        return True
    east, north = pose.cell[0] - thing.cell[0], pose.cell[1] - thing.cell[1]
    metres = min(VIEW_DISTANCES, key=lambda each: abs(math.log(each / max(distance((east, north)), 0.5))))
    towards = round(bearing(east, north) / ANGLE_STEP) * ANGLE_STEP
    first, second = sorted((towards - facing.degrees) % 360 for facing in (thing.front, other))
    return (metres, first, second) in alike
