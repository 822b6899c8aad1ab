import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import cells, headings, quarter_turns
from tolman.core.geometry import (
    Heading,
    Vector,
    bearing,
    chebyshev,
    closest_heading,
    difference,
    distance,
    heading_of,
    to_ego,
    to_world,
)

COORDINATES = st.floats(-1000, 1000)


@given(headings, quarter_turns, quarter_turns)
def test_two_turns_are_one_turn_by_their_sum(heading: Heading, first: int, second: int):
    assert heading.turned(first).turned(second) is heading.turned(first + second)


@given(headings, quarter_turns)
def test_a_turn_adds_clockwise_degrees(heading: Heading, degrees: int):
    assert heading.turned(degrees).degrees == (heading.degrees + degrees) % 360


def test_clockwise_from_north_is_east():
    assert Heading.NORTH.turned(90) is Heading.EAST
    assert Heading.NORTH.turned(-90) is Heading.WEST


@given(headings, st.integers(-1000, 1000).filter(lambda degrees: degrees % 90))
def test_only_quarter_turns_lead_to_a_heading(heading: Heading, degrees: int):
    with pytest.raises(ValueError, match=str(degrees)):
        heading.turned(degrees)


@given(headings, headings)
def test_turn_to_is_the_shortest_turn_that_arrives(heading: Heading, other: Heading):
    turn = heading.turn_to(other)
    assert turn in (-90, 0, 90, 180)
    assert heading.turned(turn) is other


@given(headings)
def test_a_heading_points_where_its_degrees_say(heading: Heading):
    angle = math.radians(heading.degrees)
    assert heading.vector == (round(math.sin(angle)), round(math.cos(angle)))
    assert heading.word == {0: "north", 90: "east", 180: "south", 270: "west"}[heading.degrees]
    assert heading_of(heading.vector) is heading
    x, y = heading.vector
    assert heading.opposite.vector == (-x, -y)


@pytest.mark.parametrize("vector", [(0, 0), (1, 1), (0, 2), (-1, 1)])
def test_only_unit_steps_have_a_heading(vector: Vector):
    with pytest.raises(ValueError, match="unit step"):
        heading_of(vector)


@pytest.mark.parametrize("length", [1, 2, 7])
@pytest.mark.parametrize(
    ("diagonal", "first"),
    [((1, 1), Heading.NORTH), ((1, -1), Heading.EAST), ((-1, -1), Heading.SOUTH), ((-1, 1), Heading.NORTH)],
)
def test_on_a_diagonal_the_first_of_north_east_south_west_is_closest(diagonal: Vector, first: Heading, length: int):
    assert closest_heading((length * diagonal[0], length * diagonal[1])) is first


@given(cells(60).filter(lambda cell: abs(cell[0]) != abs(cell[1])))
def test_off_the_diagonals_the_closest_heading_is_less_than_45_degrees_away(vector: Vector):
    right, ahead = to_ego(vector, closest_heading(vector))
    assert abs(bearing(right, ahead)) < 45


@given(cells(1000), headings)
def test_to_the_agents_frame_and_back(vector: Vector, heading: Heading):
    assert to_world(to_ego(vector, heading), heading) == vector
    assert to_ego(to_world(vector, heading), heading) == vector


@given(headings)
def test_straight_ahead_and_to_the_right_in_the_agents_frame(heading: Heading):
    assert to_ego(heading.vector, heading) == (0, 1)
    assert to_ego(heading.turned(90).vector, heading) == (1, 0)


@given(cells(100), cells(100), headings)
def test_a_change_of_frame_keeps_lengths_and_sums(a: Vector, b: Vector, heading: Heading):
    (ar, aa), (br, ba) = to_ego(a, heading), to_ego(b, heading)
    assert to_ego((a[0] + b[0], a[1] + b[1]), heading) == (ar + br, aa + ba)
    assert ar**2 + aa**2 == a[0] ** 2 + a[1] ** 2


@pytest.mark.parametrize(
    ("right", "ahead", "degrees"),
    [
        (0, 3, 0),
        (2, 2, 45),
        (5, 0, 90),
        (1, -1, 135),
        (0, -4, 180),
        (-0.0, -4, 180),
        (-1, -1, -135),
        (-5, 0, -90),
        (-2, 2, -45),
        (0, 0, 0),
    ],
)
def test_bearings_are_clockwise_degrees_from_straight_ahead(right: float, ahead: float, degrees: float):
    assert bearing(right, ahead) == pytest.approx(degrees, abs=1e-12)


@given(COORDINATES, COORDINATES)
def test_bearings_lie_in_the_half_open_circle(right: float, ahead: float):
    assert -180 < bearing(right, ahead) <= 180


@given(cells(60).filter(any), headings, quarter_turns)
def test_who_turns_clockwise_sees_bearings_fall_by_as_much(vector: Vector, heading: Heading, degrees: int):
    before = bearing(*to_ego(vector, heading))
    after = bearing(*to_ego(vector, heading.turned(degrees)))
    lag = (after - (before - degrees)) % 360
    assert min(lag, 360 - lag) == pytest.approx(0, abs=1e-9)


@given(cells(50), cells(50))
def test_a_difference_leads_from_the_second_to_the_first(a: Vector, b: Vector):
    dx, dy = difference(a, b)
    assert (b[0] + dx, b[1] + dy) == a
    assert distance((dx, dy)) == pytest.approx(math.sqrt(dx * dx + dy * dy))


@given(cells(20), cells(20))
def test_chebyshev_counts_kings_moves(a: Vector, b: Vector):
    here, moves = a, 0
    while here != b:
        east, north = difference(b, here)
        here = (here[0] + (east > 0) - (east < 0), here[1] + (north > 0) - (north < 0))
        moves += 1
    assert chebyshev(a, b) == moves == chebyshev(b, a)
