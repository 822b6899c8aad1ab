"""Scores of maps: by hand, against a matching written another way, and how they change when a map is turned."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import CLASSES, fresh_maps, grid_maps, places
from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap, StatedMap, map_from_instances
from tolman.benchmarks.osr_bench.maps.scores import NO_MATCH_DISTANCE, score_map
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT

ROOM = map_from_instances({"bed": [(0, 0)], "chair": [(5, 5), (5, 7)], "tv": [(9, 9)]})
stated_maps = st.dictionaries(
    st.sampled_from((*CLASSES, "unicorn")),
    st.lists(places | st.tuples(st.integers(-3, 12), st.integers(-3, 12)), max_size=4),
    max_size=8,
)


def test_a_perfect_map_is_perfect_and_an_empty_one_is_not():
    score = score_map(ROOM, ROOM.instances)
    assert (score.precision, score.recall, score.f1, score.distance, score.quarters) == (1.0, 1.0, 1.0, 0.0, 0)
    empty = score_map(ROOM, {})
    assert (empty.read, empty.f1, empty.recall, empty.tally.missed, empty.distance) == (
        True,
        0.0,
        0.0,
        4,
        NO_MATCH_DISTANCE,
    )
    assert not score_map(ROOM, None).read


def test_two_cells_away_is_found_and_farther_is_not():
    stated: StatedMap = {"bed": [(0, 2)], "chair": [(5, 5)], "tv": [(6, 9)], "unicorn": [(1, 1)]}
    score = score_map(ROOM, stated)
    assert (score.tally.found, score.tally.invented, score.tally.missed) == (2, 2, 2)
    assert score.precision == score.recall == 0.5
    assert score.distance == pytest.approx((2 + 0 + 3) / 3)
    assert score.invented_classes == ("unicorn",)
    assert (score.invented_class_rate, score.invented_object_rate, score.invents) == (0.25, 0.25, True)


def _least(there: list[GridCell], stated: list[GridCell]) -> float:
    few, many = sorted((there, stated), key=len)
    return min(sum(map(math.dist, few, chosen)) for chosen in permutations(many, len(few)))


@given(grid_maps, stated_maps)
def test_pairs_are_those_with_the_least_distance(world: GridMap, stated: StatedMap):
    score = score_map(world, stated)
    for name, tally in score.classes.items():
        there, said = world.instances.get(name, []), stated.get(name, [])
        assert tally.found + tally.missed == len(there)
        assert tally.found + tally.invented == len(said)
        assert len(tally.distances) == min(len(there), len(said))
        if there and said:
            turned = said
            for _ in range(score.quarters):
                turned = [(column, 9 - row) for row, column in turned]
            assert sum(tally.distances) == pytest.approx(_least(there, turned))


@given(grid_maps, stated_maps, st.integers(0, 3))
def test_turning_a_stated_map_changes_nothing_but_the_turn(world: GridMap, stated: StatedMap, quarters: int):
    turned = dict(stated)
    for _ in range(quarters):
        turned = {name: [(column, 9 - row) for row, column in at] for name, at in turned.items()}
    one, other = score_map(world, stated), score_map(world, turned)
    assert one.f1 == other.f1
    assert one.mirrored_f1 == other.mirrored_f1


@given(grid_maps, stated_maps)
def test_a_reflection_is_noticed(world: GridMap, stated: StatedMap):
    mirrored = {name: [(row, 9 - column) for row, column in at] for name, at in stated.items()}
    one, other = score_map(world, stated), score_map(world, mirrored)
    assert one.mirrored_f1 == other.f1
    assert one.f1 == other.mirrored_f1


def test_the_oracle_draws_perfect_maps_of_100_fresh_rooms():
    for world in fresh_maps():
        for quarters in range(4):
            score = score_map(world, world.turned(quarters).instances)
            assert score.f1 == 1.0
            assert score.distance == 0.0
        assert score_map(world, world.mirrored.instances).mirrored_f1 == 1.0


def test_the_released_formula_stops_at_the_last_class_that_both_maps_have():
    stated: StatedMap = {"bed": [(0, 0)], "unicorn": [(3, 3)]}
    first = score_map(ROOM, stated, PUBLISHED, ("bed", "unicorn", "chair", "tv"))
    last = score_map(ROOM, stated, PUBLISHED, ("unicorn", "tv", "chair", "bed"))
    assert (first.precision, first.recall) == (1.0, 1.0)
    assert (last.precision, last.recall) == (0.5, 0.25)
    assert first.tally == last.tally
    assert score_map(ROOM, stated, STRICT).recall == 0.25
