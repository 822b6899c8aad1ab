from dataclasses import FrozenInstanceError, replace

import pytest

from tests.hand_built import RED_DOOR, furnished, one_room, thing, two_rooms
from tolman.core.errors import SceneFileError, UnknownNameError
from tolman.core.geometry import Heading
from tolman.world import START, Door, Pose, Room, Scene, Thing


def test_a_room_holds_its_corners_and_nothing_beyond_them():
    room = Room(1, (2, 3), (4, 4))
    assert room.cells == ((2, 3), (2, 4), (3, 3), (3, 4), (4, 3), (4, 4))
    around = [(x, y) for x in range(1, 6) for y in range(2, 6)]
    assert tuple(cell for cell in around if room.holds(cell)) == room.cells


@pytest.mark.parametrize(
    ("door", "into_first", "into_second"),
    [
        (Door("d", (6, 3), (1, 2), "x"), Heading.WEST, Heading.EAST),
        (Door("d", (3, 6), (1, 2), "y"), Heading.SOUTH, Heading.NORTH),
    ],
)
def test_a_door_leads_from_the_low_room_to_the_high_one(door: Door, into_first: Heading, into_second: Heading):
    assert door.into(1) is into_first
    assert door.into(2) is into_second
    assert (door.beyond(1), door.beyond(2)) == (2, 1)
    with pytest.raises(UnknownNameError, match="room 3"):
        door.into(3)
    with pytest.raises(UnknownNameError, match="room 3"):
        door.beyond(3)


def test_things_come_before_doors_and_every_room_knows_its_own():
    scene = furnished()
    assert scene.names == ("sofa", "lamp", "vase", "chair", "red door")
    assert [item.name for item in scene.items_in((1,))] == ["sofa", "lamp", "red door"]
    assert [item.name for item in scene.items_in((2,))] == ["vase", "chair", "red door"]
    assert scene.items_in((1, 2)) == scene.items_in((2, 1)) == scene.items, "each once, in the scene's order"


def test_items_are_found_by_name():
    scene = furnished()
    assert scene.item("vase").cell == (9, 3)
    assert "vase" in scene
    assert "throne" not in scene
    with pytest.raises(UnknownNameError, match="throne"):
        scene.item("throne")


def test_poses_at_the_start_on_a_thing_and_in_a_doorway():
    scene = furnished()
    assert scene.pose_at(START, Heading.EAST) == Pose((3, 3), Heading.EAST, (1,))
    assert scene.pose_at("vase", Heading.WEST) == Pose((9, 3), Heading.WEST, (2,))
    assert scene.pose_at("red door", Heading.NORTH) == Pose((6, 3), Heading.NORTH, (1, 2))


def test_the_agents_frame_has_its_origin_at_the_start():
    scene = furnished()
    assert scene.from_start(START) == (0, 0)
    assert scene.from_start("sofa") == (0, 2)
    assert scene.from_start("red door") == (3, 0)


def test_bounds_take_in_the_outer_walls():
    assert two_rooms().bounds == ((0, 0), (12, 6))
    assert two_rooms().extent == 13
    assert one_room(side=5).extent == 7


def test_the_digest_depends_on_content_only():
    scene = furnished()
    assert replace(scene, label="elsewhere").digest == scene.digest
    assert replace(scene, label="elsewhere") == scene
    sofa, *others = scene.things
    for other in (
        replace(scene, start=(3, 2)),
        replace(scene, things=(*others, sofa)),
        replace(scene, things=(replace(sofa, front=Heading.EAST), *others)),
        replace(scene, things=(replace(sofa, front=None), *others)),
        replace(scene, things=(replace(sofa, cell=(2, 5)), *others)),
        replace(scene, things=(replace(sofa, category="bed"), *others)),
        replace(scene, doors=(replace(RED_DOOR, name="blue door"),)),
    ):
        assert other.digest != scene.digest


@pytest.mark.parametrize(
    ("things", "culprit"),
    [
        ([thing("sofa", (1, 1)), thing("sofa", (2, 2))], "unique"),
        ([thing("initial_pos", (1, 1))], "reserved"),
        ([thing("agent", (1, 1))], "reserved"),
        ([thing("red door", (1, 1))], "unique"),
        ([thing("sofa", (1, 1)), thing("lamp", (1, 1))], "same cell"),
        ([Thing("sofa", "sofa", (0, 3), None, 1)], "sofa"),
        ([Thing("sofa", "sofa", (1, 1), None, 2)], "sofa"),
        ([Thing("sofa", "sofa", (1, 1), None, 0)], "sofa"),
        ([Thing("sofa", "sofa", (1, 1), None, 3)], "sofa"),
        ([thing("sofa", (3, 3))], "start"),
    ],
)
def test_a_scene_whose_things_contradict_each_other_cannot_be_made(things: list[Thing], culprit: str):
    with pytest.raises(SceneFileError, match=culprit):
        two_rooms(*things)


@pytest.mark.parametrize(
    "door",
    [
        Door("odd door", (6, 3), (1, 2), "y"),
        Door("odd door", (6, 3), (2, 1), "x"),
        Door("odd door", (6, 3), (1, 3), "x"),
        Door("odd door", (6, 3), (0, 2), "x"),
        Door("odd door", (6, 6), (1, 2), "x"),
        Door("odd door", (12, 3), (2, 1), "x"),
    ],
)
def test_a_door_must_have_its_two_rooms_on_its_two_sides(door: Door):
    with pytest.raises(SceneFileError, match="odd door"):
        replace(two_rooms(), doors=(door,))


def test_a_door_is_in_a_wall():
    with pytest.raises(SceneFileError, match="odd door"):
        replace(two_rooms(), doors=(Door("odd door", (3, 2), (1, 1), "x"),))


@pytest.mark.parametrize("start", [(0, 3), (6, 3), (8, 3), (99, 99)])
def test_the_start_is_on_the_floor_of_room_1(start: tuple[int, int]):
    with pytest.raises(SceneFileError, match="start"):
        replace(two_rooms(), start=start)


def test_rooms_are_numbered_from_1():
    with pytest.raises(SceneFileError, match="numbered"):
        Scene((Room(2, (0, 0), (3, 3)),), (), (), (1, 1))


def test_a_scene_has_a_room():
    with pytest.raises(SceneFileError, match="room"):
        Scene((), (), (), (1, 1))


@pytest.mark.parametrize("low", [(2, 2), (4, 0), (4, 4), (-3, -3)])
def test_rooms_have_a_wall_between_them(low: tuple[int, int]):
    """Room 1 has its corners at (0, 0) and (3, 3)."""
    other = Room(2, low, (low[0] + 3, low[1] + 3))
    with pytest.raises(SceneFileError, match="rooms 1 and 2"):
        Scene((Room(1, (0, 0), (3, 3)), other), (), (), (0, 0))


@pytest.mark.parametrize(("number", "low", "high"), [(0, (0, 0), (3, 3)), (1, (3, 0), (2, 3)), (1, (0, 3), (3, 2))])
def test_a_room_has_a_number_and_a_floor(number: int, low: tuple[int, int], high: tuple[int, int]):
    with pytest.raises(SceneFileError, match="no floor"):
        Room(number, low, high)


def test_scenes_are_frozen():
    with pytest.raises(FrozenInstanceError):
        furnished().start = (1, 1)  # pyright: ignore[reportAttributeAccessIssue]
