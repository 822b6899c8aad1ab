"""The cheapest exploration: no set of looks and queries that costs less makes every position certain."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from tolman.belief import Belief
from tolman.core.geometry import Heading
from tolman.explore.actions import Actions, Observe
from tolman.explore.agents.registry import make_explorer, run_explorer
from tolman.explore.cheapest import (
    MOST_ROOMS,
    ExploreStep,
    KnownWorld,
    Progress,
    cheapest_completion,
    cheapest_exploration,
    greedy_steps,
    regret,
    step_cost,
)
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.explore.summary import gain_per_turn
from tolman.world import START, Scene, WorldSettings, generate


def tiny(seed: int) -> Scene:
    """A world small enough to try every set of steps."""
    return generate(seed, WorldSettings(*((1, (4, 4), 3), (2, (4, 4), 1))[seed % 2]))


def brute_force(progress: Progress, scene: Scene, most: int) -> int | None:
    """The least cost of any set of steps that can be taken in some order and is enough; None above `most`."""
    world = KnownWorld(scene)
    looks = [(place, heading) for place in (START, *scene.names) for heading in Heading]
    steps: list[ExploreStep] = [look for look in looks if world.outcome(look).names]
    steps += [*scene.names] if progress.queries else []
    every = tuple(statement for taken in steps for statement in world.outcome(taken).statements)
    bits = progress.belief.with_statements(every).bits
    assert not progress.queries or progress.belief.with_statements(every).is_certain
    for cost in range(most + 1):
        for chosen in _sets_that_cost(steps, cost):
            if _can_be_taken(chosen, progress, world):
                told = tuple(statement for taken in chosen for statement in world.outcome(taken).statements)
                if progress.belief.with_statements(told).bits == pytest.approx(bits):
                    return cost
    return None


def _sets_that_cost(steps: Sequence[ExploreStep], cost: int) -> Iterator[tuple[ExploreStep, ...]]:
    looks = [taken for taken in steps if not isinstance(taken, str)]
    names = [taken for taken in steps if isinstance(taken, str)]
    for asked in range(min(cost // 2, len(names)) + 1):
        for some in combinations(names, asked):
            yield from ((*more, *some) for more in combinations(looks, cost - 2 * asked))


def _can_be_taken(steps: Sequence[ExploreStep], progress: Progress, world: KnownWorld) -> bool:
    seen = {*progress.seen, *([START] if progress.at_start else [])}
    left = list(steps)
    while left:
        ready = [taken for taken in left if (taken if isinstance(taken, str) else taken[0]) in seen]
        if not ready:
            return False
        seen.update(name for taken in ready for name in world.outcome(taken).names)
        left = [taken for taken in left if taken not in ready]
    return True


@pytest.mark.parametrize("queries", [True, False])
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 40))])
def test_it_is_what_brute_force_finds(seed: int, queries: bool):
    scene = tiny(seed)
    start = Progress(Belief.start(scene.names, scene.extent), frozenset(), frozenset(), True, queries)
    found = cheapest_completion(start, KnownWorld(scene))
    assert found.exact
    assert brute_force(start, scene, 5) == (found.lower if found.lower <= 5 else None)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_after_an_exploration_is_what_brute_force_finds(seed: int):
    scene = tiny(seed)
    episode = run_explorer("random", scene, seed)
    found = regret(episode)
    assert found is not None
    assert found.exact
    assert brute_force(Progress.of(episode), scene, 5) == (found.left.lower if found.left.lower <= 5 else None)
    assert found.value == found.cost + found.left.lower - found.best.lower >= 0


@pytest.mark.parametrize("seed", range(500, 504))
def test_it_can_be_carried_out_for_its_cost_and_nobody_pays_less(seed: int):
    scene = generate(seed)
    bound = cheapest_exploration(scene)
    episode = run_explorer("perfect", scene)
    assert gain_per_turn(episode)[-1] == pytest.approx(1.0)
    assert bound.exact
    assert episode.cost() == bound.lower <= run_explorer("oracle", scene).cost()
    assert all(turn.failure is None for turn in episode.turns)


def test_regret_counts_detours_and_not_an_early_end():
    scene = generate(501)
    perfect = make_explorer("perfect", scene)
    episode = Episode(scene)
    for _ in range(3):
        episode = step(episode, perfect.act(episode))
    begun = regret(episode)
    again = regret(step(episode, Actions((), Observe())))
    assert begun is not None
    assert again is not None
    assert (begun.value, begun.left.lower) == (0, begun.best.lower - 3)
    assert (again.value, again.left.lower) == (1, begun.left.lower)


def test_queries_count_only_where_they_are_answered():
    scene = generate(502)
    without, with_them = cheapest_exploration(scene, queries=False), cheapest_exploration(scene)
    assert any(isinstance(taken, str) for taken in with_them.steps)
    assert not any(isinstance(taken, str) for taken in without.steps)
    silent = regret(Episode(scene, EpisodeSettings(answer_queries=False)))
    assert silent is not None
    assert silent.best == without


def test_a_search_that_is_cut_short_still_gives_both_bounds(monkeypatch: pytest.MonkeyPatch):
    scene = generate(503)
    start = Progress(Belief.start(scene.names, scene.extent), frozenset(), frozenset(), True)
    exact = cheapest_completion(start, KnownWorld(scene))
    monkeypatch.setattr("tolman.explore.cheapest.MOST_CORES", 18)
    short = cheapest_completion(start, KnownWorld(scene))
    assert short.lower <= exact.lower <= short.upper
    progress = start
    for taken in short.steps:
        assert taken in set(progress.steps())
        progress = progress.after(taken, KnownWorld(scene))
    assert not progress.uncertain


def test_scenes_of_many_rooms_have_no_bound():
    assert regret(Episode(generate(0, WorldSettings(rooms=MOST_ROOMS + 1)))) is None


def test_greedy_steps_end_certain():
    scene = generate(504)
    start = Progress(Belief.start(scene.names, scene.extent), frozenset(), frozenset(), True)
    world, progress = KnownWorld(scene), start
    steps = greedy_steps(start, world)
    for taken in steps:
        progress = progress.after(taken, world)
    assert not progress.uncertain
    assert sum(map(step_cost, steps)) >= cheapest_exploration(scene).lower
    assert sum(map(step_cost, greedy_steps(start, world, 3))) <= 4
