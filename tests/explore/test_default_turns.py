"""Default turn budgets: as published for three rooms, more for more, and enough for the scripted explorers."""

import pytest

from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.task import TheoryOfSpace
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import EpisodeSettings, default_turns
from tolman.world import WorldSettings, generate


def test_the_published_budgets_for_up_to_three_rooms_and_more_for_each_further_one():
    assert [default_turns("explore", rooms) for rooms in (1, 2, 3, 4, 6, 12)] == [20, 20, 20, 28, 44, 92]
    assert [default_turns("revise", rooms) for rooms in (1, 2, 3, 4, 12)] == [15, 15, 15, 20, 60]


@pytest.mark.parametrize(
    ("agent", "rooms"),
    [
        pytest.param(agent, rooms, marks=pytest.mark.slow if rooms > most else [])
        for agent, most in {"scout": 4, "strategist": 4, "planner": 2, "oracle": 4}.items()
        for rooms in (2, 4, 7, 12)
    ],
)
def test_scripted_explorers_see_everything_and_end_within_the_default_budget(agent: str, rooms: int):
    settings = EpisodeSettings(explore_turns=default_turns("explore", rooms))
    for seed in range(2):
        scene = generate(seed, WorldSettings(rooms=rooms))
        episode = run_explorer(agent, scene, seed, settings)
        assert not episode.turns[-1].forced, (seed, len(episode.turns))
        assert set(episode.seen) == set(scene.names)


def test_an_evaluation_records_the_number_that_it_used():
    benchmark = TheoryOfSpace()
    select = benchmark.selection_class
    for rooms, given, used in ((3, None, (20, 15)), (4, None, (28, 20)), (4, 33, (33, 20))):
        options, _ = benchmark.cases(select(scenes="0", rooms=rooms), Options(phases=("explore",), budget=given))
        assert (options.budget, options.revise_budget) == used
        assert (options.episode.explore_turns, options.episode.revise_turns) == used
        assert options.as_dict()["budget"] == used[0]
