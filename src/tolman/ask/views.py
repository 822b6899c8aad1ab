"""Poses that questions are about, the origins they are told from, and the views that questions list."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar, cast

import numpy as np

from tolman.ask.question import Json
from tolman.core.bins import DistanceBin, EgoBin, FacingLabel, WallLabel, ego_relation
from tolman.core.geometry import Cell, Heading, difference, distance
from tolman.sense import Sighting, describe_sighting, look, parse_sightings, visible
from tolman.world import START, Item, Pose, Room, Scene

MOST_SHOWN = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChosenPose:
    """A candidate's number, its pose, and at most three things or doors in view from there."""

    number: int
    pose: Pose
    shown: tuple[Item, ...]


def choose_pose(scene: Scene, poses: Iterable[Pose], least: int, stream: np.random.Generator) -> ChosenPose | None:
    """One of the poses that see at least `least` items, drawn in proportion to how many they see."""
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


CANDIDATES = 20
DRAWS = 10
_AT_START = "the place where you started"


def random_poses(scene: Scene, stream: np.random.Generator) -> Iterator[Pose]:
    """Up to twenty poses on free cells of rooms that hold two things more than one cell apart."""
    taken = {thing.cell for thing in scene.things}
    worthy = {room.id for room in scene.rooms if _two_apart(scene, room)}
    for _ in range(CANDIDATES):
        room = next((room for room in shuffled(scene.rooms, stream) if room.id in worthy), None)
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
    """The start for a pose in its room; else one of the doors of the room."""
    (room,) = pose.rooms
    doors = [door for door in scene.doors if room in door.rooms]
    return START if room == 1 or not doors else doors[int(stream.integers(len(doors)))].name


def origin_cell(scene: Scene, origin: str) -> Cell:
    """The world cell that an origin names."""
    return scene.start if origin == START else scene.item(origin).cell


def describe_origin(origin: str) -> str:
    """Where (0, 0) is, in words."""
    return _AT_START if origin == START else f"the {origin}"


def parse_origin(words: str, scene: Scene) -> str | None:
    """The origin that some words name; None where the scene has none such."""
    if words == _AT_START:
        return START
    name = words.removeprefix("the ")
    return name if name in scene else None


_DETAILS: dict[str, FacingLabel | WallLabel] = {str(label): label for label in (*FacingLabel, *WallLabel)}


def sightings_to_json(shown: Sequence[Sighting]) -> list[Json]:
    """Sightings as plain values."""
    return [
        {
            "name": seen.name,
            "direction": str(seen.direction),
            "distance": str(seen.distance),
            "detail": None if seen.detail is None else str(seen.detail),
        }
        for seen in shown
    ]


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


def parse_shown_view(view: str, scene: Scene) -> dict[str, Json] | None:
    """The parameters that a listed view tells; None where it lists nothing of the scene."""
    shown = [seen for seen in parse_sightings(view) if seen.name in scene]
    return {"shown": sightings_to_json(shown)} if shown else None


def shown_at(scene: Scene, chosen: ChosenPose) -> tuple[Sighting, ...]:
    """What a question shows of the view from a chosen pose, in the order drawn."""
    seen = {sighting.name: sighting for sighting in look(scene, chosen.pose)[0]}
    return tuple(seen[item.name] for item in chosen.shown)


def view_fits(scene: Scene, pose: Pose, shown: Sequence[Sighting]) -> bool:
    """Whether someone at a pose sees everything shown, just as shown; more may be in view."""
    if not all(_bins_agree(scene, pose, seen) for seen in shown):
        return False
    return set(shown) <= set(look(scene, pose)[0])


def _bins_agree(scene: Scene, pose: Pose, seen: Sighting) -> bool:
    """A quick look at one sighting: whether its direction and distance can be right, walls left aside."""
    if seen.name not in scene:
        return False
    apart = difference(scene.item(seen.name).cell, pose.cell)
    return ego_relation(apart, pose.heading) == (seen.direction, seen.distance)


def consistent_cells(scene: Scene, heading: Heading, shown: Sequence[Sighting]) -> tuple[Cell, ...]:
    """Every free cell of the floor from which someone who faces `heading` sees what is shown."""
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
