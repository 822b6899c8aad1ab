"""Floors of many shapes: rectangles of whole metres, side by side without a wall between them."""

from collections.abc import Callable, Sequence

import numpy as np

from tolman.errors import GenerationError, SceneFileError
from tolman.world.scene import Room
from tolman.world.space.outline import corners_of
from tolman.world.space.settings import Shape

LONGEST, WIDEST = 10, 8
"""Metres of the box around a floor."""
_TRIES = 200
_OPENING = 2
"""Metres along which two rectangles meet, at least."""

Rectangle = tuple[int, int, int, int]
"""West, south, east, north."""
Stream = np.random.Generator


def floor(stream: Stream, shapes: Sequence[Shape]) -> tuple[Room, ...]:
    """Rooms that together make a floor of one of the shapes, turned any way."""
    for _ in range(_TRIES):
        shape = shapes[_whole(stream, 0, len(shapes) - 1)]
        rectangles = _MAKERS[shape](stream)
        if stream.random() < 0.5:
            rectangles = [(y0, x0, y1, x1) for x0, y0, x1, y1 in rectangles]
        if _is_sound(rectangles):
            return _rooms(rectangles)
    raise GenerationError(f"no floor could be made of the shapes {', '.join(shapes)}; try another seed")


def _rooms(rectangles: Sequence[Rectangle]) -> tuple[Room, ...]:
    west, south = min(r[0] for r in rectangles), min(r[1] for r in rectangles)
    return tuple(
        Room(i, (x0 - west, y0 - south), (x1 - west - 1, y1 - south - 1))
        for i, (x0, y0, x1, y1) in enumerate(rectangles, start=1)
    )


def _is_sound(rectangles: Sequence[Rectangle]) -> bool:
    """Whether no rectangles overlap, they leave no hole, and all are within the box."""
    wide = max(r[2] for r in rectangles) - min(r[0] for r in rectangles)
    high = max(r[3] for r in rectangles) - min(r[1] for r in rectangles)
    area = sum((r[2] - r[0]) * (r[3] - r[1]) for r in rectangles)
    if max(wide, high) > LONGEST or min(wide, high) > WIDEST:
        return False
    rooms = _rooms(rectangles)
    if len({cell for room in rooms for cell in room.cells}) != area:
        return False
    try:
        corners_of(rooms)
    except SceneFileError:
        return False
    return True


def _plain(stream: Stream) -> list[Rectangle]:
    return [(0, 0, _whole(stream, 4, 7), _whole(stream, 4, 6))]


def _l(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    wing = _whole(stream, 3, main[2] - 2)
    return [main, _north_of(main, wing, _whole(stream, 3, 4), _end(stream, main, wing))]


def _t(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 6, 9)
    wing = _whole(stream, 3, main[2] - 3)
    return [main, _north_of(main, wing, _whole(stream, 3, 4), _whole(stream, 1, main[2] - wing - 1))]


def _u(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 8, 10)
    left, right = _whole(stream, 3, 4), 3
    depth = _whole(stream, 2, 3)
    return [
        main,
        _north_of(main, left, depth, 0),
        _north_of(main, right, _whole(stream, 2, 3), main[2] - right),
    ]


def _z(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    above, below = _whole(stream, 3, 4), _whole(stream, 3, 4)
    wing = _whole(stream, 2, 3)
    lower = (main[2] - below, -wing, main[2], 0)
    return [main, _north_of(main, above, _whole(stream, 2, 3), 0), lower]


def _open(stream: Stream) -> list[Rectangle]:
    """Two to four rectangles, each beside one of those before it."""
    made = [(0, 0, _whole(stream, 4, 6), _whole(stream, 4, 5))]
    for _ in range(_whole(stream, 1, 3)):
        x0, y0, x1, y1 = made[_whole(stream, 0, len(made) - 1)]
        wide, deep = _whole(stream, 3, 5), _whole(stream, 3, 5)
        side = _whole(stream, 0, 3)
        if side % 2:
            x, y = x1 if side == 1 else x0 - wide, _whole(stream, y0 + _OPENING - deep, y1 - _OPENING)
        else:
            x, y = _whole(stream, x0 + _OPENING - wide, x1 - _OPENING), y1 if side == 0 else y0 - deep
        made.append((x, y, x + wide, y + deep))
    return made


def _main(stream: Stream, least: int, most: int) -> Rectangle:
    return 0, 0, _whole(stream, least, most), _whole(stream, 3, 5)


def _north_of(main: Rectangle, wide: int, deep: int, shift: int) -> Rectangle:
    return main[0] + shift, main[3], main[0] + shift + wide, main[3] + deep


def _end(stream: Stream, main: Rectangle, wide: int) -> int:
    return 0 if stream.random() < 0.5 else main[2] - wide


def _whole(stream: Stream, low: int, high: int) -> int:
    """A whole number from low to high, both included; quicker than the stream's own way."""
    return low + int(stream.random() * (high - low + 1))


_MAKERS: dict[Shape, Callable[[Stream], list[Rectangle]]] = {
    "rectangle": _plain,
    "L": _l,
    "T": _t,
    "U": _u,
    "Z": _z,
    "open": _open,
}
