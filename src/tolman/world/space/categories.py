"""Categories of pieces in a space, from `furniture.toml`: real sizes, placement rules, groups that look too similar."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tolman.core.files import packaged_table

PlacementRule = Literal["wall", "end on", "free", "small", "hung", "top", "flat", "in wall"]
"""In order: back to a wall; side to a wall; anywhere; in corners and along walls; on a wall above the floor; on top
of another piece; flat on the floor; part of a wall."""


@dataclass(frozen=True, slots=True)
class PieceCategory:
    """A category of pieces: placement rule, and ranges of width, depth and height in metres."""

    placement: PlacementRule
    width: tuple[float, float]
    depth: tuple[float, float]
    height: tuple[float, float]
    stretched: bool = False
    """Whether assets are scaled to fill the box exactly, for categories that come in all proportions."""
    varied: bool = False
    """Whether each piece has its own appearance; else all pieces of a category look the same."""


WALL_DEPTH = 0.1
"""Thickness of doors and windows in metres."""
_TABLE = packaged_table("tolman.world.space", "furniture.toml")


def _range(side: Any) -> tuple[float, float]:
    low, high = (side, side) if isinstance(side, float) else side
    return low, high


def _category(row: Mapping[str, Any]) -> PieceCategory:
    width, depth, height = (_range(side) for side in row["size"])
    return PieceCategory(row["placement"], width, depth, height, row.get("stretched", False), row.get("varied", False))


CATEGORIES: dict[str, PieceCategory] = {name: _category(row) for name, row in _TABLE["category"].items()}
SIMILAR_CATEGORIES: tuple[tuple[str, ...], ...] = tuple(tuple(group) for group in _TABLE["similar"])
"""A space holds at most one category of each group, most often the first."""
