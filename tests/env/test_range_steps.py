"""Ranges that are narrowed step by step never leave out what is possible; with all certain, they mostly are points."""

import pytest

from tolman.belief.possible_positions import Relation, displacements
from tolman.core.bins import CardinalBin, DistanceBin
from tolman.core.geometry import Heading
from tolman.env.range_steps import RangeTracker, told_in_words
from tolman.explore.actions import Actions, Observe, Query, Rotate
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, step
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.world import generate


@pytest.mark.parametrize(
    ("seed", "agent"), [(100_000, "cautious-planner"), (100_001, "strategist"), (100_002, "random")]
)
def test_ranges_hold_all_that_is_possible_after_every_turn(seed: int, agent: str):
    scene = generate(seed)
    whole = run_explorer(agent, scene, seed)
    episode = Episode(scene, whole.settings)
    for turn in whole.turns:
        episode = step(episode, turn.asked)
        belief = knowledge_from(episode.brief, evidence_in(episode.turns)).belief
        tracker = RangeTracker(episode, belief.extent)
        assert {name for step in tracker.steps for name in step.narrowed} == {
            name for name, ranges in tracker.ranges.items() if ranges != tracker.before.get(name)
        }
        for name in set(tracker.ranges) & set(belief.names):
            ranges = tracker.ranges[name]
            for cell in belief.positions(name):
                assert all(low <= at <= high for low, at, high in zip(ranges.low, cell, ranges.high, strict=True))


def test_a_query_makes_a_point_of_a_range_and_narrows_what_was_told_from_there():
    scene = generate(100_003)
    around = Actions((Rotate(90),), Observe())
    episode = Episode(scene)
    for _ in range(4):
        episode = step(episode, around)
    before = RangeTracker(episode, 20).ranges
    name = next(each for each in episode.seen if before[each].low != before[each].high)
    tracker = RangeTracker(step(episode, Actions((), Query(name))), 20)
    assert tracker.ranges[name].low == tracker.ranges[name].high == scene.from_start(name)
    assert str(tracker.steps[0]) == f"{name} {tracker.ranges[name]}"


@pytest.mark.parametrize("heading", list(Heading))
@pytest.mark.parametrize("direction", list(CardinalBin))
def test_what_is_told_of_two_things_means_the_same_by_the_compass(heading: Heading, direction: CardinalBin):
    by_compass, distance = told_in_words(Relation("a", "b", direction, DistanceBin.SLIGHTLY_FAR, heading)).split(", ")
    assert set(displacements(direction, DistanceBin(distance), heading, 20)) == set(
        displacements(CardinalBin(by_compass), DistanceBin(distance), Heading.NORTH, 20)
    )


@pytest.mark.slow
def test_how_many_positions_of_the_expert_end_as_points():
    """The figures of docs/learning.md."""
    points = positions = worlds = 0
    for seed in range(100_000, 100_100):
        episode = run_explorer("cautious-planner", generate(seed), seed)
        ranges = RangeTracker(episode, knowledge_from(episode.brief, ()).belief.extent).ranges
        found = [ranges[name].low == ranges[name].high for name in episode.brief.names]
        points, positions, worlds = points + sum(found), positions + len(found), worlds + (not all(found))
    assert (points, positions, worlds) == (1310, 1400, 23)
