"""Whether an agent's local and global map say the same about what is in view."""

from dataclasses import replace

from tolman.belief.cognitive_map import CognitiveMap, Placed, Point
from tolman.belief.map_scores import PERFECT, ZERO, MapScore, Yardstick, score_map
from tolman.geometry import Heading
from tolman.rules import Rules
from tolman.world import AGENT, Scene


def consistency(
    local: CognitiveMap, whole: CognitiveMap, scene: Scene, yardstick: Yardstick, rules: Rules
) -> MapScore | None:
    """Score a local map against the global one, seen from where the global one puts the agent.

    Names on both count. Facings count where the global map states one, but for doors. None where the global map does
    not say where the agent is (and faces: as published it then faces north), so that nothing can be seen from there.
    """
    agent = whole.places.get(AGENT)
    heading = Heading.NORTH if agent and not rules.unreadable_facing_is_missing else None
    heading = agent.facing if agent and agent.facing is not None else heading
    if agent is None or heading is None:
        return None
    if not local.places:
        return None if rules.nothing_to_compare_is_unscored else PERFECT
    expected = seen_from(whole.only(local.places), agent.position, heading)
    if not expected.places:
        return ZERO
    doors = {door.name for door in scene.doors}
    faced = (name for name, placed in expected.places.items() if placed.facing is not None and name not in doors)
    return score_map(local, expected, replace(yardstick, fronted=frozenset(faced)), rules)


def seen_from(whole: CognitiveMap, origin: Point, heading: Heading) -> CognitiveMap:
    """A global map in cells to the right and ahead of someone; facings stay absolute."""
    (x0, y0), (east, north) = origin, heading.vector

    def turned(x: float, y: float) -> Point:
        return (x * north - y * east, x * east + y * north)

    return CognitiveMap(
        {
            name: Placed(turned(placed.position[0] - x0, placed.position[1] - y0), placed.facing)
            for name, placed in whole.places.items()
        }
    )
