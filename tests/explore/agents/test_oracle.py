"""The oracle: certain in every world, for less than anyone who has to guess, and by the same rules."""

from dataclasses import replace

import pytest
from hypothesis import given

from tests.hand_built import furnished
from tests.strategies import scenes, seeds
from tolman.explore.actions import Actions, Observe, Rotate, Term
from tolman.explore.agents.oracle import oracle_revision, true_looks
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.summary import gain_per_turn
from tolman.sense import Observation
from tolman.world import Change, ChangedWorld, ChangeSettings, Scene, changes_between, generate, perturb


@given(scenes(max_rooms=4))
def test_it_ends_certain_and_no_move_fails(scene: Scene):
    episode = run_explorer("oracle", scene)
    assert gain_per_turn(episode)[-1] == pytest.approx(1.0)
    assert set(episode.seen) == set(scene.names)
    assert all(turn.failure is None for turn in episode.turns)


def test_it_pays_less_than_the_greedy_planner():
    worlds = [generate(seed) for seed in range(210, 214)]
    oracle, greedy = (
        sum(run_explorer(name, world).cost() for world in worlds) for name in ("oracle", "greedy-planner")
    )
    assert oracle < greedy


def test_its_first_look_is_the_one_that_tells_most():
    """From the start, east shows the lamp and the door, north the sofa, and the other ways nothing."""
    assert run_explorer("oracle", furnished()).turns[0].asked == Actions((Rotate(90),), Observe())


@given(scenes(max_rooms=3))
def test_the_looks_within_reach_are_what_they_promise(scene: Scene):
    episode = step(Episode(scene), Actions((), Observe()))
    for moves, seen in true_looks(scene, episode):
        turn = step(episode, Actions(moves, Observe())).turns[-1]
        assert (turn.failure, turn.feedback) == (None, seen)


def revise(explored: Episode, changed: ChangedWorld) -> Episode:
    episode = begin_revision(explored, changed)
    before = explored.scene
    while not episode.over:
        episode = step(episode, oracle_revision(episode, before, changed.scene))
    return episode


@given(scenes(max_rooms=4), seeds)
def test_it_sees_every_change_before_it_reports_all(scene: Scene, seed: int):
    changed = perturb(scene, seed, ChangeSettings(rotated=0, moved=min(2, len(scene.things)), least_move=2))
    episode = revise(run_explorer("scout", scene), changed)
    *looks, last = [turn for turn in episode.turns if turn.phase == "revise"]
    shown = {name for turn in looks if isinstance(turn.feedback, Observation) for name in turn.feedback.names}
    assert {change.name for change in changed.changes} <= shown
    assert len(looks) <= len(changed.changes)
    assert all(turn.failure is None for turn in looks)
    assert last.asked == Actions((), Term(changes_between(scene, changed.scene)))


def test_with_nothing_changed_it_reports_at_once():
    episode = revise(run_explorer("scout", furnished()), ChangedWorld(furnished(), ()))
    assert episode.cost("revise") == 0


def test_it_finds_what_was_never_seen_in_the_first_phase():
    """The chair was beyond the door, which the agent never looked at; it has to look for both."""
    scene = furnished()
    *others, chair = scene.things
    changed = ChangedWorld(
        replace(scene, things=(*others, replace(chair, cell=(9, 1)))), (Change("chair", "position"),)
    )
    episode = revise(step(Episode(scene), Actions((), Term())), changed)
    assert "chair" in episode.seen
    assert episode.turns[-1].asked == Actions((), Term(changed.changes))
