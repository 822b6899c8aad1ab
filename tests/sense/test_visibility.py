"""What is in sight: the field of view, and walls as the only things that hide anything."""

import pytest
from hypothesis import given

from tests.hand_built import furnished, one_room, thing, two_rooms
from tests.strategies import cells, headings, quarter_turns
from tolman.core.geometry import Heading, Vector, to_world
from tolman.sense import in_view, visible
from tolman.world import START, Pose, Scene


def names_in_view(scene: Scene, standing_on: str, heading: Heading) -> list[str]:
    return [item.name for item in visible(scene, scene.pose_at(standing_on, heading))]


@pytest.mark.parametrize("heading", Heading)
@pytest.mark.parametrize(
    ("right", "ahead", "seen"),
    [
        (0, 1, True),
        (0, 30, True),
        (2, 2, True),
        (-2, 2, True),
        (2, 3, True),
        (3, 2, False),
        (-3, 2, False),
        (1, 0, False),
        (0, -1, False),
        (-1, -1, False),
        (0, 0, False),
    ],
)
def test_the_field_of_view_is_a_quarter_turn_wide_with_its_edges(heading: Heading, right: int, ahead: int, seen: bool):
    assert in_view(to_world((right, ahead), heading), heading) is seen


@given(cells(50).filter(any))
def test_looking_around_once_shows_everything_and_only_diagonals_twice(displacement: Vector):
    times = sum(in_view(displacement, heading) for heading in Heading)
    assert times == (2 if abs(displacement[0]) == abs(displacement[1]) else 1)


@given(cells(50), headings, quarter_turns)
def test_turning_agent_and_world_together_changes_nothing(displacement: Vector, heading: Heading, degrees: int):
    turned = to_world(displacement, Heading.NORTH.turned(degrees))
    assert in_view(turned, heading.turned(degrees)) == in_view(displacement, heading)


def test_walls_hide_the_next_room():
    assert names_in_view(furnished(), START, Heading.EAST) == ["lamp", "red door"]


def test_nothing_in_the_room_hides_anything():
    """The vase stands in a straight line behind the lamp."""
    scene = one_room(thing("lamp", (3, 4)), thing("vase", (3, 5)))
    assert names_in_view(scene, START, Heading.NORTH) == ["lamp", "vase"]


def test_there_is_no_limit_of_range():
    scene = one_room(thing("lamp", (1, 40)), side=40, start=(1, 1))
    assert names_in_view(scene, START, Heading.NORTH) == ["lamp"]


def test_from_a_doorway_both_rooms_are_seen():
    """Looking along the wall, one thing lies in the cone on either side of it."""
    scene = two_rooms(thing("lamp", (5, 5)), thing("vase", (7, 5)), thing("sofa", (4, 4)))
    assert names_in_view(scene, "red door", Heading.NORTH) == ["lamp", "vase"]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        (Heading.EAST, ["vase", "chair"]),
        (Heading.WEST, ["sofa", "lamp"]),
        (Heading.NORTH, ["lamp"]),
        (Heading.SOUTH, []),
    ],
)
def test_the_door_one_stands_in_is_not_seen(heading: Heading, expected: list[str]):
    assert names_in_view(furnished(), "red door", heading) == expected


@pytest.mark.parametrize("heading", Heading)
def test_what_one_stands_on_is_not_seen(heading: Heading):
    assert "vase" not in names_in_view(furnished(), "vase", heading)


def test_a_door_is_seen_from_both_its_rooms():
    assert "red door" in names_in_view(furnished(), START, Heading.EAST)
    assert "red door" in names_in_view(furnished(), "vase", Heading.WEST)


def test_things_are_listed_in_the_order_of_the_scene_and_doors_last():
    far, near = thing("zebra", (5, 3)), thing("ant", (4, 3))
    assert names_in_view(two_rooms(far, near), START, Heading.EAST) == ["zebra", "ant", "red door"]
    assert names_in_view(two_rooms(near, far), START, Heading.EAST) == ["ant", "zebra", "red door"]


def test_from_a_doorway_too_the_order_is_the_scenes():
    scene = two_rooms(thing("vase", (7, 5)), thing("lamp", (5, 5)), thing("sofa", (8, 5)))
    assert names_in_view(scene, "red door", Heading.NORTH) == ["vase", "lamp", "sofa"]


def test_any_floor_cell_can_be_looked_from():
    """From the south-west corner the sofa is 2 east and 4 north; lamp and door are more east than north."""
    assert [item.name for item in visible(furnished(), Pose((1, 1), Heading.NORTH, (1,)))] == ["sofa"]
