"""Views that a question lists, and the poses from which they can be had."""

from collections.abc import Sequence
from typing import cast

from tolman.ask.choose import Chosen
from tolman.ask.question import Json
from tolman.bins import DistanceBin, EgoBin, FacingLabel, WallLabel, ego_relation
from tolman.geometry import Cell, Heading, difference
from tolman.sense import Sighting, hear_sightings, look, say_sighting
from tolman.world import Pose, Scene

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


def say_sightings(shown: Sequence[Sighting]) -> str:
    """Sightings as lines of a list."""
    return "\n".join(f"- {say_sighting(seen)}" for seen in shown)


def hear_shown(view: str, scene: Scene) -> dict[str, Json] | None:
    """The parameters that a listed view tells; None where it lists nothing of the scene."""
    shown = [seen for seen in hear_sightings(view) if seen.name in scene]
    return {"shown": sightings_to_json(shown)} if shown else None


def shown_at(scene: Scene, chosen: Chosen) -> tuple[Sighting, ...]:
    """What a question shows of the view from a chosen pose, in the order drawn."""
    seen = {sighting.name: sighting for sighting in look(scene, chosen.pose)[0]}
    return tuple(seen[item.name] for item in chosen.shown)


def fits(scene: Scene, pose: Pose, shown: Sequence[Sighting]) -> bool:
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
        if cell not in taken and fits(scene, Pose(cell, heading, (room.id,)), shown)
    )


def _is_in(scene: Scene, name: str, room: int) -> bool:
    return name in scene and room in scene.item(name).rooms
