"""Categories of pieces in a space: real sizes, placement rules, and groups that look too similar.

Pieces of a space are not bound to cells of one metre, so a sofa is as wide as real ones.
"""

from dataclasses import dataclass
from typing import Literal

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


def _category(
    placement: PlacementRule,
    width: float | tuple[float, float],
    depth: float | tuple[float, float],
    height: float | tuple[float, float],
    *,
    stretched: bool = False,
    varied: bool = False,
) -> PieceCategory:
    w, d, h = (side if isinstance(side, tuple) else (side, side) for side in (width, depth, height))
    return PieceCategory(placement, w, d, h, stretched, varied)


WALL_DEPTH = 0.1
"""Thickness of doors and windows in metres."""

CATEGORIES: dict[str, PieceCategory] = {
    "door": _category("in wall", 0.9, WALL_DEPTH, 2.05),
    "window": _category("in wall", (1.1, 2.0), WALL_DEPTH, 1.25),
    "picture": _category("hung", (0.5, 1.1), 0.04, (0.45, 0.8), stretched=True, varied=True),
    "air conditioner": _category("hung", 0.85, 0.24, 0.3),
    "rug": _category("flat", (1.8, 2.6), (1.3, 1.9), 0.012, stretched=True, varied=True),
    "sofa": _category("wall", (1.7, 2.2), 0.92, 0.85, stretched=True),
    "armchair": _category("wall", 0.85, 0.85, 0.92, stretched=True),
    "bed": _category("wall", (1.4, 1.7), 2.05, 0.95, stretched=True),
    "bookcase": _category("wall", (0.8, 1.1), 0.34, (1.75, 2.0), stretched=True),
    "cabinet": _category("wall", (0.8, 1.2), 0.45, (0.8, 0.9), stretched=True),
    "dresser": _category("wall", (1.0, 1.3), 0.48, 0.85, stretched=True),
    "wardrobe": _category("wall", (1.2, 1.7), 0.6, 2.05, stretched=True),
    "desk": _category("wall", (1.2, 1.5), 0.65, 0.75, stretched=True),
    "fireplace": _category("wall", (1.1, 1.3), 0.42, 1.15, stretched=True),
    "piano": _category("wall", 1.45, 0.62, 1.2, stretched=True),
    "grandfather clock": _category("wall", 0.5, 0.3, 1.95),
    "mirror": _category("wall", 0.65, 0.16, 1.7),
    "refrigerator": _category("wall", 0.68, 0.66, 1.8, stretched=True),
    "stove": _category("wall", 0.6, 0.6, 0.9, stretched=True),
    "oven": _category("wall", 0.6, 0.6, 0.9, stretched=True),
    "dishwasher": _category("wall", 0.6, 0.6, 0.9, stretched=True),
    "sink": _category("wall", 0.65, 0.55, 0.9),
    "bathtub": _category("wall", 0.85, 1.65, 0.6, stretched=True),
    "toilet": _category("wall", 0.42, 0.7, 0.8),
    "whiteboard": _category("wall", 1.2, 0.42, 1.8, stretched=True),
    "bicycle": _category("end on", 0.5, 1.65, 1.05),
    "rocking horse": _category("end on", 0.4, 0.95, 0.9),
    "table": _category("free", (1.3, 1.8), (0.85, 1.0), 0.75, stretched=True),
    "coffee table": _category("free", (0.85, 1.1), (0.6, 0.75), 0.42, stretched=True),
    "chair": _category("free", 0.48, 0.54, 0.92, stretched=True),
    "stool": _category("small", 0.4, 0.4, 0.5),
    "pouf": _category("small", 0.55, 0.55, 0.44),
    "lamp": _category("small", 0.44, 0.44, 1.65),
    "plant": _category("small", (0.5, 0.7), (0.5, 0.7), (0.9, 1.5), varied=True),
    "bin": _category("small", 0.34, 0.34, 0.52),
    "basket": _category("small", 0.45, 0.45, 0.42),
    "barrel": _category("small", 0.58, 0.58, 0.88),
    "crate": _category("small", 0.55, 0.55, 0.5),
    "umbrella stand": _category("small", 0.3, 0.3, 0.65),
    "guitar": _category("small", 0.4, 0.3, 1.05),
    "suitcase": _category("small", 0.48, 0.28, 0.7),
    "backpack": _category("small", 0.4, 0.3, 0.55),
    "teddy bear": _category("small", 0.5, 0.42, 0.6),
    "toy truck": _category("small", 0.4, 0.75, 0.4),
    "dog": _category("small", 0.38, 0.85, 0.7),
    "cat": _category("small", 0.3, 0.55, 0.46),
    "television": _category("top", (1.0, 1.2), 0.25, 0.72, stretched=True),
    "computer": _category("top", 0.55, 0.45, 0.5),
    "laptop": _category("top", 0.42, 0.34, 0.3),
    "printer": _category("top", 0.45, 0.4, 0.32),
    "microwave": _category("top", 0.5, 0.38, 0.3),
    "vase": _category("top", 0.25, 0.25, 0.48),
    "books": _category("top", 0.32, 0.26, 0.32),
    "radio": _category("top", 0.42, 0.18, 0.28),
}

SIMILAR_CATEGORIES: tuple[tuple[str, ...], ...] = (
    ("sofa", "armchair"),
    ("cabinet", "dresser"),
    ("stove", "oven", "dishwasher"),
    ("pouf", "stool"),
    ("bin", "basket", "umbrella stand", "barrel"),
    ("laptop", "computer"),
    ("suitcase", "backpack"),
    ("microwave", "printer", "radio"),
)
"""A space holds at most one category of each group, most often the first."""
