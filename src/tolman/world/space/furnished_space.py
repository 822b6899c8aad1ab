"""A furnished space and its pieces as frozen values that validate themselves, and their JSON form. Frame: metres, x
east, y north.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tolman.core.errors import SceneFileError
from tolman.core.files import validated
from tolman.core.geometry import Cell
from tolman.core.seeds import digest
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import Point, WallLine, corners_of, walls_of

Box = tuple[float, float, float, float, float, float]
"""Lowest and highest x, then y, then z."""
_CAMERA_CLEARANCE = 0.3
"""Metres of free floor on all sides of the camera."""
TOUCH = 0.001
"""Metres by which two pieces may overlap, to allow for rounding."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An object in a space. Its position is the centre of its box, seen from above."""

    id: int
    """From 1, in the order of the space's pieces."""
    category: str
    x: float
    y: float
    facing: int
    """Direction of its front, in clockwise degrees from north: 0, 90, 180 or 270."""
    width: float
    """Metres from left to right."""
    depth: float
    """Metres from front to back."""
    height: float
    base: float = 0.0
    """Metres from the floor to its underside."""

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES:
            raise SceneFileError(f"piece {self.id} is a {self.category!r}, which no space can hold")
        if self.facing not in (0, 90, 180, 270):
            raise SceneFileError(f"piece {self.id} faces 0, 90, 180 or 270 degrees, not {self.facing}")
        if min(self.width, self.depth, self.height) <= 0 or self.base < 0:
            raise SceneFileError(f"piece {self.id} has no size, or is below the floor")

    @property
    def box(self) -> Box:
        """Its bounding box."""
        w, d = (self.width, self.depth) if self.facing % 180 == 0 else (self.depth, self.width)
        return (
            *(self.x - w / 2, self.x + w / 2),
            *(self.y - d / 2, self.y + d / 2),
            *(self.base, self.base + self.height),
        )

    @property
    def in_wall(self) -> bool:
        """Whether it is part of a wall, as doors and windows are."""
        return CATEGORIES[self.category].placement == "in wall"

    @property
    def flat(self) -> bool:
        """Whether other pieces may overlap it, as with a rug."""
        return CATEGORIES[self.category].placement == "flat"


@dataclass(frozen=True)
class Space:
    """A floor with walls around it, the pieces on it, and the position of the camera, which faces north.

    Two spaces are the same if their `digest` is; `label` only says where a space came from.
    """

    rooms: tuple[Room, ...]
    pieces: tuple[Piece, ...]
    camera: Point
    label: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if [room.id for room in self.rooms] != list(range(1, len(self.rooms) + 1)) or not self.rooms:
            raise SceneFileError("rooms must be numbered 1, 2, 3, ... in order, and there must be at least one")
        if [piece.id for piece in self.pieces] != list(range(1, len(self.pieces) + 1)):
            raise SceneFileError("pieces must be numbered 1, 2, 3, ... in order")
        self._check_positions()
        x, y = self.camera
        gap = _CAMERA_CLEARANCE
        near = (x - gap, x + gap, y - gap, y + gap, 0.0, 2.0)
        others = (piece for piece in self.pieces if not piece.flat)
        if not self.holds(near) or any(overlap(near, piece.box) for piece in others):
            raise SceneFileError(f"the camera at {self.camera} must be on the floor with free space around it")

    def _check_positions(self) -> None:
        checked: list[tuple[Piece, Box]] = []
        walls = self.walls
        for piece in self.pieces:
            box = piece.box
            if piece.in_wall:
                if not any(_is_in(piece, wall) for wall in walls):
                    raise SceneFileError(f"piece {piece.id}, a {piece.category}, is not in a wall")
                continue
            if not self.holds(box):
                raise SceneFileError(f"piece {piece.id}, a {piece.category}, is not on the floor")
            for other, other_box in checked:
                if overlap(box, other_box) and piece.flat == other.flat:
                    raise SceneFileError(f"pieces {other.id} and {piece.id} overlap")
            checked.append((piece, box))

    @cached_property
    def layout(self) -> tuple[Point, ...]:
        """Corners of the floor, anticlockwise."""
        return corners_of(self.rooms)

    @cached_property
    def walls(self) -> tuple[WallLine, ...]:
        """The walls around the floor, as seen from inside."""
        return walls_of(self.layout)

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """Cells of the floor, one square metre each."""
        return frozenset(cell for room in self.rooms for cell in room.cells)

    def holds(self, box: Box) -> bool:
        """Whether a box is entirely above the floor."""
        return on_floor(self.cells, box)

    @property
    def classes(self) -> tuple[str, ...]:
        """Distinct categories of its pieces, in the order of the pieces."""
        return tuple(dict.fromkeys(piece.category for piece in self.pieces))

    @cached_property
    def digest(self) -> str:
        """Hash of the content, without the label, as 64 hexadecimal digits."""
        return digest(list(self._content()))

    def _content(self) -> Iterator[object]:
        yield [[room.low, room.high] for room in self.rooms]
        yield [[p.category, p.x, p.y, p.facing, p.width, p.depth, p.height, p.base] for p in self.pieces]
        yield self.camera


