"""Episodes as JSON lines: there and back, and nothing but a `ReplayError` for anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.core.errors import ReplayError
from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, EpisodeSettings, begin_revision, step
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.explore.grammar import read_actions
from tolman.world import generate, perturb

REPLIES = (
    "Observe()",
    "no idea",
    "Rotate(90), Observe()",
    "[Rotate(45), Observe()]",
    "[Goto(nothing at all), Observe()]",
    "[Query(initial_pos)]",
    "Term()",
    'Term(changes="sofa: position")',
)


def play(seed: int, replies: list[str], revision: list[str], published: bool) -> Episode:
    rules = PUBLISHED if published else STRICT
    episode = Episode(generate(seed), EpisodeSettings(explore_turns=4, revise_turns=3, rules=rules))
    for reply in replies:
        if not episode.over:
            episode = step(episode, read_actions(reply, rules))
    if revision:
        episode = begin_revision(episode, perturb(episode.scene, seed))
        for reply in revision:
            if not episode.over:
                episode = step(episode, read_actions(reply, rules, "revise"))
    return episode


@given(
    st.integers(0, 5),
    st.lists(st.sampled_from(REPLIES), max_size=6),
    st.lists(st.sampled_from(REPLIES), max_size=5),
    st.booleans(),
)
def test_any_episode_replays_to_the_same_bytes(seed: int, replies: list[str], revision: list[str], published: bool):
    episode = play(seed, replies, revision, published)
    line = episode_to_line(episode)
    assert "\n" not in line
    again = episode_from_line(line)
    assert again == episode
    assert episode_to_line(again) == line


def test_a_line_that_was_altered_is_refused():
    line = episode_to_line(run_explorer("scout", generate(1)))
    values = json.loads(line)
    values["turns"][0]["cost"] = 7
    with pytest.raises(ReplayError, match="altered"):
        episode_from_line(json.dumps(values))


def test_a_turn_after_the_end_is_refused():
    values = json.loads(episode_to_line(run_explorer("scout", generate(1))))
    values["turns"].append(values["turns"][0])
    with pytest.raises(ReplayError, match="after the end of its phase"):
        episode_from_line(json.dumps(values))


@given(st.text() | st.binary().map(lambda raw: raw.decode("utf-8", "replace")))
def test_any_other_text_is_refused(text: str):
    with pytest.raises(ReplayError):
        episode_from_line(text)
