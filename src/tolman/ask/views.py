"""Poses that questions are about, the origins of their coordinates, and the views that questions list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TypeVar, cast

import numpy as np

from tolman.ask.kinds.registry import Kind
from tolman.ask.plans import random_plan
from tolman.ask.question import Json, Question, pose_to_json, question_text
from tolman.core.bins import DistanceBin, EgoBin, FacingLabel, WallLabel, ego_relation
from tolman.core.geometry import Cell, Heading, difference, distance
from tolman.explore.actions import Move
from tolman.sense import Sighting, describe_sighting, look, parse_sightings, visible
from tolman.world import START, Item, Pose, Room, Scene

MOST_SHOWN = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChosenPose:
    """The index of a candidate pose, the pose, and at most `MOST_SHOWN` things or doors in view from it."""

    number: int
    pose: Pose
    shown: tuple[Item, ...]


def choose_pose(scene: Scene, poses: Iterable[Pose], least: int, stream: np.random.Generator) -> ChosenPose | None:
    """One of the poses with at least `least` items in view, drawn in proportion to their number."""
    views = [(number, pose, visible(scene, pose)) for number, pose in enumerate(poses)]
    views = [view for view in views if len(view[2]) >= least]
    if not views:
        return None
    weights = np.array([len(items) for _, _, items in views], dtype=float)
    number, pose, items = views[int(stream.choice(len(views), p=weights / weights.sum()))]
    if len(items) > MOST_SHOWN:
        items = shuffled(items, stream)
    return ChosenPose(number, pose, items[:MOST_SHOWN])


def shuffled(items: Iterable[T], stream: np.random.Generator) -> tuple[T, ...]:
    """The items in random order."""
    pool = tuple(items)
    return tuple(pool[int(i)] for i in stream.permutation(len(pool)))


PLANS = 5
"""Random plans among whose ends a pose is chosen."""


def choose_plan(scene: Scene, jumps: int, stream: np.random.Generator) -> tuple[tuple[Move, ...], ChosenPose] | None:
    """A random plan of some jumps, and its final pose, as `choose_pose` chooses it; None where there is none."""
    plans = [plan for _ in range(PLANS) if (plan := random_plan(scene, jumps, stream))]
    chosen = choose_pose(scene, [pose for _, pose in plans], 1, stream)
    return None if chosen is None else (plans[chosen.number][0], chosen)


CANDIDATES = 20
DRAWS = 10
_AT_START = "the place where you started"


def random_poses(scene: Scene, stream: np.random.Generator) -> Iterator[Pose]:
    """Up to `CANDIDATES` poses on free cells of rooms with two things more than one cell apart."""
    taken = {thing.cell for thing in scene.things}
    eligible = {room.id for room in scene.rooms if _two_apart(scene, room)}
    for _ in range(CANDIDATES):
        room = next((room for room in shuffled(scene.rooms, stream) if room.id in eligible), None)
        cell = _free_cell(room, taken, stream) if room else None
        if room and cell:
            yield Pose(cell, Heading(int(stream.integers(4))), (room.id,))


def _two_apart(scene: Scene, room: Room) -> bool:
    cells = [thing.cell for thing in scene.things if thing.room == room.id]
    return any(distance(difference(a, b)) > 1 for a, b in combinations(cells, 2))


def _free_cell(room: Room, taken: set[Cell], stream: np.random.Generator) -> Cell | None:
    (x0, y0), (x1, y1) = room.low, room.high
    for _ in range(DRAWS):
        cell = int(stream.integers(x0, x1 + 1)), int(stream.integers(y0, y1 + 1))
        if cell not in taken:
            return cell
    return None


def random_origin(scene: Scene, pose: Pose, stream: np.random.Generator) -> str:
    """The start for a pose in the start room; else one of the doors of the room."""
    (room,) = pose.rooms
    doors = [door for door in scene.doors if room in door.rooms]
    return START if room == 1 or not doors else doors[int(stream.integers(len(doors)))].name


def origin_cell(scene: Scene, origin: str) -> Cell:
    """The world cell of an origin."""
    return scene.start if origin == START else scene.item(origin).cell


def describe_origin(origin: str) -> str:
    """The position of (0, 0), in words."""
    return _AT_START if origin == START else f"the {origin}"


def parse_origin(words: str, scene: Scene) -> str | None:
    """The origin that `describe_origin` described; None where the scene has none such."""
    if words == _AT_START:
        return START
    name = words.removeprefix("the ")
    return name if name in scene else None


_DETAILS: dict[str, FacingLabel | WallLabel] = {str(label): label for label in (*FacingLabel, *WallLabel)}


def sightings_to_json(shown: Sequence[Sighting]) -> list[Json]:
    """Sightings as JSON values."""
    return [{key: None if value is None else str(value) for key, value in asdict(seen).items()} for seen in shown]


def sightings_from_json(values: Json) -> tuple[Sighting, ...]:
    """The sightings that `sightings_to_json` wrote."""
    listed = cast("list[dict[str, str | None]]", values)
    return tuple(
        Sighting(
            str(seen["name"]),
            EgoBin(str(seen["direction"])),
            DistanceBin(str(seen["distance"])),
            None if seen["detail"] is None else _DETAILS[str(seen["detail"])],
        )
        for seen in listed
    )


def describe_sightings(shown: Sequence[Sighting]) -> str:
    """Sightings as lines of a list."""
    return "\n".join(f"- {describe_sighting(seen)}" for seen in shown)


def view_fits(scene: Scene, pose: Pose, shown: Sequence[Sighting]) -> bool:
    """Whether everything shown is in view from a pose exactly as shown; more may be in view."""
    if not all(_bins_agree(scene, pose, seen) for seen in shown):
        return False
    return set(shown) <= set(look(scene, pose)[0])


def _bins_agree(scene: Scene, pose: Pose, seen: Sighting) -> bool:
    """A fast check of one sighting: whether direction and distance agree, regardless of walls."""
    if seen.name not in scene:
        return False
    apart = difference(scene.item(seen.name).cell, pose.cell)
    return ego_relation(apart, pose.heading) == (seen.direction, seen.distance)


def consistent_cells(scene: Scene, heading: Heading, shown: Sequence[Sighting]) -> tuple[Cell, ...]:
    """Every free floor cell from which everything shown is in view with `heading`."""
    taken = {item.cell for item in scene.items}
    shared = [room for room in scene.rooms if all(_is_in(scene, seen.name, room.id) for seen in shown)]
    return tuple(
        cell
        for room in shared
        for cell in room.cells
        if cell not in taken and view_fits(scene, Pose(cell, heading, (room.id,)), shown)
    )


def _is_in(scene: Scene, name: str, room: int) -> bool:
    return name in scene and room in scene.item(name).rooms


class ViewKind(Kind):
    """A kind that lists the view from a pose, or shows an image of it."""

    def ask(
        self,
        scene: Scene,
        chosen: ChosenPose,
        truth: dict[str, Json],
        about: dict[str, Json] | None = None,
        **words: object,
    ) -> Question:
        """The question about a chosen pose, with further parameters, and words that fill its wording."""
        if self.in_pictures:
            view: dict[str, Json] = {"image": pose_to_json(scene, chosen.pose)}
        else:
            seen = {sighting.name: sighting for sighting in look(scene, chosen.pose)[0]}
            shown = [seen[item.name] for item in chosen.shown]
            view, words = {"shown": sightings_to_json(shown)}, {**words, "view": describe_sightings(shown)}
        return Question(self.name, {**(about or {}), **view}, truth, scene, question_text(self.name, **words))

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        """The listed view; None where it lists nothing in the scene."""
        shown = [seen for seen in parse_sightings(parts["view"]) if seen.name in scene]
        return {"shown": sightings_to_json(shown)} if shown else None

    def shown(self, question: Question) -> tuple[Sighting, ...]:
        """The listed view."""
        return sightings_from_json(question.parameters["shown"])
