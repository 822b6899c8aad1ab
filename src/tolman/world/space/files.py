"""Spaces as plain values for JSON, with a version and a digest that is checked on reading."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.errors import SceneFileError
from tolman.geometry import Cell
from tolman.world.scene import Room
from tolman.world.space.values import Piece, Space

FORMAT: Literal["tolman.space/1"] = "tolman.space/1"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _RoomFile(_Closed):
    low: Cell
    high: Cell


class _PieceFile(_Closed):
    category: str
    x: float
    y: float
    facing: int
    width: float
    depth: float
    height: float
    base: float


class _SpaceFile(_Closed):
    format: Literal["tolman.space/1"]
    label: str
    digest: str
    rooms: list[_RoomFile] = Field(min_length=1)
    pieces: list[_PieceFile]
    camera: tuple[float, float]


def space_to_dict(space: Space) -> dict[str, object]:
    """Plain values of a space, ready for JSON."""
    names = tuple(_PieceFile.model_fields)
    return {
        "format": FORMAT,
        "label": space.label,
        "digest": space.digest,
        "rooms": [{"low": room.low, "high": room.high} for room in space.rooms],
        "pieces": [{name: getattr(piece, name) for name in names} for piece in space.pieces],
        "camera": space.camera,
    }


def space_from_dict(values: object) -> Space:
    """The space that `space_to_dict` wrote; a `SceneFileError` says what is wrong with anything else."""
    try:
        file = _SpaceFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SceneFileError(f"not a {FORMAT} space: {place}: {first['msg']}") from None
    space = Space(
        rooms=tuple(Room(i, room.low, room.high) for i, room in enumerate(file.rooms, start=1)),
        pieces=tuple(Piece(id=i, **piece.model_dump()) for i, piece in enumerate(file.pieces, start=1)),
        camera=file.camera,
        label=file.label,
    )
    if space.digest != file.digest:
        raise SceneFileError(f"space {file.label!r} was altered: its content does not match its digest")
    return space
