"""Observations as structured values: what is visible from a pose, with directions, distances and facings."""

from dataclasses import dataclass
from itertools import combinations

from tolman.core import bins
from tolman.core.geometry import Cell, Heading, difference, distance, to_ego
from tolman.core.rules import Rules
from tolman.world import START, Door, Item, Pose, Scene


def in_view(displacement: tuple[int, int], heading: Heading) -> bool:
    """Whether a displacement, in cells, is inside the 90-degree field of view (its edges included)."""
    right, ahead = to_ego(displacement, heading)
    return ahead >= abs(right) and ahead > 0


def visible(scene: Scene, pose: Pose) -> tuple[Item, ...]:
    """Visible things and doors, in the scene's order: in one of the pose's rooms and inside the field of view."""
    candidates = scene.items_in(pose.rooms)
    return tuple(item for item in candidates if in_view(difference(item.cell, pose.cell), pose.heading))


@dataclass(frozen=True, slots=True)
class Sighting:
    """One visible thing or door, relative to the agent."""

    name: str
    direction: bins.EgoBin
    distance: bins.DistanceBin
    detail: bins.FacingLabel | bins.WallLabel | None
    """Facing of a thing, None if it has no front; wall of a door."""


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two visible items at most two cells apart: `name` is `direction` of `other`, the heading being north."""

    name: str
    other: str
    direction: bins.CardinalBin
    distance: bins.DistanceBin


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything visible from where the agent stands.

    `standing_on` names the thing or door under the agent (`START` at the start). The agent knows its `heading`: it
    started facing north and only its own actions turn it.
    """

    standing_on: str
    heading: Heading
    sightings: tuple[Sighting, ...]
    near_pairs: tuple[NearPair, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sighting.name for sighting in self.sightings)


@dataclass(frozen=True, slots=True)
class Location:
    """The answer to a query: cells east and north of the start, and the reported facing."""

    name: str
    position: Cell
    facing: Heading | None


def observe(scene: Scene, standing_on: str, heading: Heading) -> Observation:
    """The observation from a thing, a doorway or the start."""
    pose = scene.pose_at(standing_on, heading)
    sightings, pairs = look(scene, pose)
    return Observation(standing_on, heading, sightings, pairs)


def look(scene: Scene, pose: Pose) -> tuple[tuple[Sighting, ...], tuple[NearPair, ...]]:
    """Everything visible from any pose, and the pairs of it that are close together."""
    items = visible(scene, pose)
    pairs: list[NearPair] = []
    for a, b in combinations(items, 2):
        displacement = difference(a.cell, b.cell)
        if distance(displacement) <= bins.NEAR:
            pairs.append(NearPair(a.name, b.name, *bins.cardinal_relation(displacement, pose.heading)))
    return tuple(
        Sighting(item.name, *bins.ego_relation(difference(item.cell, pose.cell), pose.heading), _detail(item, pose))
        for item in items
    ), tuple(pairs)


def query(scene: Scene, name: str, rules: Rules) -> Location:
    """Exact position of a thing, a door or the start, in the agent's initial frame."""
    if name == START:
        return Location(START, (0, 0), Heading.NORTH)
    item = scene.item(name)
    if isinstance(item, Door):
        facing = Heading.EAST if item.axis == "x" else Heading.NORTH
    elif item.front is None and not rules.frontless_things_face_nowhere:
        facing = Heading.EAST
    else:
        facing = item.front
    return Location(name, scene.from_start(name), facing)


def _detail(item: Item, pose: Pose) -> bins.FacingLabel | bins.WallLabel | None:
    if isinstance(item, Door):
        shared = next(room for room in item.rooms if room in pose.rooms)
        return bins.wall_label(item.into(shared), pose.heading)
    return None if item.front is None else bins.facing_label(item.front, pose.heading)
