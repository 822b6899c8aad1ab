"""Rules that every furnished space keeps, whatever the seed."""

import math
import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import pytest

from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.geometry import Heading
from tolman.world import Room
from tolman.world.space import Piece, Space, SpaceSettings, generate_space, space_from_dict, space_to_dict
from tolman.world.space.categories import CATEGORIES, SIMILAR_CATEGORIES
from tolman.world.space.floor import Shape

Rectangle = tuple[float, float, float, float]


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_a_space_keeps_all_rules(seed: int):
    for each in range(seed, seed + 10):
        check(generate_space(each))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 2200, 100))
def test_many_spaces_keep_all_rules(seed: int):
    for each in range(seed, seed + 100):
        check(generate_space(each))


def check(made: Space):
    assert 5 <= len(made.classes) <= 20
    assert [piece.id for piece in made.pieces] == list(range(1, len(made.pieces) + 1))
    for group in SIMILAR_CATEGORIES:
        assert len(set(group) & set(made.classes)) <= 1, group
    standing = [piece for piece in made.pieces if not (piece.in_wall or piece.flat)]
    for piece in standing:
        assert is_inside(made.layout, seen_from_above(piece)), piece
    for a, b in combinations(standing, 2):
        stacked = a.base >= b.base + b.height - 0.002 or b.base >= a.base + a.height - 0.002
        assert stacked or gap(seen_from_above(a), seen_from_above(b)) >= -0.002, (a, b)
    for piece in standing:
        if piece.base and CATEGORIES[piece.category].placement == "top":
            assert any(carries(other, piece) for other in standing), piece
    for door in (piece for piece in made.pieces if piece.category == "door"):
        x, y = Heading(door.facing // 90).vector
        place = replace(door, x=door.x + 0.5 * x, y=door.y + 0.5 * y, depth=0.8)
        assert all(gap(seen_from_above(place), seen_from_above(p)) > 0 for p in standing if p.base < 2), door
    x, y = made.camera
    free = (x - 0.39, y - 0.39, x + 0.39, y + 0.39)
    assert is_inside(made.layout, free)
    assert all(gap(free, seen_from_above(piece)) >= 0 for piece in standing if piece.base < 2)


def seen_from_above(piece: Piece) -> Rectangle:
    """West, south, east, north, worked out without the space's own boxes."""
    angle = math.radians(piece.facing)
    w = abs(piece.width * math.cos(angle)) + abs(piece.depth * math.sin(angle))
    d = abs(piece.width * math.sin(angle)) + abs(piece.depth * math.cos(angle))
    return piece.x - w / 2, piece.y - d / 2, piece.x + w / 2, piece.y + d / 2


def gap(a: Rectangle, b: Rectangle) -> float:
    """Metres between two rectangles along the axis that parts them most; negative where they overlap."""
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def carries(below: Piece, above: Piece) -> bool:
    at = seen_from_above(below)
    on = at[0] <= above.x <= at[2] and at[1] <= above.y <= at[3]
    return on and abs(below.base + below.height - above.base) < 0.002


def is_inside(corners: tuple[tuple[float, float], ...], rectangle: Rectangle) -> bool:
    """Whether a fine net of points of a rectangle is inside a polygon, by the number of edges that a ray crosses."""
    west, south, east, north = rectangle
    shares = [0.002, 0.25, 0.5, 0.75, 0.998]
    points = [(west + u * (east - west), south + v * (north - south)) for u in shares for v in shares]
    return all(_crossings(corners, point) % 2 == 1 for point in points)


def _crossings(corners: tuple[tuple[float, float], ...], point: tuple[float, float]) -> int:
    x, y = point
    edges = zip(corners, [*corners[1:], corners[0]], strict=True)
    return sum(x0 == x1 and x0 > x and min(y0, y1) <= y < max(y0, y1) for (x0, y0), (x1, y1) in edges)


def test_seeds_give_many_kinds_of_spaces():
    made = [generate_space(seed) for seed in range(40)]
    assert len({one.digest for one in made}) == 40
    assert {len(one.layout) for one in made} >= {4, 6, 8}
    assert any(sum(p.category == name for p in one.pieces) > 2 for one in made for name in one.classes)
    assert len({name for one in made for name in one.classes}) > 40


def test_a_seed_gives_the_same_space_in_any_process():
    ask = "from tolman.world.space import generate_space; print(*(generate_space(seed).digest for seed in (3, 1, 2)))"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert told == [generate_space(seed).digest for seed in (3, 1, 2)]


@pytest.mark.parametrize(("shape", "corners"), [("rectangle", 4), ("L", 6), ("T", 8), ("U", 8), ("Z", 8)])
def test_a_shape_has_its_corners(shape: Shape, corners: int):
    for seed in range(8):
        assert len(generate_space(seed, SpaceSettings(shapes=(shape,))).layout) == corners


def test_settings_are_kept():
    few = [generate_space(seed, SpaceSettings(most_classes=7, most_pieces=12)) for seed in range(20)]
    assert all(5 <= len(one.classes) <= 7 and len(one.pieces) <= 12 for one in few)
    for wrong in ({"shapes": ()}, {"shapes": ("round",)}, {"most_classes": 4}, {"most_pieces": 5}):
        with pytest.raises(SettingsError):
            SpaceSettings(**wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(SettingsError):
        generate_space(-1)


def test_a_space_comes_back_from_plain_values():
    made = generate_space(4)
    values = space_to_dict(made)
    assert space_from_dict(values) == made
    assert space_from_dict(values).label == "4"
    with pytest.raises(SceneFileError, match="altered"):
        space_from_dict({**values, "camera": (made.camera[0] + 0.01, made.camera[1])})
    with pytest.raises(SceneFileError, match="not a tolman"):
        space_from_dict({**values, "more": 1})


ROOM = Room(1, (0, 0), (5, 4))
SOFA = Piece(1, "sofa", 2.0, 0.0, 0, 2.0, 0.9, 0.8)


@pytest.mark.parametrize(
    ("pieces", "camera", "words"),
    [
        ((SOFA, replace(SOFA, id=2, x=3.0)), (2.0, 3.0), "overlap"),
        ((replace(SOFA, x=5.0),), (2.0, 3.0), "not on the floor"),
        ((SOFA,), (2.0, 0.2), "camera"),
        ((SOFA,), (2.0, 4.4), "camera"),
        ((replace(SOFA, id=2),), (2.0, 3.0), "numbered"),
        ((Piece(1, "window", 2.0, 2.0, 0, 1.2, 0.1, 1.2, 0.9),), (4.0, 3.0), "not in a wall"),
    ],
)
def test_what_can_not_be_is_refused(pieces: tuple[Piece, ...], camera: tuple[float, float], words: str):
    with pytest.raises(SceneFileError, match=words):
        Space((ROOM,), pieces, camera)


def test_rooms_must_hang_together_without_a_hole():
    apart = Room(2, (8, 0), (9, 4))
    at_a_corner = Room(2, (6, 5), (8, 8))
    ring = (Room(1, (0, 0), (4, 0)), Room(2, (0, 4), (4, 4)), Room(3, (0, 1), (0, 3)), Room(4, (4, 1), (4, 3)))
    for rooms in ((ROOM, apart), (ROOM, at_a_corner), ring):
        with pytest.raises(SceneFileError):
            Space(rooms, (), (2.0, 0.0))


def test_a_piece_must_be_of_a_known_category_and_face_a_quarter():
    with pytest.raises(SceneFileError, match="no space can hold"):
        replace(SOFA, category="unicorn")
    with pytest.raises(SceneFileError, match="faces"):
        replace(SOFA, facing=45)
    with pytest.raises(SceneFileError, match="no size"):
        replace(SOFA, width=0.0)


def test_a_space_can_be_asked_for_25_to_40_pieces():
    settings = SpaceSettings(least_pieces=25)
    for seed in range(30):
        space = generate_space(seed, settings)
        assert 25 <= len(space.pieces) <= 40
        check(space)
    assert settings.as_dict()["least_pieces"] == 25
    assert "least_pieces" not in SpaceSettings().as_dict()
    with pytest.raises(SettingsError):
        SpaceSettings(least_pieces=26)
