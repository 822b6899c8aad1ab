"""Read the authors' released scenes: `meta_data.json` and `falsebelief_exp.json`."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.errors import SceneFileError
from tolman.geometry import Cell, Heading
from tolman.limits import DOORS, FARTHEST, THINGS
from tolman.world.grid import door_spots, rooms_of
from tolman.world.json_file import read_json
from tolman.world.scene import AGENT, Door, Scene, Thing

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
    """Given for doors only, which the file lists among its objects."""


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
    objects: Annotated[list[_Object], Field(max_length=THINGS)]
    cameras: Annotated[list[_Camera], Field(max_length=THINGS)]
    doors: Annotated[dict[str, _Door], Field(max_length=DOORS)]
    mask: Annotated[list[Annotated[list[int], Field(max_length=FARTHEST)]], Field(max_length=FARTHEST)]
    offset: tuple[int, int]


def read_released(path: Path) -> Scene:
    """The scene in one of the authors' JSON files; for a folder, in the `meta_data.json` it holds."""
    file = path / "meta_data.json" if path.is_dir() else path
    try:
        meta = _MetaData.model_validate(read_json(file))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SceneFileError(f"{file} is not a released scene: {place}: {first['msg']}") from None
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
