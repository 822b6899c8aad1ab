"""Explorers that are given no scene: what they hear is enough, whoever they are and however often they are asked."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scenes
from tolman.core.errors import UnknownNameError
from tolman.core.rules import STRICT
from tolman.explore.actions import Actions, Goto, Observe, Rotate
from tolman.explore.agents.registry import (
    Explorer,
    explore_with,
    explorer_names,
    make_explorer,
    make_text_explorer,
    most_text_turns,
    text_explorer_names,
)
from tolman.explore.episode import Episode, EpisodeSettings, TextHistory, step
from tolman.explore.grammar import FormatFailure, FormatFailureKind, read_actions
from tolman.explore.messages import describe_brief, describe_latest, parse_brief, parse_turn
from tolman.explore.summary import gain_per_turn
from tolman.world import Scene, WorldSettings, generate

TOURERS = ("scout", "strategist")
MUMBLE = FormatFailure(FormatFailureKind.NO_ACTIONS, "what?")


def play_by_words(agent: Explorer, scene: Scene) -> Episode:
    """An exploration in which agent and world exchange nothing but text."""
    episode = Episode(scene)
    brief = parse_brief(f"Welcome.\n{describe_brief(episode.brief)}\nGood luck.")
    assert brief is not None
    heard = TextHistory(brief)
    while not episode.over:
        reply = f"FINAL ANSWER:\n{agent.act(heard)}"
        episode = step(episode, read_actions(reply, STRICT))
        heard = parse_turn(heard, reply, f"{describe_latest(episode)}\n\nWhat next?")
    return episode


def test_the_six_can_listen_and_the_oracle_can_not():
    names = ("cautious-planner", "greedy-planner", "planner", "random", "scout", "strategist")
    assert text_explorer_names() == names
    with pytest.raises(UnknownNameError, match="planner"):
        make_text_explorer("oracle")


@pytest.mark.parametrize("name", text_explorer_names())
def test_text_is_all_they_need(name: str):
    scene = generate(44)
    assert (
        play_by_words(make_text_explorer(name, 3), scene).turns
        == explore_with(make_text_explorer(name, 3), Episode(scene)).turns
    )


@pytest.mark.parametrize("name", ["random", pytest.param("planner", marks=pytest.mark.slow)])
def test_those_that_never_looked_at_the_scene_do_the_same_without_it(name: str):
    scene = generate(45)
    told, heard = (
        explore_with(agent, Episode(scene)) for agent in (make_explorer(name, scene, 5), make_text_explorer(name, 5))
    )
    assert told.turns == heard.turns


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "planner")) for name in explorer_names()]
)
def test_the_same_words_have_the_same_answer_from_a_fresh_agent_and_from_an_old_one(name: str):
    """Asked backwards, out of order and about another world between, an agent answers as it did the first time."""
    scene, other = generate(46), generate(47)
    episode = explore_with(make_explorer(name, scene, 7), Episode(scene, EpisodeSettings(explore_turns=6)))
    old, elsewhere = make_explorer(name, scene, 7), make_explorer(name, other, 7)
    moments = [Episode(scene)]
    for turn in episode.turns[:-1]:
        moments.append(step(moments[-1], turn.asked))
    for moment, turn in reversed(list(zip(moments, episode.turns, strict=True))):
        if not turn.forced:
            assert old.act(moment) == turn.asked
            assert make_explorer(name, scene, 7).act(moment) == turn.asked
            if name in ("random", "planner", "greedy-planner"):
                elsewhere.act(Episode(other))
                assert elsewhere.act(moment) == turn.asked


@given(scenes(max_rooms=6))
def test_touring_listeners_see_everything_and_end_by_themselves(scene: Scene):
    for name in TOURERS:
        episode = explore_with(make_text_explorer(name), Episode(scene, EpisodeSettings(explore_turns=100)))
        assert not episode.turns[-1].forced
        assert len(episode.turns) <= most_text_turns(len(scene.rooms))
        assert set(episode.seen) == set(scene.names) or len(episode.turns) == most_text_turns(len(scene.rooms))


@given(
    scenes(max_rooms=3),
    st.integers(2, 5),
    st.lists(st.sampled_from(["spun", "lost", "astray"]), min_size=3, max_size=3),
)
def test_touring_listeners_recover_when_things_go_wrong(scene: Scene, every: int, mishaps: list[str]):
    """Every few turns one goes wrong: a false turn (which makes moves fail), a lost reply, a move to nowhere."""
    for name in TOURERS:
        agent, episode = make_text_explorer(name), Episode(scene, EpisodeSettings(explore_turns=100))
        while not episode.over:
            asked = agent.act(episode)
            number = len(episode.turns)
            goes_wrong = number % every == 1 and isinstance(asked.final, Observe)
            episode = step(episode, gone_wrong(asked, mishaps[number % 3]) if goes_wrong else asked)
        assert len(episode.turns) <= most_text_turns(len(scene.rooms))
        assert set(episode.seen) == set(scene.names) or len(episode.turns) == most_text_turns(len(scene.rooms))


def gone_wrong(asked: Actions, mishap: str) -> Actions | FormatFailure:
    if mishap == "lost":
        return MUMBLE
    return Actions((Rotate(90) if mishap == "spun" else Goto("throne"), *asked.moves), asked.final)


@pytest.mark.parametrize("name", text_explorer_names())
@pytest.mark.parametrize("rooms", [1, 2, 8])
def test_a_forced_end_and_worlds_of_any_size_are_survived(name: str, rooms: int):
    scene = generate(48, WorldSettings(rooms=rooms, things_per_room=2))
    episode = explore_with(make_text_explorer(name), Episode(scene, EpisodeSettings(explore_turns=6)))
    assert episode.over
    assert len(episode.turns) <= 7


@pytest.mark.parametrize("name", TOURERS)
def test_a_large_world_is_seen_whole_and_left_in_time(name: str):
    scene = generate(50, WorldSettings(rooms=20, things_per_room=1))
    episode = explore_with(make_text_explorer(name), Episode(scene, EpisodeSettings(explore_turns=1000)))
    assert len(episode.turns) <= most_text_turns(20)
    assert not episode.turns[-1].forced
    assert set(episode.seen) == set(scene.names)


def test_an_explorer_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch):
    def few(rooms: int) -> int:
        return 5 + rooms

    monkeypatch.setattr("tolman.explore.agents.registry.most_text_turns", few)
    scene = generate(50, WorldSettings(rooms=3))
    episode = explore_with(make_text_explorer("scout"), Episode(scene, EpisodeSettings(explore_turns=100)))
    assert len(episode.turns) == 8
    assert not episode.turns[-1].forced


@pytest.mark.parametrize("name", text_explorer_names())
def test_a_story_with_gaps_does_no_harm(name: str):
    """Turns that were left out of a conversation leave places unexplained; an agent still answers with a turn."""
    told = explore_with(make_explorer("strategist", generate(49)), Episode(generate(49)))
    for first in (1, 3, 6, 9):
        heard = TextHistory(told.brief, told.turns[first:-1], told.standing_on, told.heading, told.seen)
        assert make_text_explorer(name).act(heard).final is not None
        lost = replace(heard, turns=(), seen=())
        assert make_text_explorer(name).act(lost).final is not None


def means(name: str, seeds: range) -> tuple[float, float]:
    """Mean cost and information gain of a listener."""
    episodes = [explore_with(make_text_explorer(name, seed), Episode(generate(seed))) for seed in seeds]
    gains = [gain_per_turn(episode)[-1] for episode in episodes]
    return sum(episode.cost() for episode in episodes) / len(seeds), sum(gains) / len(gains)


def test_without_a_floor_plan_the_scout_does_as_well():
    """With one it pays 8.9 for 0.815 on scenes 0 to 49."""
    cost, gain = means("scout", range(50))
    assert 8.5 <= cost <= 9.5
    assert gain == pytest.approx(0.812, abs=0.02)


def test_without_a_floor_plan_the_strategist_does_as_well():
    """With one it pays 16.5 for 0.992 on scenes 0 to 49."""
    cost, gain = means("strategist", range(20))
    assert 15.5 <= cost <= 17.5
    assert gain >= 0.98
