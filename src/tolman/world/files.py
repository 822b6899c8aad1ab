"""Scene files: Tolman's JSON with schema version and digest, and the authors' released `meta_data.json` with the
integer mask of a scene: -1 outside, 0 wall, 1 to 99 rooms, 100 and 101 doors.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tolman.core.errors import SceneFileError
from tolman.core.files import read_json, validated
from tolman.core.geometry import Cell, Heading
from tolman.core.limits import SCENE_CELLS, SCENE_COORDINATE, SCENE_DOORS, SCENE_ROOMS, SCENE_THINGS
from tolman.world.scene import AGENT, Door, Room, Scene, Thing

OUTSIDE, WALL, DOOR_X, DOOR_Y = -1, 0, 100, 101
Mask = Sequence[Sequence[int]]


def mask_of(scene: Scene) -> list[list[int]]:
    """The mask of a scene, indexed `mask[x][y]` from the low corner of its bounds."""
    (x0, y0), (x1, y1) = scene.bounds
    mask = [[OUTSIDE] * (y1 - y0 + 1) for _ in range(x1 - x0 + 1)]
    for room in scene.rooms:
        for x in range(room.low[0] - 1, room.high[0] + 2):
            for y in range(room.low[1] - 1, room.high[1] + 2):
                mask[x - x0][y - y0] = WALL
    for room in scene.rooms:
        for x, y in room.cells:
            mask[x - x0][y - y0] = room.id
    for door in scene.doors:
        mask[door.cell[0] - x0][door.cell[1] - y0] = DOOR_X if door.axis == "x" else DOOR_Y
    return mask


def rooms_of(mask: Mask) -> tuple[Room, ...]:
    """The rectangular rooms of a mask, by number."""
    if len({len(column) for column in mask}) > 1:
        raise SceneFileError("the mask is not a rectangle of cells")
    cells: dict[int, list[Cell]] = {}
    for x, column in enumerate(mask):
        for y, value in enumerate(column):
            if 1 <= value < DOOR_X:
                cells.setdefault(value, []).append((x, y))
    rooms: list[Room] = []
    for number in sorted(cells):
        xs, ys = zip(*cells[number], strict=True)
        room = Room(number, (min(xs), min(ys)), (max(xs), max(ys)))
        if len(room.cells) != len(cells[number]):
            raise SceneFileError(f"room {number} of the mask is not a rectangle")
        rooms.append(room)
    if not rooms:
        raise SceneFileError("the mask holds no room")
    return tuple(rooms)


DoorSpot = tuple[Cell, tuple[int, int], Literal["x", "y"]]
"""A door without its name: cell, rooms and axis, as in `Door`."""


def door_spots(mask: Mask) -> list[DoorSpot]:
    """The doors of a mask: east-west doors first, each kind sorted by x, then y."""
    spots: list[DoorSpot] = []
    axes: tuple[tuple[int, Literal["x", "y"]], ...] = ((DOOR_X, "x"), (DOOR_Y, "y"))
    for code, axis in axes:
        dx, dy = (1, 0) if axis == "x" else (0, 1)
        for x, column in enumerate(mask):
            for y, value in enumerate(column):
                if value == code:
                    if not (dx <= x < len(mask) - dx and dy <= y < len(column) - dy):
                        raise SceneFileError(f"the door at {(x, y)} is on the edge of the mask")
                    spots.append(((x, y), (mask[x - dx][y - dy], mask[x + dx][y + dy]), axis))
    return spots


SCENE_FORMAT: Literal["tolman.scene/1"] = "tolman.scene/1"
HeadingWord = Literal["north", "east", "south", "west"]

_Coordinate = Annotated[int, Field(ge=-SCENE_COORDINATE, le=SCENE_COORDINATE)]
_CellFile = tuple[_Coordinate, _Coordinate]
_Name = Annotated[str, Field(max_length=200)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _RoomFile(_Closed):
    low: _CellFile
    high: _CellFile


class _DoorFile(_Closed):
    name: _Name
    cell: _CellFile
    rooms: tuple[int, int]
    axis: Literal["x", "y"]


class _ThingFile(_Closed):
    name: _Name
    category: _Name
    cell: _CellFile
    front: HeadingWord | None
    room: int


class _SceneFile(_Closed):
    format: Literal["tolman.scene/1"]
    label: str
    digest: str
    rooms: list[_RoomFile] = Field(min_length=1, max_length=SCENE_ROOMS)
    doors: list[_DoorFile] = Field(max_length=SCENE_DOORS)
    things: list[_ThingFile] = Field(max_length=SCENE_THINGS)
    start: _CellFile
    version: Literal[1, 2] = 1


def scene_to_dict(scene: Scene) -> dict[str, object]:
    """A scene as JSON values; the published world version is not named."""
    values: dict[str, object] = {
        "format": SCENE_FORMAT,
        "label": scene.label,
        "digest": scene.digest,
        "rooms": [{"low": room.low, "high": room.high} for room in scene.rooms],
        "doors": [{"name": d.name, "cell": d.cell, "rooms": d.rooms, "axis": d.axis} for d in scene.doors],
        "things": [
            {
                "name": thing.name,
                "category": thing.category,
                "cell": thing.cell,
                "front": None if thing.front is None else thing.front.word,
                "room": thing.room,
            }
            for thing in scene.things
        ],
        "start": scene.start,
    }
    return values if scene.version == 1 else {**values, "version": scene.version}


def scene_from_dict(values: object) -> Scene:
    """The scene that `scene_to_dict` wrote; raises a `SceneFileError` for anything else."""
    if isinstance(values, dict) and "mask" in values and "cameras" in values:
        raise SceneFileError("this is a scene of the authors' release; read it with read_released")
    file = validated(_SceneFile, values, f"not a {SCENE_FORMAT} scene")
    floor = sum(_length(room, 0) * _length(room, 1) for room in file.rooms)
    if floor > SCENE_CELLS:
        raise SceneFileError(f"not a {SCENE_FORMAT} scene: it has {floor} cells of floor; the limit is {SCENE_CELLS}")
    scene = Scene(
        rooms=tuple(Room(i, room.low, room.high) for i, room in enumerate(file.rooms, start=1)),
        doors=tuple(Door(d.name, d.cell, d.rooms, d.axis) for d in file.doors),
        things=tuple(
            Thing(t.name, t.category, t.cell, None if t.front is None else Heading[t.front.upper()], t.room)
            for t in file.things
        ),
        start=file.start,
        label=file.label,
        version=file.version,
    )
    if scene.digest != file.digest:
        raise SceneFileError(f"scene {file.label!r} was altered: its content does not match its digest")
    return scene


def _length(room: _RoomFile, axis: Literal[0, 1]) -> int:
    return max(0, room.high[axis] - room.low[axis] + 1)


def write_scene(scene: Scene, path: Path) -> None:
    """Write a scene as indented JSON."""
    try:
        path.write_text(json.dumps(scene_to_dict(scene), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise SceneFileError(f"{path} can't be written: {error.strerror}") from None


def read_scene(path: Path) -> Scene:
    """Read a scene that `write_scene` wrote."""
    values = read_json(path)
    try:
        return scene_from_dict(values)
    except SceneFileError as error:
        raise SceneFileError(f"{path}: {error}") from None


_HEADINGS = {0: Heading.NORTH, 90: Heading.EAST, 180: Heading.SOUTH, 270: Heading.WEST}


class _Finite(BaseModel):
    model_config = ConfigDict(allow_inf_nan=False)


class _Point(_Finite):
    x: float
    z: float


class _Turn(_Finite):
    y: float


class _Attributes(BaseModel):
    has_orientation: bool = False
    connected_rooms: list[int] | None = None
    """Given for doors only, which are listed among the objects."""


class _Object(BaseModel):
    name: str
    pos: _Point
    rot: _Turn
    attributes: _Attributes


class _Camera(BaseModel):
    id: str
    position: _Point


class _Door(BaseModel):
    color: str
    connected_rooms: Annotated[list[int], Field(min_length=2, max_length=2)]


class _MetaData(BaseModel):
    objects: Annotated[list[_Object], Field(max_length=SCENE_THINGS)]
    cameras: Annotated[list[_Camera], Field(max_length=SCENE_THINGS)]
    doors: Annotated[dict[str, _Door], Field(max_length=SCENE_DOORS)]
    mask: Annotated[list[Annotated[list[int], Field(max_length=SCENE_COORDINATE)]], Field(max_length=SCENE_COORDINATE)]
    offset: tuple[int, int]


def read_released(path: Path) -> Scene:
    """The scene in one of the authors' JSON files, or in the `meta_data.json` of a folder."""
    file = path / "meta_data.json" if path.is_dir() else path
    meta = validated(_MetaData, read_json(file), f"{file} is not a released scene")
    try:
        return _scene(meta, label=file.parent.name)
    except SceneFileError as error:
        raise SceneFileError(f"{file}: {error}") from None


