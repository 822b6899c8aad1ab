"""Furniture by room use: groups, and single pieces with their frequencies."""

from collections.abc import Callable
from dataclasses import dataclass

from tolman.world.scene import Room
from tolman.world.space.furnishing import FurnishingState
from tolman.world.space.furniture import add_bed, add_desk, add_dining, add_kitchen, add_lounge

FurnitureGroup = Callable[[FurnishingState, Room], None]
PieceFrequency = tuple[str, float, int]
"""A category, the probability of any piece of it, and the most pieces of it."""


@dataclass(frozen=True)
class RoomUse:
    """Furniture of a room for one use."""

    groups: tuple[FurnitureGroup, ...]
    """In order of placement."""
    others: tuple[PieceFrequency, ...]
    """Single pieces, placed in random order."""
    compatible: tuple[str, ...]
    """Uses that may be next to it without a wall between."""


ROOM_USES: dict[str, RoomUse] = {
    "living": RoomUse(
        (add_lounge,),
        (
            ("rug", 0.5, 1),
            ("bookcase", 0.72, 3),
            ("fireplace", 0.39, 1),
            ("piano", 0.33, 1),
            ("cabinet", 0.39, 2),
            ("dresser", 0.26, 1),
            ("grandfather clock", 0.26, 1),
            ("picture", 0.91, 3),
            ("lamp", 0.91, 2),
            ("plant", 0.95, 3),
            ("pouf", 0.45, 2),
            ("guitar", 0.33, 1),
            ("basket", 0.33, 1),
            ("dog", 0.2, 1),
            ("cat", 0.2, 1),
            ("vase", 0.52, 2),
            ("books", 0.45, 2),
            ("radio", 0.2, 1),
            ("air conditioner", 0.26, 1),
        ),
        ("dining", "kitchen", "study", "play", "hall"),
    ),
    "dining": RoomUse(
        (add_dining,),
        (
            ("rug", 0.5, 1),
            ("cabinet", 0.65, 2),
            ("dresser", 0.39, 1),
            ("picture", 0.78, 2),
            ("plant", 0.78, 2),
            ("lamp", 0.52, 2),
            ("vase", 0.65, 2),
            ("grandfather clock", 0.26, 1),
            ("stool", 0.26, 2),
            ("piano", 0.2, 1),
            ("mirror", 0.26, 1),
            ("air conditioner", 0.26, 1),
            ("barrel", 0.13, 1),
        ),
        ("living", "kitchen", "play", "hall"),
    ),
    "kitchen": RoomUse(
        (add_kitchen, add_dining),
        (
            ("bin", 0.65, 1),
            ("stool", 0.45, 3),
            ("plant", 0.39, 1),
            ("picture", 0.39, 1),
            ("basket", 0.39, 1),
            ("crate", 0.33, 2),
            ("barrel", 0.13, 2),
            ("radio", 0.26, 1),
        ),
        ("living", "dining", "hall"),
    ),
    "bedroom": RoomUse(
        (add_bed,),
        (
            ("rug", 0.7, 1),
            ("wardrobe", 0.95, 2),
            ("dresser", 0.65, 1),
            ("mirror", 0.65, 1),
            ("lamp", 0.78, 2),
            ("picture", 0.78, 2),
            ("armchair", 0.52, 1),
            ("plant", 0.52, 2),
            ("bookcase", 0.39, 1),
            ("basket", 0.39, 2),
            ("pouf", 0.26, 1),
            ("suitcase", 0.33, 2),
            ("teddy bear", 0.26, 1),
            ("cat", 0.2, 1),
            ("vase", 0.33, 1),
            ("air conditioner", 0.33, 1),
        ),
        ("study", "play", "hall"),
    ),
    "study": RoomUse(
        (add_desk, add_desk),
        (
            ("rug", 0.5, 1),
            ("bookcase", 0.95, 4),
            ("cabinet", 0.45, 2),
            ("whiteboard", 0.39, 1),
            ("bin", 0.65, 1),
            ("lamp", 0.65, 2),
            ("plant", 0.65, 2),
            ("picture", 0.65, 2),
            ("printer", 0.39, 1),
            ("armchair", 0.39, 1),
            ("backpack", 0.39, 1),
            ("guitar", 0.26, 1),
            ("crate", 0.2, 2),
            ("air conditioner", 0.33, 1),
        ),
        ("living", "bedroom", "play", "hall"),
    ),
    "play": RoomUse(
        (),
        (
            ("rug", 0.7, 1),
            ("rocking horse", 0.65, 1),
            ("teddy bear", 0.78, 2),
            ("toy truck", 0.78, 2),
            ("bookcase", 0.65, 2),
            ("crate", 0.52, 2),
            ("pouf", 0.52, 2),
            ("stool", 0.39, 3),
            ("basket", 0.52, 1),
            ("plant", 0.39, 1),
            ("picture", 0.65, 2),
            ("lamp", 0.52, 1),
            ("dog", 0.26, 1),
        ),
        ("living", "bedroom", "study", "dining"),
    ),
    "hall": RoomUse(
        (),
        (
            ("bicycle", 0.65, 1),
            ("umbrella stand", 0.52, 1),
            ("mirror", 0.65, 1),
            ("suitcase", 0.39, 2),
            ("backpack", 0.39, 1),
            ("cabinet", 0.52, 1),
            ("wardrobe", 0.39, 1),
            ("stool", 0.39, 1),
            ("plant", 0.52, 2),
            ("picture", 0.52, 2),
            ("crate", 0.26, 2),
            ("dog", 0.2, 1),
        ),
        ("living", "dining", "kitchen", "study", "bedroom"),
    ),
    "bath": RoomUse(
        (),
        (
            ("bathtub", 1.0, 1),
            ("toilet", 0.95, 1),
            ("sink", 1.0, 2),
            ("mirror", 0.95, 1),
            ("cabinet", 0.91, 2),
            ("basket", 0.78, 2),
            ("bin", 0.65, 1),
            ("plant", 0.78, 2),
            ("stool", 0.78, 1),
            ("lamp", 0.39, 1),
            ("picture", 0.52, 1),
        ),
        (),
    ),
}

MAIN_USE_SHARES: tuple[tuple[str, float], ...] = (
    ("living", 0.36),
    ("bedroom", 0.2),
    ("dining", 0.12),
    ("study", 0.17),
    ("kitchen", 0.15),
)
"""Probabilities of the use of a space's largest room."""
BATH_SHARE, BATH_CELLS = 0.5, 20
"""Probability that a space of one room and at most so many square metres is a bathroom."""
