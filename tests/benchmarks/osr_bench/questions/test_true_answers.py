"""Answers on small maps that can be checked by eye, and what turning or mirroring a room does to them."""

from itertools import permutations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import drawn, grid_maps
from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    QuestionKind,
    answer_of,
    closest_of,
    count_of,
    direction_of,
)
from tolman.benchmarks.osr_bench.questions.sampling import nearest_objects

ROOM = drawn("""
    a . . b .
    . . . . .
    c . . . d
    . . e . .
    . . . bb .
""")
SWAPPED = {"Left": "Right", "Right": "Left"}


def test_counts_are_of_objects_not_of_cells():
    assert count_of(ROOM, "b") == "3"
    assert count_of(ROOM, "z") == "0"


def test_the_closest_candidate_is_found_and_the_first_of_equals():
    assert closest_of(ROOM, "e", ("a", "b", "c", "d")) == "b"
    assert closest_of(ROOM, "e", ("c", "d", "a", "z")) == "c"
    assert closest_of(ROOM, "e", ("d", "c", "a", "z")) == "d"


def test_what_is_absent_or_not_unique_has_its_sentence():
    assert closest_of(ROOM, "z", ("a", "b", "c", "d")) == NOT_FOUND
    assert closest_of(ROOM, "b", ("a", "z", "c", "d")) == NOT_UNIQUE
    assert closest_of(ROOM, "a", ("w", "x", "y", "z")) == NO_CANDIDATE
    assert direction_of(ROOM, "z", "a", "c") == NOT_FOUND
    assert direction_of(ROOM, "b", "a", "c") == NOT_UNIQUE
    assert direction_of(ROOM, "a", "z", "c") == direction_of(ROOM, "a", "c", "z") == NO_OTHER


def test_who_stands_in_the_north_west_corner_and_faces_south_has_east_to_the_left():
    assert direction_of(ROOM, "a", "c", "b") == "Left"
    assert direction_of(ROOM, "a", "b", "c") == "Right"
    assert direction_of(ROOM, "a", "c", "d") == "Front Left"
    assert direction_of(ROOM, "c", "a", "d") == "Right"
    assert direction_of(ROOM, "d", "c", "a") == "Front Right"


def test_no_direction_can_be_told_from_ones_own_cell():
    shared = drawn("ab .\n. c")
    assert direction_of(shared, "a", "b", "c") == direction_of(shared, "a", "c", "b") == ""


def _questions(world: GridMap) -> list[tuple[QuestionKind, tuple[str, ...]]]:
    names = (*world.classes[:4], "unicorn")
    found: list[tuple[QuestionKind, tuple[str, ...]]] = [("counting", (name,)) for name in names]
    found.extend(("distance", (name, *(n for n in names if n != name))) for name in names)
    found.extend(("direction", triple) for triple in permutations(names, 3))
    return found


def _has_equals(world: GridMap, names: tuple[str, ...]) -> bool:
    """Whether something is as near as another of its class: which of them is meant then depends on north."""
    near = nearest_objects(world)
    if names[0] not in near.places:
        return False
    row = near.tied[near.places.index(names[0])]
    return any(row[near.classes.index(name)] for name in names[1:] if name in near.classes)


@given(grid_maps, st.integers(1, 3))
def test_turning_a_room_changes_no_answer(world: GridMap, quarters: int):
    turned = world.turned(quarters)
    for kind, names in _questions(world):
        if kind != "direction" or not _has_equals(world, names):
            assert answer_of(turned, kind, names) == answer_of(world, kind, names)


@given(grid_maps)
def test_mirroring_a_room_exchanges_left_and_right_and_nothing_else(world: GridMap):
    for kind, names in _questions(world):
        answer = answer_of(world, kind, names)
        if kind == "direction" and answer in DIRECTIONS:
            if _has_equals(world, names):
                continue
            answer = " ".join(SWAPPED.get(word, word) for word in answer.split())
        assert answer_of(world.mirrored, kind, names) == answer


@given(grid_maps, st.data())
def test_ways_worked_out_together_are_those_worked_out_one_by_one(world: GridMap, data: st.DataObject):
    near = nearest_objects(world)
    assume(near.places)
    row = data.draw(st.integers(0, len(near.places) - 1))
    origin = world.places[near.places[row]][0]
    for column, name in enumerate(near.classes):
        distances = sorted((a - origin[0]) ** 2 + (b - origin[1]) ** 2 for a, b in world.places[name])
        step: GridCell = (int(near.steps[row, column, 0]), int(near.steps[row, column, 1]))
        assert near.squared[row, column] == distances[0] == step[0] ** 2 + step[1] ** 2
        assert near.tied[row, column] == (distances.count(distances[0]) > 1)
        assert (origin[0] + step[0], origin[1] + step[1]) in world.places[name]


@given(grid_maps)
def test_turning_four_times_and_mirroring_twice_is_nothing(world: GridMap):
    assert world.turned(1).turned(3) == world.mirrored.mirrored == world.turned(4) == world
    assert world.turned(1).counts == world.mirrored.counts == world.counts
