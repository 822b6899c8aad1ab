"""Whether an agent's local and global map say the same about what is in view."""

from dataclasses import replace
from typing import Literal

from tolman.belief.cognitive_map import CognitiveMap, Placed, Point
from tolman.belief.map_scores import PERFECT, ZERO, MapScore, Yardstick, mean, score_map
from tolman.geometry import Heading
from tolman.rules import Rules
from tolman.world import AGENT, Scene


def consistency(
    local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap, scene: Scene, yardstick: Yardstick, rules: Rules
) -> MapScore | None:
    """Score a local map against the global one, seen from where the global one puts the agent.

    `view` is the true local map. As published, names on both maps count, facings where the global map states one, but
    for doors; None where the global map does not say where the agent is (one that faces nowhere faces north), so that
    nothing can be seen from there. Under `strict` everything in view counts, and no part is worth more than the local
    map's own.
    """
    if rules.agreement_needs_truth:
        return _earned(local, whole, view, yardstick, rules)
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


def coverage(local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap) -> float | None:
    """Share of what is in view that both maps hold; None where nothing is."""
    if not view.places:
        return None
    return sum(name in local.places and name in whole.places for name in view.places) / len(view.places)


def _earned(
    local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap, yardstick: Yardstick, rules: Rules
) -> MapScore | None:
    """Agreement over all that is in view, what either map lacks counting as wrong, and at most as much as is right."""
    right, agent = score_map(local, view, yardstick, rules), whole.places.get(AGENT)
    if right is None:
        return None
    if agent is None or agent.facing is None:
        return _lesser(right, ZERO)
    expected = seen_from(whole.only(view.places), agent.position, agent.facing)
    agreed = score_map(local, expected, yardstick, rules) or ZERO
    there, both = len(view.places), len(expected.places)
    fronts, faced = (len(yardstick.fronted.intersection(known.places)) for known in (view, expected))
    shares = MapScore(
        direction=both * (both + 1) / (there * (there + 1)),
        facing=faced / fronts if fronts else None,
        position=both / there,
        overall=None,
    )
    return _lesser(right, agreed, shares)


def _lesser(right: MapScore, agreed: MapScore, shares: MapScore = PERFECT) -> MapScore:
    """Part by part the lesser of what is right and what agrees, the latter over a share of everything."""

    def part(name: Literal["direction", "facing", "position"]) -> float | None:
        own: float | None = getattr(right, name)
        return None if own is None else min(own, (getattr(agreed, name) or 0.0) * (getattr(shares, name) or 0.0))

    direction, facing, position = part("direction"), part("facing"), part("position")
    return MapScore(direction, facing, position, mean((direction, facing, position)))


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
