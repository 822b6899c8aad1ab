"""The generative observer: its posterior is that of enumeration, absence is evidence, and it knows its own error."""

import math
from collections import defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.ideal.every_scene import every_scene, plain_scene
from tolman.ask import QuestionKind, grade, sample_questions
from tolman.core.geometry import Cell, Heading
from tolman.core.rules import STRICT
from tolman.core.seeds import rng
from tolman.explore import Episode, read_actions, step
from tolman.explore.agents.registry import run_explorer
from tolman.ideal.best_points import PositionScore, best_points
from tolman.ideal.generative import WeightedScenes, posterior
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.observer import GenerativeObserver, observer_of
from tolman.ideal.question_content import question_content
from tolman.ideal.scene_answers import best_answer_in_scenes
from tolman.ideal.scene_prior import ScenePrior, prior_of
from tolman.sense import Location, Observation, observe
from tolman.world import START, Scene, WorldSettings, generate

Joint = tuple[Cell, ...]
SMALL = (
    WorldSettings(rooms=1, room_size=(5, 5), things_per_room=2),
    WorldSettings(rooms=1, room_size=(4, 4), things_per_room=3),
    WorldSettings(rooms=2, room_size=(4, 4), things_per_room=1),
)


def explored(scene: Scene, seed: int, turns: int) -> Episode:
    """The first turns of a random walk."""
    episode = run_explorer("random", scene, seed)
    return replace(episode, turns=episode.turns[:turns])


def joint(scene: Scene) -> Joint:
    return tuple(scene.from_start(name) for name in scene.names)


def enumerated(episode: Episode, settings: WorldSettings) -> dict[Joint, float]:
    """The posterior of all positions by trying every scene."""
    evidence = [turn.feedback for turn in episode.turns if turn.feedback is not None]
    found: defaultdict[Joint, float] = defaultdict(float)
    for likely in every_scene(settings):
        if all(_agrees(likely.scene, piece) for piece in evidence):
            found[joint(likely.scene)] += likely.chance
    total = sum(found.values())
    return {cells: chance / total for cells, chance in found.items()}


def _agrees(scene: Scene, piece: Observation | Location) -> bool:
    if isinstance(piece, Location):
        return scene.from_start(piece.name) == piece.position
    seen = observe(scene, piece.standing_on, piece.heading)
    return (seen.sightings, seen.near_pairs) == (piece.sightings, piece.near_pairs)


def stated(scenes: WeightedScenes) -> dict[Joint, float]:
    found: defaultdict[Joint, float] = defaultdict(float)
    names = scenes.brief.names
    for row, weight in enumerate(scenes.weights.tolist()):
        found[tuple((int(x), int(y)) for x, y in (scenes.cells[name][row] for name in names))] += weight
    return dict(found)


SEEDS = [(i, seed) for i in range(len(SMALL)) for seed in range(20)]


@pytest.mark.parametrize(("number", "seed"), [pytest.param(i, s, marks=[pytest.mark.slow] * (s > 1)) for i, s in SEEDS])
def test_the_posterior_is_that_of_trying_every_scene(number: int, seed: int):
    settings = SMALL[number]
    scene = plain_scene(seed, settings)
    episode = explored(scene, seed, 1 + seed % 4)
    prior = prior_of(scene)
    assert prior is not None
    scenes = posterior(episode, prior, draws=20_000)
    assert scenes is not None
    true, found = enumerated(episode, settings), stated(scenes)
    assert set(found) <= set(true)
    assert joint(scene) in true
    if scenes.exact:
        assert found == pytest.approx(true)
        return
    for name in scene.names:
        place = scenes.brief.names.index(name)
        exact: defaultdict[Cell, float] = defaultdict(float)
        for cells, chance in true.items():
            exact[cells[place]] += chance
        for cell, chance in exact.items():
            got = scenes.probability((scenes.cells[name] == np.array(cell)).all(axis=1))
            assert abs(got - chance) <= 4.5 * math.sqrt(max(0.0, chance * (1 - chance)) / scenes.ess) + 1 / scenes.ess


def test_what_is_not_listed_decides_a_question():
    """Three looks around list all but the cabinet, so it is behind; relations can't tell."""
    scene = generate(1, WorldSettings(rooms=1))
    episode = Episode(scene)
    for turn in ("Observe()", "Rotate(90), Observe()", "Rotate(90), Observe()"):
        episode = step(episode, read_actions(turn, STRICT))
    assert set(scene.names) - set(episode.seen) == {"cabinet"}
    asked = sample_questions(scene, 1, 6, [QuestionKind.DIRECTION])
    question = next(q for q in asked if q.parameters == {"of": "cabinet", "from": "toy truck"})
    knowledge = knowledge_from(episode.brief, evidence_in(episode.turns), scene.extent)
    open_to = observer_of("relations", knowledge, episode.turns, prior_of(scene))
    decided = observer_of("generative", knowledge, episode.turns, prior_of(scene))
    assert isinstance(decided, GenerativeObserver)
    before, after = (each.best_answer(question_content(question)) for each in (open_to, decided))
    assert before is not None
    assert after is not None
    assert before.expected < 0.5
    assert after.expected >= 0.99
    assert grade(question, after.reply, STRICT).score == 1
    sooner = best_answer_in_scenes(question_content(question), _after(episode, 1))
    assert sooner is not None
    assert sooner.expected < 0.9


def _after(episode: Episode, turns: int) -> WeightedScenes:
    scenes = posterior(replace(episode, turns=episode.turns[:turns]), _prior(episode.scene))
    assert scenes is not None
    return scenes


