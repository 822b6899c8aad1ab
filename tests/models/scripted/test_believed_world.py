"""The world that someone believes in: all that was heard is true in it, and nothing is missing from it."""

import pytest

from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import read_actions
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.models.scripted.believed_world import sample_worlds
from tolman.sense import Observation, observe
from tolman.world import START, WorldSettings, generate


@pytest.mark.parametrize("seed", range(4))
def test_who_is_certain_believes_in_the_true_positions_fronts_and_doors(seed: int):
    scene = generate(seed)
    log = run_explorer("greedy-planner", scene)
    world = sample_worlds(knowledge_from(log.brief, evidence_in(log.turns)), 0).closest_to_mean
    assert [thing.name for thing in world.things] == [thing.name for thing in scene.things]
    for thing in scene.things:
        assert world.from_start(thing.name) == scene.from_start(thing.name)
        assert [t.front for t in world.things if t.name == thing.name] == [thing.front]
    for door, true in zip(world.doors, scene.doors, strict=True):
        assert (door.axis, world.from_start(door.name)) == (true.axis, scene.from_start(true.name))


@pytest.mark.parametrize("agent", ["random", "scout", "strategist"])
def test_every_look_would_tell_the_same_in_nearly_every_believed_world(agent: str):
    same = looks = 0
    for seed in range(6):
        log = run_explorer(agent, generate(seed))
        world = sample_worlds(knowledge_from(log.brief, evidence_in(log.turns)), 0).closest_to_mean
        for turn in log.turns:
            if isinstance(turn.feedback, Observation):
                again = observe(world, turn.standing_on, turn.heading)
                same += set(again.sightings) == set(turn.feedback.sightings)
                looks += 1
    assert same >= 0.9 * looks


def test_what_was_never_seen_is_there_too():
    episode = step(Episode(generate(1)), read_actions("Observe()", STRICT))
    world = sample_worlds(knowledge_from(episode.brief, evidence_in(episode.turns)), 0).closest_to_mean
    assert world.names == episode.scene.names
    assert world.from_start(START) == (0, 0)
    nothing = sample_worlds(knowledge_from(episode.brief, ()), 0).closest_to_mean
    assert nothing.names == episode.scene.names


@pytest.mark.parametrize("size", [(5, 5), (6, 6), (9, 7)])
def test_walls_with_doors_are_where_they_are_and_rooms_hold_what_is_in_them(size: tuple[int, int]):
    scene = generate(3, WorldSettings(room_size=size))
    log = run_explorer("strategist", scene)
    world = sample_worlds(knowledge_from(log.brief, evidence_in(log.turns)), 0).closest_to_mean
    assert all(world.room(thing.room).holds(thing.cell) for thing in world.things)
    for door in world.doors:
        x, y = door.cell
        (low, high), (dx, dy) = door.rooms, (1, 0) if door.axis == "x" else (0, 1)
        assert world.room(low).holds((x - dx, y - dy))
        assert world.room(high).holds((x + dx, y + dy))
