"""The planner reaches certainty for less than the greedy one, from what a model is told, in any world."""

from dataclasses import replace
from statistics import fmean

import pytest

from tolman.core.errors import SettingsError
from tolman.explore.actions import Actions, Term
from tolman.explore.agents.registry import make_explorer, make_text_explorer, run_explorer
from tolman.explore.episode import Episode, step
from tolman.explore.summary import explore_scene, gain_per_turn
from tolman.world import START, WorldSettings, generate


def test_it_ends_certain_and_pays_less_than_the_greedy_planner():
    scenes = [(seed, generate(seed)) for seed in range(300, 302)]
    planner = [explore_scene("planner", scene, seed) for seed, scene in scenes]
    greedy = [explore_scene("greedy-planner", scene, seed) for seed, scene in scenes]
    assert all(row.info_gain[-1] == pytest.approx(1.0) for row in planner)
    assert sum(row.cost for row in planner) < sum(row.cost for row in greedy)
    assert all(row.regret == row.cost - (row.cheapest or 0) >= 0 for row in planner)


@pytest.mark.parametrize("settings", [WorldSettings(1), WorldSettings(2, (7, 5), 3), WorldSettings(5, (6, 6), 2)])
def test_it_copes_with_worlds_that_it_does_not_expect(settings: WorldSettings):
    assert explore_scene("planner", generate(5, settings), 5).info_gain[-1] == pytest.approx(1.0)


def test_it_acts_on_what_it_is_told_only():
    """Shown the words of one world on the ground of another, it does the same."""
    scene = generate(11)
    told = run_explorer("planner", scene, 3)
    agent = make_explorer("planner", replace(scene, things=tuple(reversed(scene.things))), 3)
    episode = Episode(scene, told.settings)
    for turn in told.turns:
        assert agent.act(episode) == turn.asked
        episode = step(episode, turn.asked)


@pytest.mark.slow
def test_the_horizon_is_how_far_it_looks_ahead():
    scene = generate(12)
    greedy = run_explorer("planner", scene, 12, horizon=0)
    far = run_explorer("planner", scene, 12, horizon=100)
    assert [turn.asked for turn in far.turns] == [turn.asked for turn in run_explorer("planner", scene, 12).turns]
    assert [turn.asked for turn in far.turns] != [turn.asked for turn in greedy.turns]
    for horizon in (0, 2):
        near = run_explorer("planner", scene, 12, horizon=horizon)
        assert gain_per_turn(near)[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["scout", "greedy-planner", "oracle"])
def test_explorers_that_do_not_look_ahead_have_no_horizon(name: str):
    with pytest.raises(SettingsError, match="planner"):
        make_explorer(name, generate(0), horizon=2)


def test_a_horizon_is_not_negative():
    with pytest.raises(SettingsError, match="0 or more"):
        make_text_explorer("planner", horizon=-1)


def test_it_has_nothing_to_do_where_all_is_certain():
    episode = run_explorer("perfect", generate(13))
    assert make_text_explorer("planner").act(replace(episode, over=False)) == Actions((), Term())
    assert episode.standing_on != START


@pytest.mark.slow
def test_fifty_scenes_of_the_readme():
    """Certainty in all of them, for less than 11.8, the aim."""
    rows = [explore_scene("planner", generate(seed), seed) for seed in range(50)]
    assert all(row.info_gain[-1] == pytest.approx(1.0) for row in rows)
    assert fmean(row.cost for row in rows) <= 10.8