def find_released(folder: Path) -> list[Path]:
    """Folders below `folder` (or itself) that hold a released scene, by name."""
    if (folder / "meta_data.json").is_file():
        return [folder]
    return sorted(file.parent for file in folder.glob("*/meta_data.json"))


def _scene(meta: _MetaData, label: str) -> Scene:
    doors = tuple(Door(_door_name(meta, sides), cell, sides, axis) for cell, sides, axis in door_spots(meta.mask))
    start = next((camera for camera in meta.cameras if camera.id == AGENT), None)
    if start is None:
        raise SceneFileError("the released scene has no camera called 'agent', so no start")
    return Scene(
        rooms=rooms_of(meta.mask),
        doors=doors,
        things=tuple(_thing(meta, thing) for thing in meta.objects if thing.attributes.connected_rooms is None),
        start=_cell(meta, start.position),
        label=label,
    )


def _door_name(meta: _MetaData, sides: tuple[int, int]) -> str:
    for door in meta.doors.values():
        if set(door.connected_rooms) == set(sides):
            return f"{door.color} door"
    raise SceneFileError(f"the mask joins rooms {sides[0]} and {sides[1]}, but no door is listed for them")


def _thing(meta: _MetaData, thing: _Object) -> Thing:
    name = thing.name.replace("_", " ")
    heading = _HEADINGS.get(round(thing.rot.y) % 360)
    if thing.attributes.has_orientation and heading is None:
        raise SceneFileError(f"{name} is turned by {thing.rot.y} degrees, which is not a multiple of 90")
    front = heading if thing.attributes.has_orientation else None
    x, y = _cell(meta, thing.pos)
    if not (0 <= x < len(meta.mask) and 0 <= y < len(meta.mask[x])):
        raise SceneFileError(f"{name} at {(x, y)} is outside the mask")
    return Thing(name, name, (x, y), front, meta.mask[x][y])


def _cell(meta: _MetaData, point: _Point) -> Cell:
    return round(point.x) + meta.offset[0], round(point.z) + meta.offset[1]
