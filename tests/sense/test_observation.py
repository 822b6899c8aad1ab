"""Labels of what is in sight, pairs that stand close together, and answers to queries."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exact_labels import cardinal_label, distance_label, ego_label
from tests.hand_built import furnished, one_room, thing, two_rooms
from tests.strategies import headings, scenes
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, FacingLabel, WallLabel
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Heading, difference
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.sense import Location, NearPair, Observation, Sighting, look, observe, query
from tolman.world import START, Door, Pose, Room, Scene


def test_a_view_worked_out_by_hand():
    """Facing east: the lamp is 2 ahead and 1 to the left (26.6 degrees, 2.2 cells), the door 3 straight ahead."""
    assert observe(furnished(), START, Heading.EAST) == Observation(
        START,
        Heading.EAST,
        (
            Sighting("lamp", EgoBin.FRONT_LEFT, DistanceBin.MID, None),
            Sighting("red door", EgoBin.FRONT, DistanceBin.MID, WallLabel.FRONT),
        ),
        (NearPair("lamp", "red door", CardinalBin.SOUTH_WEST, DistanceBin.NEAR),),
    )


@given(scenes(max_rooms=4), headings, st.data())
def test_every_sighting_agrees_with_whole_number_arithmetic(scene: Scene, heading: Heading, data: st.DataObject):
    standing_on = data.draw(st.sampled_from((START, *scene.names)))
    here = scene.pose_at(standing_on, heading).cell
    seen = observe(scene, standing_on, heading)
    for sighting in seen.sightings:
        apart = difference(scene.item(sighting.name).cell, here)
        assert (sighting.direction, sighting.distance) == (ego_label(apart, heading.word), distance_label(apart))
    for pair in seen.near_pairs:
        apart = difference(scene.item(pair.name).cell, scene.item(pair.other).cell)
        assert (pair.direction, pair.distance) == (cardinal_label(apart, heading.word), "near")
    assert seen.names == tuple(sighting.name for sighting in seen.sightings)


@pytest.mark.parametrize("heading", Heading)
@pytest.mark.parametrize("label", FacingLabel)
def test_facings_are_told_relative_to_the_agent(heading: Heading, label: FacingLabel):
    turn = {"facing forward": 0, "facing right": 90, "facing backward": 180, "facing left": 270}[label]
    x, y = heading.vector
    sofa = thing("sofa", (3 + x, 3 + y), heading.turned(turn))
    assert observe(one_room(sofa), START, heading).sightings[0].detail is label


def test_what_has_no_front_has_no_facing():
    assert observe(one_room(thing("lamp", (3, 5))), START, Heading.NORTH).sightings[0].detail is None


def room_with_four_doors() -> Scene:
    """Room 1 in the middle; rooms 2 to 5 north, east, south and west of it, each behind a door in mid-wall."""
    rooms = (
        Room(1, (0, 0), (4, 4)),
        Room(2, (0, 6), (4, 10)),
        Room(3, (6, 0), (10, 4)),
        Room(4, (0, -6), (4, -2)),
        Room(5, (-6, 0), (-2, 4)),
    )
    doors = (
        Door("north door", (2, 5), (1, 2), "y"),
        Door("east door", (5, 2), (1, 3), "x"),
        Door("south door", (2, -1), (4, 1), "y"),
        Door("west door", (-1, 2), (5, 1), "x"),
    )
    return Scene(rooms, doors, (), (2, 2))


@pytest.mark.parametrize("heading", Heading)
def test_the_door_ahead_is_on_the_front_wall(heading: Heading):
    seen = observe(room_with_four_doors(), START, heading)
    assert seen.sightings == (Sighting(f"{heading.word} door", EgoBin.FRONT, DistanceBin.MID, WallLabel.FRONT),)


@pytest.mark.parametrize("heading", Heading)
def test_from_the_back_of_a_room_the_side_doors_are_on_the_side_walls(heading: Heading):
    """Standing in the doorway behind, the side doors lie at exactly 45 degrees on both sides."""
    seen = observe(room_with_four_doors(), f"{heading.opposite.word} door", heading)
    details = {sighting.name: sighting.detail for sighting in seen.sightings}
    assert details == {
        f"{heading.word} door": WallLabel.FRONT,
        f"{heading.turned(90).word} door": WallLabel.RIGHT,
        f"{heading.turned(-90).word} door": WallLabel.LEFT,
    }


def test_from_a_doorway_a_door_of_the_next_room_is_told_by_its_wall_there():
    rooms = (Room(1, (0, 0), (4, 4)), Room(2, (6, 0), (10, 4)), Room(3, (6, 6), (10, 10)))
    doors = (Door("red door", (5, 2), (1, 2), "x"), Door("blue door", (7, 5), (2, 3), "y"))
    scene = Scene(rooms, doors, (), (2, 2))
    seen = observe(scene, "red door", Heading.NORTH).sightings
    assert seen == (Sighting("blue door", EgoBin.FRONT_RIGHT, DistanceBin.MID, WallLabel.FRONT),)


def test_pairs_are_told_up_to_two_cells_apart_and_no_farther():
    """Distances: lamp and vase 2, lamp and sofa 2.2, vase and sofa 1, all with the bed 3 or more."""
    lamp, vase, sofa, bed = (
        thing(n, c) for n, c in (("lamp", (2, 5)), ("vase", (4, 5)), ("sofa", (4, 4)), ("bed", (3, 1)))
    )
    scene = one_room(lamp, vase, sofa, bed, start=(3, 2))
    seen = observe(scene, START, Heading.NORTH)
    assert [(pair.name, pair.direction, pair.other) for pair in seen.near_pairs] == [
        ("lamp", "west", "vase"),
        ("vase", "north", "sofa"),
    ]
    assert {pair.distance for pair in seen.near_pairs} == {DistanceBin.NEAR}


@pytest.mark.parametrize("heading", Heading)
def test_in_a_pair_the_agents_heading_is_called_north(heading: Heading):
    """The lamp stands one cell beyond the vase, straight ahead."""
    (dx, dy), (x, y) = heading.vector, (3, 3)
    vase, lamp = thing("vase", (x + dx, y + dy)), thing("lamp", (x + 2 * dx, y + 2 * dy))
    assert observe(one_room(vase, lamp), START, heading).near_pairs == (
        NearPair("vase", "lamp", CardinalBin.SOUTH, DistanceBin.NEAR),
    )


def test_a_thing_out_of_view_is_in_no_pair():
    scene = one_room(thing("lamp", (3, 4)), thing("vase", (3, 2)))
    assert observe(scene, START, Heading.NORTH).near_pairs == ()


def test_looking_from_a_cell_is_looking_from_what_stands_there():
    scene = furnished()
    seen = observe(scene, "vase", Heading.WEST)
    assert look(scene, Pose((9, 3), Heading.WEST, (2,))) == (seen.sightings, seen.near_pairs)


def test_one_can_only_stand_on_what_exists():
    with pytest.raises(UnknownNameError, match="throne"):
        observe(furnished(), "throne", Heading.NORTH)


@pytest.mark.parametrize("rules", [PUBLISHED, STRICT])
def test_queries_are_answered_in_the_agents_frame(rules: Rules):
    scene = furnished()
    assert query(scene, "sofa", rules) == Location("sofa", (0, 2), Heading.SOUTH)
    assert query(scene, "chair", rules) == Location("chair", (6, 2), Heading.WEST)
    assert query(scene, START, rules) == Location(START, (0, 0), Heading.NORTH)
    assert query(scene, "red door", rules) == Location("red door", (3, 0), Heading.EAST)
    with pytest.raises(UnknownNameError, match="throne"):
        query(scene, "throne", rules)


def test_doors_face_along_their_passage():
    assert query(room_with_four_doors(), "south door", STRICT).facing is Heading.NORTH
    assert query(room_with_four_doors(), "west door", STRICT).facing is Heading.EAST


def test_what_has_no_front_faces_east_as_published_and_nowhere_when_strict():
    assert query(furnished(), "lamp", PUBLISHED) == Location("lamp", (2, 1), Heading.EAST)
    assert query(furnished(), "lamp", STRICT) == Location("lamp", (2, 1), None)
    assert query(furnished(), "lamp", replace(STRICT, frontless_things_face_nowhere=False)).facing is Heading.EAST


def test_two_things_in_different_rooms_can_be_a_pair_in_a_doorway():
    scene = two_rooms(thing("lamp", (5, 4)), thing("vase", (7, 4)))
    assert observe(scene, "red door", Heading.NORTH).near_pairs == (
        NearPair("lamp", "vase", CardinalBin.WEST, DistanceBin.NEAR),
    )
