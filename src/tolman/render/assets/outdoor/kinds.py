"""Kinds of things under the sky, with their real size in metres."""

from tolman.world.vocabulary import Kind

OUTDOOR_KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("barrel", False, 0.75, 0.75, 0.95),
        Kind("bear", True, 1.00, 2.25, 1.25),
        Kind("bench", True, 1.60, 0.70, 0.90),
        Kind("bicycle", True, 0.70, 1.75, 1.10),
        Kind("cactus", False, 1.90, 1.90, 3.30),
        Kind("camel", True, 0.90, 2.80, 2.25),
        Kind("deer", True, 0.95, 1.80, 2.05),
        Kind("fire hydrant", True, 0.55, 0.45, 0.90),
        Kind("fox", True, 0.45, 1.25, 0.72),
        Kind("human", True, 0.90, 0.70, 1.75),
        Kind("husky", True, 0.45, 1.15, 0.92),
        Kind("motor scooter", True, 0.95, 1.85, 1.30),
        Kind("rock", False, 1.60, 1.45, 1.15),
        Kind("snowman", True, 1.60, 1.20, 1.70),
        Kind("snowy tree", False, 4.00, 4.00, 5.60),
        Kind("taxi", True, 2.00, 4.50, 1.70),
        Kind("tent", True, 2.60, 2.60, 1.50),
        Kind("traffic cone", False, 0.46, 0.46, 0.80),
        Kind("trash bin", False, 0.75, 0.75, 1.05),
        Kind("tree", False, 4.00, 4.00, 5.60),
        Kind("truck", True, 2.72, 6.30, 3.40),
    )
}
LEVEL: frozenset[str] = frozenset(
    {"barrel", "cactus", "human", "rock", "snowman", "snowy tree", "tree", "fire hydrant", "trash bin"}
)
"""Kinds that stand upright on a slope; all others lean with it."""