def overlap(a: Box, b: Box, gap: float = -TOUCH) -> bool:
    """Whether two boxes overlap, or are at overlapping heights and closer than `gap` metres, seen from above."""
    return (
        a[0] < b[1] + gap
        and b[0] < a[1] + gap
        and a[2] < b[3] + gap
        and b[2] < a[3] + gap
        and a[4] < b[5] - TOUCH
        and b[4] < a[5] - TOUCH
    )


def on_floor(cells: frozenset[Cell], box: Box) -> bool:
    """Whether a box is entirely above cells of floor."""
    west, east = math.floor(box[0] + 0.5 + TOUCH), math.ceil(box[1] - 0.5 - TOUCH)
    south, north = math.floor(box[2] + 0.5 + TOUCH), math.ceil(box[3] - 0.5 - TOUCH)
    for x in range(west, east + 1):
        for y in range(south, north + 1):
            if (x, y) not in cells:
                return False
    return True


def _is_in(piece: Piece, wall: WallLine) -> bool:
    along, across = (piece.x, piece.y) if wall.along == 0 else (piece.y, piece.x)
    half = piece.width / 2
    return (
        piece.facing == wall.facing.degrees
        and abs(across - wall.at) <= piece.depth
        and wall.low <= along - half
        and along + half <= wall.high
    )


SPACE_FORMAT: Literal["tolman.space/1"] = "tolman.space/1"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _SpaceRoomFile(_Closed):
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
    rooms: list[_SpaceRoomFile] = Field(min_length=1)
    pieces: list[_PieceFile]
    camera: tuple[float, float]


def space_to_dict(space: Space) -> dict[str, object]:
    """A space as JSON values."""
    names = tuple(_PieceFile.model_fields)
    return {
        "format": SPACE_FORMAT,
        "label": space.label,
        "digest": space.digest,
        "rooms": [{"low": room.low, "high": room.high} for room in space.rooms],
        "pieces": [{name: getattr(piece, name) for name in names} for piece in space.pieces],
        "camera": space.camera,
    }


def space_from_dict(values: object) -> Space:
    """The space that `space_to_dict` wrote; raises a `SceneFileError` for anything else."""
    file = validated(_SpaceFile, values, f"not a {SPACE_FORMAT} space")
    space = Space(
        rooms=tuple(Room(i, room.low, room.high) for i, room in enumerate(file.rooms, start=1)),
        pieces=tuple(Piece(id=i, **piece.model_dump()) for i, piece in enumerate(file.pieces, start=1)),
        camera=file.camera,
        label=file.label,
    )
    if space.digest != file.digest:
        raise SceneFileError(f"space {file.label!r} was altered: its content does not match its digest")
    return space
