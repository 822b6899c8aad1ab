"""The greedy planner reaches certainty, cheaply, from what a model is told and nothing else."""

from dataclasses import replace

import pytest

from tolman.core.geometry import Heading
from tolman.explore.actions import Actions, Observe, Query, Rotate
from tolman.explore.agents.registry import make_explorer, run_explorer
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import FormatFailure
from tolman.explore.summary import explore_scene, gain_per_turn
from tolman.sense import Observation
from tolman.world import START, WorldSettings, generate


@pytest.mark.parametrize("seed", range(100, 104))
def test_it_ends_certain_of_every_position(seed: int):
    row = explore_scene("greedy-planner", generate(seed), seed)
    assert row.info_gain[-1] == pytest.approx(1.0)
    assert row.node_coverage == 1.0


@pytest.mark.parametrize("rooms", [1, 2, 5])
def test_it_copes_with_other_worlds(rooms: int):
    row = explore_scene("greedy-planner", generate(5, WorldSettings(rooms=rooms, room_size=(7, 5), things_per_room=3)))
    assert row.info_gain[-1] == pytest.approx(1.0)


def test_it_pays_less_than_the_strategist_and_knows_more():
    scenes = [generate(seed) for seed in range(200, 206)]
    planner = [explore_scene("greedy-planner", scene) for scene in scenes]
    strategist = [explore_scene("strategist", scene) for scene in scenes]
    assert sum(row.cost for row in planner) < sum(row.cost for row in strategist)
    assert sum(row.info_gain[-1] for row in planner) >= sum(row.info_gain[-1] for row in strategist)


def test_it_acts_on_what_it_is_told_only():
    """Shown the words of one world on the ground of another, it does the same."""
    scene = generate(11)
    told = run_explorer("greedy-planner", scene, 3)
    elsewhere = replace(scene, things=tuple(reversed(scene.things)), doors=scene.doors)
    agent = make_explorer("greedy-planner", elsewhere, 3)
    episode = Episode(scene, told.settings)
    for turn in told.turns:
        assert agent.act(episode) == turn.asked
        episode = step(episode, turn.asked)


def test_every_turn_is_worth_its_cost_or_unlucky():
    """No look is made twice, and nothing is asked whose answer is known."""
    episode = run_explorer("greedy-planner", generate(21), 21)
    looks = [(turn.standing_on, turn.heading) for turn in episode.turns if asked(turn.asked, Observe)]
    assert len(looks) == len(set(looks))
    gains = [0.0, *gain_per_turn(episode)]
    for turn, before, after in zip(episode.turns, gains, gains[1:], strict=False):
        if asked(turn.asked, Query):
            assert after > before


@pytest.mark.slow
def test_fifty_fresh_scenes():
    """The figures of the README: certainty in all of them, for less than people with instruments pay (12.8)."""
    rows = [explore_scene("greedy-planner", generate(seed), seed) for seed in range(50)]
    assert all(row.info_gain[-1] == pytest.approx(1.0) for row in rows)
    assert sum(row.cost for row in rows) / len(rows) <= 12.8


def asked(turn: Actions | FormatFailure, kind: type) -> bool:
    return isinstance(turn, Actions) and isinstance(turn.final, kind)


@pytest.mark.parametrize("seed", range(300, 303))
def test_the_cautious_planner_goes_only_where_an_observation_has_shown_the_way(seed: int):
    episode = run_explorer("cautious-planner", generate(seed), seed)
    shown: set[tuple[str, str, Heading]] = set()
    place, heading = START, Heading.NORTH
    for turn in episode.turns:
        for move in turn.done:
            if isinstance(move, Rotate):
                heading = heading.turned(move.degrees)
            else:
                assert (place, move.name, heading) in shown
                place = move.name
        assert turn.failure is None
        if isinstance(turn.feedback, Observation):
            for name in turn.feedback.names:
                shown |= {(place, name, heading), (name, place, heading.opposite)}
    greedy = run_explorer("greedy-planner", generate(seed), seed)
    assert episode.cost() <= 1.5 * greedy.cost()
    assert gain_per_turn(episode)[-1] == pytest.approx(1.0)
