"""What can be seen from where: straight lines from an eye to points of each piece, past walls and other pieces."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.geometry import Cell
from tolman.world.space.outline import Point
from tolman.world.space.values import Box, Piece

Floats = NDArray[np.float64]

EYE = 1.5
"""Metres of a camera above the floor."""
_CEILING = 3.0
_SPREAD = 0.32
"""How far from the middle of a box its points are, as a share of the box."""
_POINTS = np.array(
    [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.6, 1.1)] + [(0, 0, 0)], np.float32
) * np.float32(_SPREAD)
_SEEN_THROUGH = frozenset({"chair", "lamp", "plant", "stool", "guitar", "bicycle", "rug", "door", "window", "picture"})
"""What hides next to nothing."""
_ON_LEGS = frozenset({"table", "coffee table", "desk"})
"""What hides things only behind its uppermost part."""
_RADIAN = 1024 / (2 * np.pi)
"""Pixels along a radian of a panorama of the usual width."""


def shares_seen(pieces: Sequence[Piece], cells: frozenset[Cell], eyes: Sequence[Point], height: float = EYE) -> Floats:
    """For each eye and each piece the share of the piece's points that are not hidden, past boxes of all that hides."""
    boxes = _boxes(pieces)
    low, high = boxes[..., 0], boxes[..., 1]
    middles, sides = (low + high)[:, None] / 2, (high - low)[:, None]
    points = (middles + sides * _POINTS).reshape(-1, 3).astype(np.float32)
    solid = [i for i, piece in enumerate(pieces) if piece.category not in _SEEN_THROUGH]
    walls = np.array([*blocks(cells)], np.float32).reshape(-1, 3, 2)
    owner = np.repeat(np.arange(len(pieces)), len(_POINTS))
    own = owner[:, None] == np.array([*solid, *[-1] * len(walls)])[None]
    barriers = np.concatenate([boxes[solid], walls])
    legs = [pieces[i].category in _ON_LEGS for i in solid]
    barriers[: len(solid)][legs, 2, 0] += 0.7 * (
        barriers[: len(solid)][legs, 2, 1] - barriers[: len(solid)][legs, 2, 0]
    )
    crossed = _crossed(_starts(eyes, height), points, barriers)
    hidden = (crossed & ~own[None]).any(axis=2)
    return 1 - hidden.reshape(len(eyes), len(pieces), len(_POINTS)).mean(axis=2)


def pixels(pieces: Sequence[Piece], eyes: Sequence[Point], height: float = EYE) -> Floats:
    """About how many pixels of a panorama of 1024 by 512 each piece would cover for each eye, if nothing hid it."""
    boxes = _boxes(pieces)
    sides = boxes[..., 1] - boxes[..., 0]
    away = boxes.mean(axis=2)[None] - _starts(eyes, height)[:, None]
    far = np.maximum(np.sqrt((away**2).sum(axis=2)), 0.3)
    ways = np.abs(away) / far[..., None]
    faces = sides[:, [1, 2, 0]] * sides[:, [2, 0, 1]]
    level = np.maximum(np.sqrt(np.maximum(1 - ways[..., 2] ** 2, 0)), 0.2)
    return ((faces * ways).sum(axis=2) / far**2 / level * _RADIAN**2).astype(np.float64)


def _boxes(pieces: Sequence[Piece]) -> NDArray[np.float32]:
    return np.array([piece.box for piece in pieces], np.float32).reshape(-1, 3, 2)


def _starts(eyes: Sequence[Point], height: float) -> NDArray[np.float32]:
    return np.array([(x, y, height) for x, y in eyes], np.float32)


def _crossed(starts: NDArray[np.float32], ends: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether the lines from each start to each end go through each box."""
    shape = len(starts), len(ends), len(boxes)
    enter, leave = np.zeros(shape, np.float32), np.full(shape, 0.999, np.float32)
    for axis in range(3):
        way = ends[None, :, axis] - starts[:, None, axis]
        way = (1 / np.where(np.abs(way) < 1e-6, np.float32(1e-6), way))[..., None]
        first = (boxes[None, :, axis, 0] - starts[:, None, axis])[:, None] * way
        last = (boxes[None, :, axis, 1] - starts[:, None, axis])[:, None] * way
        enter = np.maximum(enter, np.minimum(first, last))
        leave = np.minimum(leave, np.maximum(first, last))
    return enter < leave


def blocks(cells: Iterable[Cell]) -> Iterator[Box]:
    """What is not floor within the box around it, as rectangles from floor to ceiling."""
    inside = set(cells)
    xs, ys = [x for x, _ in inside], [y for _, y in inside]
    for y in range(min(ys), max(ys) + 1):
        start = None
        for x in range(min(xs), max(xs) + 2):
            filled = x <= max(xs) and (x, y) not in inside
            if filled and start is None:
                start = x
            elif not filled and start is not None:
                yield start - 0.5, x - 0.5, y - 0.5, y + 0.5, 0.0, _CEILING
                start = None
