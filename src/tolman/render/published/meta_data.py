"""A scene as the authors' `meta_data.json`. Its frame: x east, z north, metres, origin near the middle."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tolman.core.geometry import Cell
from tolman.render.building.walls import DOOR_HEIGHT, DOOR_WIDTH
from tolman.render.camera import TopDown
from tolman.render.views import RenderJob, top_down_camera
from tolman.world import AGENT, Door, Room, Scene, Thing
from tolman.world.files import DOOR_X, DOOR_Y, OUTSIDE, mask_of
from tolman.world.vocabulary import KIND_BY_NAME

_FIRST_DOOR = 20_001


@dataclass(frozen=True)
class PublishedFrame:
    """The authors' frame of a scene: low corner of the mask, offset of the origin from it, and the mask."""

    low: Cell
    offset: Cell
    mask: list[list[int]]

    def at(self, cell: Cell) -> tuple[float, float]:
        """x and z of the centre of a cell."""
        return float(cell[0] - self.low[0] - self.offset[0]), float(cell[1] - self.low[1] - self.offset[1])

    def point(self, cell: Cell, height: float) -> dict[str, float]:
        x, z = self.at(cell)
        return {"x": x, "y": height, "z": z}


def published_frame(scene: Scene) -> PublishedFrame:
    """The frame of the released scenes: the offset is half the mask's sides, rounded down."""
    mask = mask_of(scene)
    return PublishedFrame(scene.bounds[0], (len(mask) // 2, len(mask[0]) // 2), mask)


def camera_ids(scene: Scene) -> dict[str, int]:
    """Ids of things and doors, and of the cameras on them; the agent's camera is `agent`."""
    things = {thing.name: number for number, thing in enumerate(scene.things, start=1)}
    return things | {door.name: number for number, door in enumerate(scene.doors, start=_FIRST_DOOR)}


_LEAST_DISTANCE = 1.42
"""Between things, as published."""


def meta_data(scene: Scene, number: int, job: RenderJob, images: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The content of the file; `number` is given as the seed, `images` are the entries of the picture files."""
    frame, ids = published_frame(scene), camera_ids(scene)
    return {
        "room_size": [float(len(frame.mask[0])), float(len(frame.mask))],
        "screen_size": [job.size, job.size],
        "seed": number,
        "run_seed": number,
        "min_distance": _LEAST_DISTANCE,
        "objects": [
            *(_thing(thing, ids[thing.name], frame) for thing in scene.things),
            *(_door_object(door, ids[door.name], frame) for door in scene.doors),
        ],
        "cameras": list(_cameras(scene, frame, job.eye)),
        "images": list(images),
        "rooms": {str(room.id): _room(scene, room, frame) for room in scene.rooms},
        "doors": {_door_key(scene, door): _door(door, frame) for door in scene.doors},
        "room_object_assignments": {str(room.id): _assigned(scene, room) for room in scene.rooms},
        "mask": frame.mask,
        "offset": list(frame.offset),
        "validated_tasks": [],
        "topdown_map": _mapping(frame, top_down_camera(scene)),
    }


def _thing(thing: Thing, number: int, frame: PublishedFrame) -> dict[str, Any]:
    kind = KIND_BY_NAME.get(thing.category)
    attributes: dict[str, Any] = {"scale": 1.0, "has_orientation": thing.front is not None, "room_id": thing.room}
    if thing.front is not None:
        attributes["orientation"] = thing.front.word
    return {
        "object_id": number,
        "model": thing.category.replace(" ", "_"),
        "name": thing.name,
        "label": str(number),
        "pos": frame.point(thing.cell, 0.0),
        "rot": {"x": 0, "y": 0 if thing.front is None else round(thing.front.degrees), "z": 0},
        "size": [1.0, 1.0] if kind is None else [kind.width, kind.height],
        "attributes": attributes,
    }


def _door_object(door: Door, number: int, frame: PublishedFrame) -> dict[str, Any]:
    colour = _colour(door)
    return {
        "object_id": number,
        "model": f"{colour}_door",
        "name": door.name,
        "pos": frame.point(door.cell, 0.0),
        "rot": {"x": 0, "y": 0, "z": 0},
        "size": [DOOR_WIDTH, DOOR_HEIGHT],
        "attributes": {"color": colour, "orientation": _orientation(door), "connected_rooms": sorted(door.rooms)},
    }


def _door(door: Door, frame: PublishedFrame) -> dict[str, Any]:
    return {
        "center": list(frame.at(door.cell)),
        "color": _colour(door),
        "connected_rooms": sorted(door.rooms),
        "orientation": _orientation(door),
        "width": 1,
    }


def _door_key(scene: Scene, door: Door) -> str:
    """The door's code in the mask, followed by its cell if several doors have this code."""
    code = DOOR_X if door.axis == "x" else DOOR_Y
    unique = sum(other.axis == door.axis for other in scene.doors) == 1
    (x0, y0), (x, y) = scene.bounds[0], door.cell
    return str(code) if unique else f"{code}{x - x0:02}{y - y0:02}"


def _colour(door: Door) -> str:
    return door.name.removesuffix(" door")


def _orientation(door: Door) -> str:
    return "vertical" if door.axis == "x" else "horizontal"


def _cameras(scene: Scene, frame: PublishedFrame, eye: float) -> list[dict[str, Any]]:
    def camera(name: str, label: str, cell: Cell) -> dict[str, Any]:
        return {"id": name, "label": label, "position": frame.point(cell, eye), "rotation": {"y": 0.0}}

    ids = camera_ids(scene)
    return [
        camera(AGENT, "A", scene.start),
        *(camera(str(ids[thing.name]), str(ids[thing.name]), thing.cell) for thing in scene.things),
        *(camera(str(ids[door.name]), f"D{ids[door.name]}", door.cell) for door in scene.doors),
    ]


def _room(scene: Scene, room: Room, frame: PublishedFrame) -> dict[str, Any]:
    (x0, z0), (x1, z1) = frame.at(room.low), frame.at(room.high)
    return {
        "center": [(x0 + x1) / 2, (z0 + z1) / 2],
        "bounds": [x0 - 0.5, x1 + 0.5, z0 - 0.5, z1 + 0.5],
        "area": len(room.cells),
        "connected_rooms": sorted(door.beyond(room.id) for door in scene.doors if room.id in door.rooms),
    }


def _assigned(scene: Scene, room: Room) -> list[dict[str, Any]]:
    ids = camera_ids(scene)
    return [
        {"object_id": ids[thing.name], "name": thing.name, "label": str(ids[thing.name])}
        for thing in scene.things
        if thing.room == room.id
    ]


def _mapping(frame: PublishedFrame, camera: TopDown) -> dict[str, Any]:
    """The centre of each cell in `top_down.png`, in pixels from its upper left corner."""
    cells = [
        (row, column)
        for row, values in enumerate(frame.mask)
        for column, value in enumerate(values)
        if value != OUTSIDE
    ]
    return {
        "rows": len(frame.mask),
        "cols": len(frame.mask[0]),
        "cell_size": 1.0,
        "mapping": [_mapped(frame, camera, row, column) for row, column in cells],
    }


def _mapped(frame: PublishedFrame, camera: TopDown, row: int, column: int) -> dict[str, Any]:
    x, y = row + frame.low[0], column + frame.low[1]
    across, down = (x - camera.west) * camera.scale, (camera.north - y) * camera.scale
    at = frame.at((x, y))
    return {"row": row, "col": column, "world": {"x": at[0], "z": at[1]}, "pixel": {"x": across, "y": down}}
