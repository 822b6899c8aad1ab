import pytest

from tests.exact_labels import cardinal_label, distance_label, ego_label
from tests.hand_built import furnished
from tolman.belief import ExactPosition, Relation, statements
from tolman.belief.possible_positions import displacements
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin
from tolman.core.geometry import Heading, Vector
from tolman.core.rules import STRICT
from tolman.sense import observe, query
from tolman.world import START


def all_that_fit(relation: Relation, reach: int) -> set[Vector]:
    """Every displacement between two positions on a board of that reach whose labels are the relation's."""
    limit, heading = 2 * reach, relation.heading.word
    label = ego_label if isinstance(relation.direction, EgoBin) else cardinal_label
    return {
        (x, y)
        for x in range(-limit, limit + 1)
        for y in range(-limit, limit + 1)
        if distance_label((x, y)) == relation.distance and label((x, y), heading) == relation.direction
    }


def on_board(relation: Relation, reach: int) -> set[Vector]:
    fits = displacements(relation.direction, relation.distance, relation.heading, reach)
    return {vector for vector in fits if max(map(abs, vector)) <= 2 * reach}


IN_VIEW = [direction for direction in EgoBin if direction is not EgoBin.BEYOND_FOV]
BOUNDED = [DistanceBin.NEAR, DistanceBin.MID, DistanceBin.SLIGHTLY_FAR, DistanceBin.FAR, DistanceBin.VERY_FAR]


@pytest.mark.parametrize("heading", Heading)
def test_a_sighting_leaves_just_the_displacements_with_its_labels(heading: Heading):
    for direction in IN_VIEW:
        for distance in BOUNDED:
            relation = Relation("sofa", START, direction, distance, heading)
            assert on_board(relation, 16) == all_that_fit(relation, 16)


@pytest.mark.parametrize("heading", Heading)
@pytest.mark.parametrize("direction", CardinalBin)
def test_a_close_pair_leaves_just_the_displacements_with_its_labels(direction: CardinalBin, heading: Heading):
    relation = Relation("vase", "lamp", direction, DistanceBin.NEAR, heading)
    assert on_board(relation, 5) == all_that_fit(relation, 5)


@pytest.mark.parametrize("reach", [17, 24, 32, 33, 40])
def test_what_is_extremely_far_may_be_as_far_as_the_board_goes(reach: int):
    relation = Relation("sofa", START, EgoBin.FRONT_RIGHT, DistanceBin.EXTREMELY_FAR, Heading.EAST)
    assert on_board(relation, reach) == all_that_fit(relation, reach)


def test_a_look_says_where_things_are_from_here_and_which_are_close():
    said = statements(observe(furnished(), START, Heading.EAST))
    assert set(said) == {
        Relation("lamp", START, EgoBin.FRONT_LEFT, DistanceBin.MID, Heading.EAST),
        Relation("red door", START, EgoBin.FRONT, DistanceBin.MID, Heading.EAST),
        Relation("lamp", "red door", CardinalBin.SOUTH_WEST, DistanceBin.NEAR, Heading.EAST),
    }


def test_a_look_from_a_thing_relates_what_is_seen_to_that_thing():
    said = statements(observe(furnished(), "vase", Heading.WEST))
    assert said == (Relation("red door", "vase", EgoBin.FRONT, DistanceBin.MID, Heading.WEST),)


def test_seeing_nothing_says_nothing():
    assert statements(observe(furnished(), START, Heading.SOUTH)) == ()


def test_a_query_says_exactly_where_a_thing_is_and_nothing_of_the_start():
    assert statements(query(furnished(), "chair", STRICT)) == (ExactPosition("chair", START, (6, 2)),)
    assert statements(query(furnished(), START, STRICT)) == ()
