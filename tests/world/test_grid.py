import pytest
from hypothesis import given

from tests.hand_built import furnished
from tests.strategies import scenes
from tolman.core.errors import SceneFileError
from tolman.world import Scene
from tolman.world.files import door_spots, mask_of, rooms_of


def test_a_mask_drawn_by_hand():
    """Columns of the mask are x from west to east; within one, y runs from south to north."""
    floor_1, floor_2, wall = [0, 1, 1, 1, 1, 1, 0], [0, 2, 2, 2, 2, 2, 0], [0] * 7
    doorway = [0, 0, 0, 100, 0, 0, 0]
    assert mask_of(furnished()) == [wall, *[floor_1] * 5, doorway, *[floor_2] * 5, wall]


@given(scenes())
def test_to_a_mask_and_back(scene: Scene):
    mask, ((x0, y0), _) = mask_of(scene), scene.bounds
    rooms = [(room.id, room.low, room.high) for room in rooms_of(mask)]
    assert rooms == [
        (room.id, (room.low[0] - x0, room.low[1] - y0), (room.high[0] - x0, room.high[1] - y0)) for room in scene.rooms
    ]
    spots = {((door.cell[0] - x0, door.cell[1] - y0), door.rooms, door.axis) for door in scene.doors}
    assert set(door_spots(mask)) == spots
    assert len(door_spots(mask)) == len(scene.doors)


@given(scenes())
def test_a_mask_is_walled_all_around(scene: Scene):
    mask = mask_of(scene)
    padded = {(x, y): value for x, column in enumerate(mask) for y, value in enumerate(column)}
    for (x, y), value in padded.items():
        around = [padded.get((x + dx, y + dy), -1) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert value in (-1, 0) or -1 not in around, "floor or a door lies open to the outside"
    assert max(len(mask), len(mask[0])) == scene.extent


def test_doors_are_listed_east_west_first_then_by_place():
    mask = [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 1, 1, 101, 2, 2, 0],
        [0, 1, 1, 0, 2, 2, 0],
        [0, 100, 0, 0, 0, 100, 0],
        [0, 3, 3, 0, 4, 4, 0],
        [0, 3, 3, 101, 4, 4, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]
    assert door_spots(mask) == [
        ((3, 1), (1, 3), "x"),
        ((3, 5), (2, 4), "x"),
        ((1, 3), (1, 2), "y"),
        ((5, 3), (3, 4), "y"),
    ]


@pytest.mark.parametrize("mask", [[], [[]], [[0, 0], [0, -1]]])
def test_a_mask_without_a_room_is_refused(mask: list[list[int]]):
    with pytest.raises(SceneFileError, match="no room"):
        rooms_of(mask)


def test_a_room_that_is_not_a_rectangle_is_refused():
    with pytest.raises(SceneFileError, match="room 1"):
        rooms_of([[1, 1], [1, 0]])


def test_a_mask_with_columns_of_different_length_is_refused():
    with pytest.raises(SceneFileError, match="rectangle"):
        rooms_of([[0, 1], [0]])


@pytest.mark.parametrize(
    ("mask", "place"),
    [([[1], [100]], r"\(1, 0\)"), ([[100], [1]], r"\(0, 0\)"), ([[1, 101]], r"\(0, 1\)"), ([[101, 1]], r"\(0, 0\)")],
)
def test_a_door_on_the_edge_of_the_mask_is_refused(mask: list[list[int]], place: str):
    with pytest.raises(SceneFileError, match=place):
        door_spots(mask)
