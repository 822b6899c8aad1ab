"""Whoever only has the words knows the same episode as the world that said them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room
from tests.strategies import scenes
from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.actions import Actions, Goto, Observe, Query, Rotate, Term
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import (
    AgentHistory,
    Brief,
    Episode,
    EpisodeSettings,
    TextHistory,
    begin_revision,
    brief,
    step,
)
from tolman.explore.grammar import FormatFailureKind, read_actions
from tolman.explore.messages import (
    begin_text_revision,
    describe_brief,
    describe_change,
    describe_history,
    describe_latest,
    describe_turn,
    parse_brief,
    parse_change,
    parse_history,
    parse_turn,
)
from tolman.world import START, Change, ChangeSettings, Scene, perturb

FOOTERS = st.sampled_from(
    ["", "\n\nReply with Actions: [ ... ]", "\n\nThe sofa is at (1, 1). You see:\n- lamp: front, near"]
)
CHANGES = ChangeSettings(rotated=0, moved=1, least_move=2)


def replies(scene: Scene) -> st.SearchStrategy[str]:
    """What models write: turns that work, turns that fail, and replies that can't be read."""
    names = st.sampled_from((*scene.names, START, "throne"))
    moves = st.builds(Goto, names) | st.builds(Rotate, st.sampled_from([0, 90, -90, 180, -270, 45]))
    finals = st.sampled_from([Observe(), Observe(), Term(), Term((Change("sofa", "position"),))]) | st.builds(
        Query, names
    )
    turns = st.builds(Actions, st.lists(moves, max_size=4).map(tuple), finals).map(str)
    return (
        turns
        | turns.map(lambda text: f"THINK: so be it.\nFINAL ANSWER: {text}")
        | st.sampled_from(
            ["", "I look around.", "Actions: [Rotate(x), Observe()]", "Actions: [Goto(sofa)]", "[Observe(), Observe()]"]
        )
    )


def same(heard: AgentHistory, told: AgentHistory) -> bool:
    """Whether two accounts agree in all that an explorer may know."""
    return (heard.brief, heard.turns, heard.standing_on, heard.heading, heard.seen, heard.phase) == (
        told.brief,
        told.turns,
        told.standing_on,
        told.heading,
        told.seen,
        told.phase,
    )


@given(scenes(max_rooms=3), st.integers(1, 12), FOOTERS, st.data())
def test_the_words_of_any_episode_give_the_episode(scene: Scene, budget: int, footer: str, data: st.DataObject):
    episode = Episode(scene, EpisodeSettings(explore_turns=budget, revise_turns=3))
    heard = TextHistory(episode.brief)
    for reply in data.draw(st.lists(replies(scene), min_size=1, max_size=15)):
        if episode.over and episode.phase == "revise":
            break
        if episode.over:
            episode, heard = begin_revision(episode, perturb(scene, 0, CHANGES)), begin_text_revision(heard)
        episode = step(episode, read_actions(reply, STRICT, episode.phase))
        heard = parse_turn(heard, reply, describe_latest(episode) + footer)
        assert same(heard, episode)


@given(scenes(max_rooms=3), st.data())
def test_a_log_is_heard_as_it_was_lived(scene: Scene, data: st.DataObject):
    episode = Episode(scene)
    for reply in data.draw(st.lists(replies(scene), min_size=1, max_size=12)):
        if not episode.over:
            episode = step(episode, read_actions(reply, STRICT))
    page = f"1. Actions: [Observe()]\nis an example.\n\nTHE LOG\n{describe_history(episode.turns)}\n\nNow answer."
    heard = parse_history(page, episode.brief)
    assert len(episode.turns) == 1 or same(heard, episode)
    assert same(parse_history(describe_history(episode.turns), episode.brief), episode)


def test_the_log_of_a_scripted_explorer_is_heard():
    episode = run_explorer("strategist", furnished())
    assert same(parse_history(describe_history(episode.turns), episode.brief), episode)


@given(scenes(max_rooms=8), st.sampled_from(["", "\n", " You have 20 replies.", "\nYou stand at your starting point."]))
def test_the_brief_is_found_in_a_longer_message(scene: Scene, after: str):
    told = brief(scene)
    assert parse_brief(f"EXPLORE\n\nTHE PLACE\n{describe_brief(told)}{after}") == told


def test_a_brief_may_be_of_one_empty_room():
    assert parse_brief(describe_brief(brief(one_room()))) == Brief(1, (), ())
    assert parse_brief("There is no brief here.") is None


@given(st.integers(0, 999), st.integers(1, 99))
def test_the_number_of_changes_is_heard(count: int, budget: int):
    assert parse_change(f"Well done.\n\n{describe_change(count, budget)}\n\nReply.") == count
    assert parse_change(describe_brief(brief(furnished()))) is None


def test_a_refusal_by_other_rules_is_heard_as_one():
    """The world reads by the published rules, which do not know `Rotate(+90)`; the agent is told so, and stays."""
    reply = "Actions: [Rotate(+90), Observe()]"
    episode = step(Episode(furnished(), EpisodeSettings(rules=PUBLISHED)), read_actions(reply, PUBLISHED))
    heard = parse_turn(TextHistory(episode.brief), reply, describe_latest(episode))
    turn = heard.turns[-1]
    assert not isinstance(turn.asked, Actions)
    assert turn.asked.kind is FormatFailureKind.BAD_ACTION
    assert describe_turn(turn) == describe_turn(episode.turns[-1])
    assert (turn.done, turn.feedback, heard.heading) == ((), None, episode.heading)


@given(st.text(), st.text(), st.text())
def test_no_text_raises(one: str, two: str, three: str):
    heard = TextHistory(Brief(1, ("sofa",), ()))
    for reply, message in pairwise((one, two, three, "Actions: [Goto(sofa), Query(sofa)]", one, "Observe()", two)):
        heard = parse_turn(heard, reply, message)
    assert len(heard.turns) == 6
    parse_brief(one)
    parse_change(two)
    parse_history(f"1. Actions: [{one}]\n{two}", heard.brief)
