"""Colours that a kind has to itself: boxes of much the same size that even from behind are never taken for another."""

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.materials import STEEL, cloth, painted, timber
from tolman.render.assets.builtin.registry import Stream
from tolman.render.shapes.material import Material

ENAMELS: dict[str, tuple[str, ...]] = {
    "cabinet": ("#4d6a85", "#2f6658", "#6d5a86", "#34507a"),
    "oven": ("#232529", "#2e2326", "#1f2a30"),
    "dishwasher": ("#f2f1ed", "#e9eef0", "#f1ede2"),
    "refrigerator": ("#f2f1ed", "#a8322b", "#a9d3c4"),
    "sink": ("#9fc3cb", "#b5c9a2", "#d9a9a0"),
    "stove": ("#d9a52e", "#5fa392", "#b8452f"),
}
"""What is painted."""
TIMBERS: dict[str, tuple[tuple[str, str], ...]] = {
    "bookcase": (("#a97f4f", "#d6b07c"), ("#8a5f38", "#b98a58"), ("#b08e63", "#dcc097")),
    "desk": (("#6a6762", "#918d86"), ("#86827a", "#aeaaa1")),
    "dresser": (("#7a3b22", "#a5603c"), ("#6e3020", "#96502f")),
    "wardrobe": (("#2e1c14", "#4f3324"), ("#3d2417", "#5c3a24")),
}
"""What is of wood, dark and light in its grain."""
CLOTHS: dict[str, tuple[str, ...]] = {
    "armchair": ("#9c2f3f", "#c08a2e", "#6a4a8c", "#c05a7a"),
    "bed": ("#c9c2b4", "#c2a878", "#a59a8c"),
    "pouf": ("#8c2f39", "#2f4f73", "#4b6b4a", "#5d4a7a", "#2f7c82"),
    "sofa": ("#2f4f73", "#4b6b4a", "#2f7c82", "#7f8436"),
}
"""What is covered with cloth."""
BACKS: dict[str, str] = {
    "cabinet": "#57684a",
    "dishwasher": "#b4c2cb",
    "dresser": "#b39a74",
    "sink": "#5f97a3",
    "stove": "#75797c",
    "wardrobe": "#8f8272",
}
"""The boards and plates that close them behind."""


def coat(kind: str, stream: Stream) -> Material:
    """One of the materials that only this kind is made of."""
    if kind in TIMBERS:
        return timber(stream, *pick(stream, *TIMBERS[kind]), 0.5)
    if kind in CLOTHS:
        return cloth(stream, *CLOTHS[kind])
    return painted(pick(stream, *ENAMELS[kind]), 0.3)


def steel_or(kind: str, stream: Stream) -> Material:
    """Bare steel now and then."""
    return STEEL if stream.random() < 0.25 else coat(kind, stream)


def back(kind: str) -> Material:
    """What closes it behind."""
    return painted(BACKS[kind], 0.95)
