"""That the map a revision was scored with is gone is told from quotes alone, and excuses no value that no map gives."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.theory_of_space.released.test_run_files import turn
from tests.hand_built import furnished
from tolman.belief.map_scores import MapScale
from tolman.benchmarks.theory_of_space.released.rescore_maps import (
    OldBelief,
    is_grid_similarity,
    is_possible_retention,
    old_belief,
)
from tolman.benchmarks.theory_of_space.released.run_files import LoggedTurn
from tolman.world import Change

SCENE = furnished()
LENGTH = MapScale.of(SCENE).length
OLD = {"sofa": [0, 2], "lamp": [2, 1], "vase": [6, 0], "chair": [6, 2], "red door": [3, 0]}
NEW = {"sofa": [5, 5], "lamp": [2, 2], "vase": [6, 1], "chair": [6, 3], "red door": [4, 0]}
CHANGES = [Change("sofa", "position")]


def stated(places: dict[str, list[int]]) -> str:
    return json.dumps({name: {"position": at} for name, at in places.items()})


def kept(name: str, old: dict[str, list[int]]) -> dict[str, float | None]:
    if name not in old:
        return {"pos": None, "facing": None}
    return {"pos": math.exp(-math.dist(old[name], NEW[name]) / LENGTH), "facing": 1.0}


def log_of(old: dict[str, list[int]]) -> list[LoggedTurn]:
    """The log of one turn in which everything came into view, scored against an old map."""
    rest = [name for name in NEW if name != "sofa"]
    quote = {"sofa": {"old_pos": old["sofa"], "new_pos": NEW["sofa"]}} if "sofa" in old else {}
    probes: dict[str, Any] = {
        "retention_per_object": {"sofa": kept("sofa", old)},
        "inertia_data_per_object": quote,
        "unchanged_retention_per_object": {name: kept(name, old) for name in rest},
        "unchanged_objects": {"global": {"original_response": stated(NEW)}},
    }
    return [LoggedTurn.model_validate({**turn(1, "..."), "false_belief_log": {"cogmap_log": probes}})]


def told(in_files: dict[str, list[int]], scored_with: dict[str, list[int]]) -> OldBelief:
    return old_belief(SCENE, CHANGES, stated(in_files), log_of(scored_with), LENGTH)


@pytest.mark.parametrize(
    ("other", "lost"),
    [
        ({}, False),
        ({"sofa": [1, 2]}, True),
        ({"lamp": [0, 0]}, False),
        ({"lamp": [0, 0], "chair": [9, 9]}, True),
    ],
)
def test_a_quote_or_two_scores_tell_that_the_map_is_another(other: dict[str, list[int]], lost: bool):
    """One score alone might be our mistake."""
    x, y = (OLD | other)["sofa"]
    assert told(OLD, OLD | other) == OldBelief({"sofa": (x, y)}, lost)


def test_a_thing_that_was_nowhere_is_a_quote_too():
    without = {name: at for name, at in OLD.items() if name != "sofa"}
    assert told(OLD, without) == OldBelief({"sofa": None}, True)
    assert told(without, without) == OldBelief({"sofa": None}, False)
    assert told(without, OLD).is_lost


cells = st.tuples(st.integers(-30, 30), st.integers(-30, 30))


@given(cells, cells, st.sampled_from([1, 2, 4, 5, 10]), st.floats(2.0, 12.0))
def test_a_score_of_any_two_places_could_be_kept(old: tuple[int, int], new: tuple[int, int], parts: int, length: float):
    score = math.exp(-math.dist(old, new) / parts / length)
    assert is_grid_similarity(score, length)
    assert is_possible_retention(score, 0.0, length)
    assert is_possible_retention(None, None, length)


@given(st.floats(0.01, 0.99), st.floats(2.0, 12.0))
def test_hardly_any_other_number_could(score: float, length: float):
    """Of a hundred numbers beside it, none, or next to none, is a score of places on the grid."""
    near = [score + step * 1e-4 for step in range(1, 101) if score + step * 1e-4 < 1]
    assert sum(is_grid_similarity(value, length) for value in near) <= 1


@pytest.mark.parametrize("values", [(None, 1.0), (1.0, None), (1.0, 0.5), (1.5, 1.0), (0.0, 0.0), (-0.1, 1.0)])
def test_some_pairs_no_map_gives(values: tuple[float | None, float | None]):
    assert not is_possible_retention(*values, 6.0)
