"""The best map: its expected score is the mean score over all worlds, and a model's true one is seldom above it."""

from statistics import fmean

import pytest

from tests.ideal.explored_worlds import possible_scenes, told
from tolman.belief.cognitive_map import CognitiveMap, Placement, true_global_map
from tolman.belief.map_scores import MapScale, score_map
from tolman.core.geometry import Heading
from tolman.core.rules import STRICT
from tolman.ideal.best_map import ScoredNames, best_map
from tolman.world import AGENT, START, Scene


def overall(said: CognitiveMap, scene: Scene, scale: MapScale, names: tuple[str, ...]) -> float:
    pose = scene.pose_at(START, Heading.NORTH)
    score = score_map(said, true_global_map(scene, pose, names, STRICT).only(names), scale, STRICT)
    assert score is not None
    assert score.overall is not None
    return score.overall


@pytest.mark.parametrize("seed", [1, 3])
def test_what_is_expected_of_it_is_its_mean_score_and_no_possible_world_is_a_better_map(seed: int):
    scene, worlds = told("scout", seed)
    scale = MapScale.of(scene)
    names = (*scene.names, AGENT)
    best = best_map(worlds.posterior, START, scene.names, ScoredNames(names, scale))
    facings = {thing.name: thing.front for thing in scene.things} | {AGENT: Heading.NORTH}
    said = CognitiveMap({name: Placement(cell, facings.get(name)) for name, cell in best.cells.items()})
    scenes = list(possible_scenes(scene, worlds))
    assert best.expected == pytest.approx(fmean(overall(said, there, scale, names) for there in scenes))
    for world in scenes[:: max(1, len(scenes) // 5)]:
        other = true_global_map(world, world.pose_at(START, Heading.NORTH), names, STRICT)
        assert fmean(overall(other, there, scale, names) for there in scenes) <= best.expected + 1e-9


def test_names_that_count_and_were_not_seen_are_missing_and_cost_points():
    scene, worlds = told("greedy-planner", 0)
    scale, names = MapScale.of(scene), tuple(thing.name for thing in scene.things)
    whole = best_map(worlds.posterior, START, names, ScoredNames(names, scale))
    half = best_map(worlds.posterior, START, names[:6], ScoredNames(names, scale))
    assert whole.expected == pytest.approx(1)
    assert set(half.cells) == set(names[:6])
    said = CognitiveMap(
        {n: Placement(c, next(t.front for t in scene.things if t.name == n)) for n, c in half.cells.items()}
    )
    assert half.expected == pytest.approx(overall(said, scene, scale, names))
