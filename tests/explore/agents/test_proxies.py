"""The two published proxies solve every generated world without a single action that fails."""

import pytest
from hypothesis import given

from tests.hand_built import furnished
from tests.strategies import scenes
from tolman.belief import Belief
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.sense import Observation
from tolman.world import Scene

PROXIES = ("scout", "strategist")


def final_gain(episode: Episode) -> float:
    belief = Belief.start(episode.scene.names, episode.scene.extent)
    return belief.after_all(turn.feedback for turn in episode.turns if turn.feedback is not None).information_gain


@given(scenes(max_rooms=6))
def test_proxies_see_everything_and_end_by_themselves(scene: Scene):
    for name in PROXIES:
        episode = run_explorer(name, scene)
        *turns, last = episode.turns
        assert set(episode.seen) == set(scene.names)
        assert all(turn.failure is None and isinstance(turn.feedback, Observation) for turn in turns)
        assert last.ended_phase
        assert not last.forced
        assert episode.cost() == episode.steps() == len(turns), "one look a turn, and no query"


@given(scenes(max_rooms=4))
def test_the_strategist_pays_more_and_knows_no_less(scene: Scene):
    scout, strategist = (run_explorer(name, scene) for name in PROXIES)
    assert strategist.cost() >= scout.cost()
    assert final_gain(strategist) >= final_gain(scout) - 1e-12


def test_the_scout_looks_four_ways_at_the_start_and_three_at_a_door():
    """Four looks show all of room 1; from the doorway one more shows the vase and the chair, and nothing is left."""
    turns = [str(turn.asked) for turn in run_explorer("scout", furnished()).turns]
    assert turns == [
        "Actions: [Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(180), Goto(red door), Observe()]",
        "Actions: [Term()]",
    ]


@pytest.mark.parametrize("name", PROXIES)
def test_proxies_make_no_random_choice(name: str):
    assert run_explorer(name, furnished(), seed=1) == run_explorer(name, furnished(), seed=2)
