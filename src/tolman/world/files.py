"""Scenes as JSON files, with a schema version and a digest that is checked on reading."""

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.errors import SceneFileError
from tolman.geometry import Heading
from tolman.limits import CELLS, DOORS, FARTHEST, ROOMS, THINGS
from tolman.world.json_file import read_json
from tolman.world.scene import Door, Room, Scene, Thing

FORMAT: Literal["tolman.scene/1"] = "tolman.scene/1"
HeadingWord = Literal["north", "east", "south", "west"]


_Axis = Annotated[int, Field(ge=-FARTHEST, le=FARTHEST)]
_Place = tuple[_Axis, _Axis]
_Name = Annotated[str, Field(max_length=200)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _RoomFile(_Closed):
    low: _Place
    high: _Place


class _DoorFile(_Closed):
    name: _Name
    cell: _Place
    rooms: tuple[int, int]
    axis: Literal["x", "y"]


class _ThingFile(_Closed):
    name: _Name
    category: _Name
    cell: _Place
    front: HeadingWord | None
    room: int


class _SceneFile(_Closed):
    format: Literal["tolman.scene/1"]
    label: str
    digest: str
    rooms: list[_RoomFile] = Field(min_length=1, max_length=ROOMS)
    doors: list[_DoorFile] = Field(max_length=DOORS)
    things: list[_ThingFile] = Field(max_length=THINGS)
    start: _Place


def scene_to_dict(scene: Scene) -> dict[str, object]:
    """Plain values of a scene, ready for JSON."""
    return {
        "format": FORMAT,
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


def scene_from_dict(values: object) -> Scene:
    """The scene that `scene_to_dict` wrote; a `SceneFileError` says what is wrong with anything else."""
    if isinstance(values, dict) and "mask" in values and "cameras" in values:
        raise SceneFileError("this is a scene of the authors' release; read it with read_released")
    try:
        file = _SceneFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SceneFileError(f"not a {FORMAT} scene: {place}: {first['msg']}") from None
    floor = sum(_length(room, 0) * _length(room, 1) for room in file.rooms)
    if floor > CELLS:
        raise SceneFileError(f"not a {FORMAT} scene: it has {floor} cells of floor, and {CELLS} is the most")
    scene = Scene(
        rooms=tuple(Room(i, room.low, room.high) for i, room in enumerate(file.rooms, start=1)),
        doors=tuple(Door(d.name, d.cell, d.rooms, d.axis) for d in file.doors),
        things=tuple(Thing(t.name, t.category, t.cell, _heading(t.front), t.room) for t in file.things),
        start=file.start,
        label=file.label,
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


def _heading(word: HeadingWord | None) -> Heading | None:
    return None if word is None else Heading[word.upper()]
