"""Exploration patterns, counted by hand in a world of two rooms."""

import pytest

from tests.benchmarks.theory_of_space.logged_runs import lived
from tests.hand_built import furnished
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.exploration_patterns import (
    OMISSION_COLUMNS,
    PATTERN_COLUMNS,
    ExplorationPatterns,
    exploration_patterns,
)
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns
from tolman.core.rules import STRICT
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import read_actions


def patterns(*replies: str, stated: tuple[str, ...] | None = None) -> ExplorationPatterns:
    episode = Episode(furnished())
    for reply in (*replies, "[Term()]"):
        episode = step(episode, read_actions(reply, STRICT))
    return exploration_patterns(episode.scene, explored_turns(episode), stated)


def test_a_look_around_a_doorway_and_a_look_back():
    found = patterns(
        "[Observe()]",  # the sofa
        "[Rotate(90), Observe()]",  # the lamp and the door
        "[JumpTo(red door), Observe()]",  # into room 2: the vase and the chair
        "[Rotate(180), Observe()]",  # back into room 1: nothing new
    )
    assert found.rooms == (1, 2, 1)
    values = found.values
    assert values["pattern/doorway"] == 0.5
    assert values["pattern/in_place"] == pytest.approx(2 / 3)
    assert values["pattern/headings"] == 2.0
    assert values["pattern/nothing_new"] == 0.25
    assert values["pattern/same_view"] == 0.0
    assert values["pattern/came_back"] == 0.25
    assert values["pattern/left_early"] == values["pattern/rooms_unseen"] == 0.0
    assert all(values[column.key] == 0.0 for column in OMISSION_COLUMNS if column.key != "omitted/on_map")
    assert "omitted/on_map" not in values


def test_who_goes_straight_to_the_door_leaves_the_room_early():
    found = patterns("[Rotate(90), Observe()]", "[JumpTo(red door), Observe()]", "[Observe()]", stated=("lamp", "vase"))
    values = found.values
    assert found.rooms == (1, 2)
    assert values["pattern/left_early"] == 1.0
    assert (values["pattern/same_view"], values["pattern/no_gain"]) == pytest.approx((1 / 3, 1 / 3))
    assert values["omitted/room_seen"] == 0.2
    assert values["omitted/room_unseen"] == 0.0
    assert (values["omitted/fronted"], values["omitted/frontless"], values["omitted/doors"]) == (0.5, 0.0, 0.0)
    assert values["omitted/on_map"] == 0.5


def test_what_is_in_a_room_that_was_never_looked_into_is_told_apart():
    values = patterns("[Observe()]").values
    assert values["pattern/rooms_unseen"] == 0.5
    assert (values["omitted/room_unseen"], values["omitted/room_seen"]) == (0.4, 0.4)
    assert "pattern/in_place" not in values
    assert "pattern/left_early" not in values


def test_without_a_look_there_is_no_share_of_looks():
    found = patterns()
    assert found.rooms == ()
    assert found.values["pattern/rooms_unseen"] == found.values["omitted/room_unseen"] == 1.0
    assert {column.key for column in PATTERN_COLUMNS} & set(found.values) == {"pattern/rooms_unseen"}


def test_omissions_and_node_coverage_add_up_in_the_columns_of_a_scene():
    found = columns(lived(0).scores(STRICT))
    assert sum(found[key][0] for key in ("omitted/room_unseen", "omitted/room_seen", "explore/nodes")) == pytest.approx(
        1
    )
    assert found["omitted/on_map"] == (0.0,)
