"""Kinds of things with their sizes, and the colours of doors.

Footprints are width (along the thing's own left-right axis) and depth (front to back), all lengths in metres.
The renderer finds the asset of a kind by its name.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A category of things. `fronted` says whether it has a recognisable front."""

    name: str
    fronted: bool
    width: float
    depth: float
    height: float


def _fronted(name: str, width: float, depth: float, height: float) -> ObjectKind:
    return ObjectKind(name, True, width, depth, height)


def _frontless(name: str, width: float, depth: float, height: float) -> ObjectKind:
    return ObjectKind(name, False, width, depth, height)


VOCABULARY_V1: tuple[ObjectKind, ...] = (
    _fronted("air conditioner", 0.80, 0.25, 0.30),
    _fronted("alarm clock", 0.20, 0.10, 0.22),
    _fronted("armchair", 0.85, 0.85, 0.95),
    _fronted("backpack", 0.35, 0.25, 0.50),
    _fronted("bathtub", 0.75, 0.95, 0.60),
    _fronted("bed", 0.95, 0.98, 0.60),
    _fronted("bicycle", 0.45, 0.98, 0.98),
    _fronted("bookcase", 0.90, 0.35, 1.80),
    _fronted("cabinet", 0.80, 0.45, 0.90),
    _fronted("cat", 0.25, 0.50, 0.40),
    _fronted("chair", 0.48, 0.52, 0.90),
    _fronted("computer", 0.50, 0.45, 0.48),
    _fronted("desk", 0.98, 0.60, 0.75),
    _fronted("dishwasher", 0.60, 0.60, 0.85),
    _fronted("dog", 0.35, 0.80, 0.65),
    _fronted("dresser", 0.95, 0.48, 0.85),
    _fronted("fireplace", 0.98, 0.40, 1.10),
    _fronted("grandfather clock", 0.50, 0.30, 1.95),
    _fronted("guitar", 0.38, 0.20, 1.00),
    _fronted("laptop", 0.36, 0.30, 0.25),
    _fronted("microwave", 0.50, 0.38, 0.30),
    _fronted("mirror", 0.60, 0.10, 1.60),
    _fronted("motor scooter", 0.60, 0.98, 1.05),
    _fronted("oven", 0.60, 0.60, 0.85),
    _fronted("piano", 0.98, 0.60, 1.20),
    _fronted("printer", 0.45, 0.40, 0.30),
    _fronted("projector", 0.35, 0.30, 0.15),
    _fronted("radio", 0.35, 0.15, 0.22),
    _fronted("refrigerator", 0.65, 0.65, 1.80),
    _fronted("rocking horse", 0.35, 0.85, 0.80),
    _fronted("sewing machine", 0.40, 0.20, 0.32),
    _fronted("shoes", 0.25, 0.30, 0.12),
    _fronted("shopping cart", 0.58, 0.90, 1.00),
    _fronted("sink", 0.60, 0.50, 0.90),
    _fronted("sofa", 0.98, 0.85, 0.85),
    _fronted("stove", 0.60, 0.60, 0.90),
    _fronted("suitcase", 0.45, 0.25, 0.65),
    _fronted("teddy bear", 0.40, 0.35, 0.50),
    _fronted("television", 0.95, 0.25, 0.65),
    _fronted("toilet", 0.40, 0.68, 0.78),
    _fronted("toy airplane", 0.70, 0.70, 0.28),
    _fronted("toy truck", 0.30, 0.65, 0.32),
    _fronted("wardrobe", 0.98, 0.60, 1.95),
    _fronted("whiteboard", 0.98, 0.35, 1.75),
    _frontless("barrel", 0.58, 0.58, 0.88),
    _frontless("basket", 0.42, 0.42, 0.40),
    _frontless("bin", 0.32, 0.32, 0.50),
    _frontless("books", 0.30, 0.24, 0.30),
    _frontless("candle", 0.12, 0.12, 0.28),
    _frontless("coffee table", 0.80, 0.80, 0.42),
    _frontless("crate", 0.55, 0.55, 0.50),
    _frontless("lamp", 0.40, 0.40, 1.55),
    _frontless("parasol", 0.95, 0.95, 1.90),
    _frontless("pillow", 0.50, 0.50, 0.20),
    _frontless("plant", 0.55, 0.55, 1.15),
    _frontless("pouf", 0.50, 0.50, 0.40),
    _frontless("stool", 0.38, 0.38, 0.48),
    _frontless("table", 0.95, 0.95, 0.74),
    _frontless("umbrella stand", 0.28, 0.28, 0.62),
    _frontless("vase", 0.28, 0.28, 0.55),
)
"""The kinds that generated scenes draw from. Frozen: one kind more, or another order, and every seed would make another
world."""

ADDED_KINDS: tuple[ObjectKind, ...] = ()
"""Kinds that scene files and pictures know, and that no generated scene draws."""

KIND_BY_NAME: dict[str, ObjectKind] = {kind.name: kind for kind in (*VOCABULARY_V1, *ADDED_KINDS)}

COLOURS: dict[str, str] = {
    "red": "#c8372d",
    "blue": "#2f62b5",
    "green": "#3c8d4f",
    "yellow": "#e0b52c",
    "brown": "#7a5236",
    "purple": "#7b4ba0",
    "orange": "#e07f2a",
    "black": "#26262b",
    "white": "#f2f0ea",
    "gray": "#8b8f94",
    "pink": "#e48fb0",
    "turquoise": "#35b6b0",
    "beige": "#d8c7a3",
    "maroon": "#6e1f2c",
    "navy": "#1f2b57",
    "olive": "#76782f",
    "teal": "#1d6f74",
    "gold": "#b98d24",
    "silver": "#bcc1c6",
    "crimson": "#a3142f",
    "violet": "#9a7fd1",
    "indigo": "#43348a",
    "lime": "#9bcb3c",
    "coral": "#ef7d66",
    "lavender": "#c5b8e3",
    "mint": "#a6dcc0",
    "peach": "#f3bf9b",
    "amber": "#d99a17",
    "ivory": "#efe8cf",
    "magenta": "#c0318f",
    "cream": "#f5ead0",
}
"""Colour words of doors, with the sRGB value that pictures use. The first five are the published ones."""
