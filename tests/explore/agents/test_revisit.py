"""Going through a changed place by ear: what changed is seen, and nothing is noticed that did not change."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished
from tests.strategies import scenes, seeds
from tolman.core.geometry import Heading
from tolman.explore.actions import Actions, Observe, Rotate, Term
from tolman.explore.agents.registry import explore_with, make_text_explorer, most_text_turns
from tolman.explore.agents.revisit import detect_changes, revisit
from tolman.explore.episode import Episode, EpisodeSettings, begin_revision, step
from tolman.sense import Observation
from tolman.world import Change, ChangedWorld, ChangeSettings, Scene, WorldSettings, generate, perturb

AMPLE = EpisodeSettings(explore_turns=100, revise_turns=100)


def explored(scene: Scene, name: str = "scout", episode_settings: EpisodeSettings = AMPLE) -> Episode:
    return explore_with(make_text_explorer(name), Episode(scene, episode_settings))


def revised(episode: Episode, changed: ChangedWorld) -> Episode:
    """The revision phase of an agent that revisits, then reports what it noticed."""
    episode = begin_revision(episode, changed)
    while not episode.over:
        look = revisit(episode, len(changed.changes))
        episode = step(episode, look or Actions((), Term(detect_changes(episode))))
    return episode


def shown(episode: Episode) -> set[str]:
    told = (turn.feedback for turn in episode.turns if turn.phase == "revise")
    return {name for view in told if isinstance(view, Observation) for name in view.names}


def with_a_turned_sofa_and_a_moved_vase() -> ChangedWorld:
    scene = furnished()
    sofa, lamp, vase, chair = scene.things
    things = (replace(sofa, front=Heading.EAST), lamp, replace(vase, cell=(7, 1)), chair)
    return ChangedWorld(replace(scene, things=things), (Change("sofa", "orientation"), Change("vase", "position")))


@pytest.mark.parametrize("name", ["scout", "strategist", "greedy-planner"])
def test_published_changes_are_found_within_the_published_budget(name: str):
    """Three rooms, four changes, 15 replies: everything that changed is seen again, and known to have changed."""
    for seed in range(300, 304):
        changed = perturb(generate(seed), seed)
        episode = revised(explored(generate(seed), name, EpisodeSettings()), changed)
        assert not episode.turns[-1].forced
        assert {change.name for change in changed.changes} <= shown(episode)
        assert set(detect_changes(episode)) == set(changed.changes)


def test_it_stops_as_soon_as_all_changes_are_seen():
    """The turned sofa is seen from the start to the north; the vase, which left its place, from the door."""
    episode = revised(explored(furnished()), with_a_turned_sofa_and_a_moved_vase())
    turns = [str(turn.asked) for turn in episode.turns if turn.phase == "revise"]
    assert turns == [
        "Actions: [Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(90), Observe()]",
        "Actions: [Rotate(180), Goto(red door), Observe()]",
        "Actions: [Rotate(90), Observe()]",
        'Actions: [Term(changes="sofa: orientation, vase: position")]',
    ]


def test_with_nothing_changed_there_is_nothing_to_look_at():
    assert revisit(begin_revision(explored(furnished()), ChangedWorld(furnished(), ())), 0) is None


@given(scenes(max_rooms=5), seeds, st.sampled_from(["scout", "strategist", "random"]), st.integers(1, 12))
def test_what_is_noticed_is_so_whatever_was_explored(scene: Scene, seed: int, name: str, budget: int):
    changed = perturb(scene, seed, ChangeSettings(rotated=0, moved=1, least_move=1))
    first = explored(scene, name, EpisodeSettings(explore_turns=budget, revise_turns=100))
    episode = revised(first, changed)
    assert set(detect_changes(episode)) <= set(changed.changes)
    assert len(episode.turns) - len(first.turns) <= most_text_turns(len(scene.rooms)) + 1
    assert {change.name for change in changed.changes} <= shown(episode)


def test_a_spoilt_look_is_made_again():
    """Facing the wrong way when it goes for the door, the agent fails once, and goes on."""
    changed = with_a_turned_sofa_and_a_moved_vase()
    episode = begin_revision(explored(furnished()), changed)
    for _ in range(4):
        look = revisit(episode, 2)
        assert look is not None
        episode = step(episode, look)
    look = revisit(episode, 2)
    assert look is not None
    episode = step(episode, Actions((Rotate(180), *look.moves), Observe()))
    assert episode.turns[-1].failure is not None
    while look := revisit(episode, 2):
        episode = step(episode, look)
    assert {"sofa", "vase"} <= shown(episode)


def test_large_worlds_are_left_in_time():
    scene = generate(9, WorldSettings(rooms=20, things_per_room=1))
    episode = revised(explored(scene), perturb(scene, 9, ChangeSettings(rotated=0, moved=4, least_move=2)))
    assert sum(turn.phase == "revise" for turn in episode.turns) <= most_text_turns(20) + 1
