import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exact_labels import cardinal_label, distance_label, ego_label
from tests.strategies import headings
from tolman.core.bins import (
    CardinalBin,
    DistanceBin,
    EgoBin,
    cardinal_bin,
    cardinal_relation,
    distance_bin,
    ego_bin,
    ego_relation,
    facing_label,
    wall_label,
)
from tolman.core.geometry import Heading
from tolman.sense import in_view

DISPLACEMENTS = [(x, y) for x in range(-40, 41) for y in range(-40, 41)]
ELSEWHERE = [displacement for displacement in DISPLACEMENTS if displacement != (0, 0)]


@pytest.mark.parametrize(
    ("degrees", "label"),
    [
        (-180.0, "beyond-fov"),
        (-45.002, "beyond-fov"),
        (-45.0005, "front-left"),
        (-45.0, "front-left"),
        (-22.502, "front-left"),
        (-22.5, "front-slight-left"),
        (-22.498, "front-slight-left"),
        (-0.002, "front-slight-left"),
        (-0.0005, "front"),
        (0.0, "front"),
        (0.0005, "front"),
        (0.002, "front-slight-right"),
        (22.498, "front-slight-right"),
        (22.5, "front-slight-right"),
        (22.502, "front-right"),
        (45.0, "front-right"),
        (45.0005, "front-right"),
        (45.002, "beyond-fov"),
        (180.0, "beyond-fov"),
    ],
)
def test_edges_of_the_directions_an_agent_sees(degrees: float, label: str):
    assert ego_bin(degrees) == label


@pytest.mark.parametrize("turns", [-1, 0, 1])
@pytest.mark.parametrize("index", range(8))
def test_each_cardinal_bin_is_closed_at_its_counterclockwise_edge(index: int, turns: int):
    labels = ["north", "north east", "east", "south east", "south", "south west", "west", "north west"]
    edge = 45 * index - 22.5 + 360 * turns
    assert cardinal_bin(edge - 1e-9) == labels[index - 1]
    assert cardinal_bin(edge) == labels[index]
    assert cardinal_bin(edge + 1e-9) == labels[index]
    assert cardinal_bin(edge + 22.5) == labels[index]


@pytest.mark.parametrize(
    ("edge", "label", "beyond"),
    [
        (0, "same distance", "near"),
        (2, "near", "mid distance"),
        (4, "mid distance", "slightly far"),
        (8, "slightly far", "far"),
        (16, "far", "very far"),
        (32, "very far", "extremely far"),
    ],
)
def test_each_distance_bin_is_closed_above(edge: float, label: str, beyond: str):
    assert distance_bin(edge) == label
    assert distance_bin(edge + 5e-7) == label
    assert distance_bin(edge + 2e-6) == beyond
    if edge:
        assert distance_bin(edge - 2e-6) == label


@pytest.mark.parametrize("heading", Heading)
def test_labels_of_integer_displacements_agree_with_whole_number_arithmetic(heading: Heading):
    wrong = [
        displacement
        for displacement in ELSEWHERE
        if ego_relation(displacement, heading) != (ego_label(displacement, heading.word), distance_label(displacement))
        or cardinal_relation(displacement, heading)
        != (cardinal_label(displacement, heading.word), distance_label(displacement))
    ]
    assert wrong == []


@pytest.mark.parametrize("heading", Heading)
def test_a_displacement_is_in_view_just_when_its_direction_has_a_label(heading: Heading):
    wrong = [
        displacement
        for displacement in ELSEWHERE
        if in_view(displacement, heading) == (ego_relation(displacement, heading)[0] is EgoBin.BEYOND_FOV)
    ]
    assert wrong == []
    assert not in_view((0, 0), heading)


@given(st.floats(-180, 180, exclude_min=True))
def test_left_and_right_mirror_each_other(degrees: float):
    mirrored = ego_bin(-degrees).replace("left", "LEFT").replace("right", "left").replace("LEFT", "right")
    assert ego_bin(degrees) == mirrored


@given(st.floats(0, 100), st.floats(0, 100))
def test_what_is_farther_is_never_in_a_nearer_bin(a: float, b: float):
    order = list(DistanceBin)
    assert order.index(distance_bin(min(a, b))) <= order.index(distance_bin(max(a, b)))


@given(headings)
def test_the_direction_called_north_is_north(heading: Heading):
    assert cardinal_relation(heading.vector, heading) == (CardinalBin.NORTH, DistanceBin.NEAR)


SIDES = {"front": 0, "right": 90, "back": 180, "left": 270}


@pytest.mark.parametrize("heading", Heading)
@pytest.mark.parametrize("side", SIDES)
def test_a_door_is_on_the_wall_it_leads_in_from(heading: Heading, side: str):
    """Someone who faces north and sees a door in the north wall would come in through it walking south."""
    towards_the_wall = heading.turned(SIDES[side])
    assert wall_label(towards_the_wall.opposite, heading) == f"on {side} wall"


@pytest.mark.parametrize("heading", Heading)
@pytest.mark.parametrize(("way", "turn"), [("forward", 0), ("right", 90), ("backward", 180), ("left", 270)])
def test_a_thing_faces_where_its_front_points_from_behind_the_agent(heading: Heading, way: str, turn: int):
    assert facing_label(heading.turned(turn), heading) == f"facing {way}"