def _prior(scene: Scene) -> ScenePrior:
    prior = prior_of(scene)
    assert prior is not None
    return prior


@pytest.mark.parametrize(("agent", "seeds"), [("scout", 12), ("strategist", 12), ("greedy-planner", 2)])
def test_the_true_scene_is_always_possible(agent: str, seeds: int):
    for seed in range(seeds):
        scene = generate(seed)
        scenes = posterior(run_explorer(agent, scene, seed), _prior(scene))
        assert scenes is not None
        assert scenes.exact
        right = np.ones(len(scenes), np.bool_)
        for name in scene.names:
            right &= (scenes.cells[name] == np.array(scene.from_start(name))).all(axis=1)
        assert scenes.probability(right) > 0


def test_rows_are_scenes_that_explain_everything_told():
    """Every drawn scene, looked at again from everywhere, shows what was told and nothing else."""
    scene = generate(5)
    episode = run_explorer("random", scene, 5)
    scenes = posterior(episode, _prior(scene), draws=64)
    assert scenes is not None
    looks = [turn.feedback for turn in episode.turns if isinstance(turn.feedback, Observation)]
    for row in range(len(scenes)):
        drawn = _as_scene(scenes, row, scene)
        for look in looks:
            seen = observe(drawn, look.standing_on, look.heading)
            assert set(seen.sightings) == set(look.sightings)
            assert len(seen.near_pairs) == len(look.near_pairs)


def _as_scene(scenes: WeightedScenes, row: int, like: Scene) -> Scene:
    """A row as a scene, which checks itself; its start is (0, 0)."""
    side = scenes.prior.side
    rooms = tuple(
        replace(room, low=(int(x), int(y)), high=(int(x) + side - 1, int(y) + side - 1))
        for room, (x, y) in zip(like.rooms, scenes.lows[row].tolist(), strict=True)
    )

    def cell(name: str) -> Cell:
        x, y = scenes.cells[name][row].tolist()
        return x, y

    things = tuple(
        replace(
            thing,
            cell=cell(thing.name),
            room=int(scenes.rooms[thing.name][row]) + 1,
            front=None if (front := int(scenes.fronts[thing.name][row])) < 0 else Heading(front),
        )
        for thing in like.things
    )
    doors = [replace(door, cell=cell(door.name)) for door in like.doors]
    for i, door in enumerate(doors):
        x, y = door.cell
        beyond = int(scenes.rooms[door.name][row]) + 1
        axis = "x" if not rooms[0].low[0] <= x <= rooms[0].high[0] else "y"
        low = x < rooms[0].low[0] if axis == "x" else y < rooms[0].low[1]
        doors[i] = replace(door, axis=axis, rooms=(beyond, 1) if low else (1, beyond))
    return Scene(rooms, tuple(doors), things, (0, 0))


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(s, marks=pytest.mark.slow) for s in range(2, 30))])
def test_best_points_are_those_of_trying_all(seed: int):
    stream = rng(seed, "points")
    cells = stream.integers(-3, 4, size=(5, 3, 2)) + np.array([(6, 0), (0, 6), (-6, 2)])
    weights = stream.dirichlet(np.ones(5))
    score = PositionScore(0.5, 0.5, 6, np.sqrt((cells**2).sum(axis=2).mean(axis=1)))
    best = best_points(cells, weights, score)
    boxes = [
        [(x, y) for x in range(lo[0], hi[0] + 1) for y in range(lo[1], hi[1] + 1)]
        for lo, hi in zip(cells.min(axis=0).tolist(), cells.max(axis=0).tolist(), strict=True)
    ]
    thinned = [box[:: max(1, len(box) // 14)] + [tuple(c) for c in cells[:, i].tolist()] for i, box in enumerate(boxes)]
    most = max(_expected(np.array(points, float), cells, weights, score) for points in product(*thinned))
    assert float(weights @ best.scores) >= most - 0.005
    assert float(weights @ best.scores) + best.lost >= most


def _expected(points: np.ndarray, cells: np.ndarray, weights: np.ndarray, score: PositionScore) -> float:
    from tolman.ideal.best_points import directions  # noqa: PLC0415

    first, second = np.triu_indices(4, 1)
    whole = np.concatenate([cells, np.zeros((len(cells), 1, 2))], axis=1)
    said = np.concatenate([points, np.zeros((1, 2))])
    right = directions(whole[:, first] - whole[:, second], False) == directions(said[first] - said[second], False)
    error = np.sqrt(((cells - points) ** 2).sum(axis=2).mean(axis=1))
    return float(weights @ (0.5 * right.mean(axis=1) + 0.5 * np.exp(-error / score.scale)))


@pytest.mark.slow
def test_stated_standard_errors_cover():
    """Ceilings from independent draws differ by as much as their standard errors say."""
    gaps: list[float] = []
    for seed in range(8):
        scene = generate(seed)
        episode = run_explorer("random", scene, seed)
        draws = [posterior(episode, _prior(scene), seed=100 * i) for i in range(2)]
        for question in sample_questions(scene, seed):
            a, b = (best_answer_in_scenes(question_content(question), s) for s in draws if s is not None)
            assert a is not None
            assert b is not None
            if a.reply == b.reply and a.error > 0 < b.error:
                gaps.append((a.expected - b.expected) / float(np.hypot(a.error, b.error)))
    assert len(gaps) > 60
    assert np.mean(np.abs(gaps) < 2) > 0.9


def test_a_world_that_the_generator_does_not_make_has_no_prior():
    scene = generate(0, WorldSettings(rooms=6))
    assert prior_of(scene) is None
    assert START not in scene
