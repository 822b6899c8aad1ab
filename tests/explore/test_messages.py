from tests.hand_built import furnished, one_room, thing
from tolman.core.geometry import Heading
from tolman.explore.actions import Actions, Goto, Observe, Query, Rotate, Term
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.explore.grammar import FormatFailure, FormatFailureKind
from tolman.explore.messages import describe_brief, describe_latest, describe_turn
from tolman.sense import describe_observation, observe
from tolman.world import START


def test_before_the_first_turn_the_agent_hears_where_it_is():
    assert "north" in describe_latest(Episode(furnished()))


def test_the_brief_tells_all_names_and_no_places():
    told = describe_brief(Episode(furnished()).brief)
    assert "2 rooms" in told
    assert all(name in told for name in furnished().names)
    assert "one room" in describe_brief(Episode(one_room(thing("lamp", (1, 1)))).brief)


def test_a_turn_is_told_in_the_order_it_happened():
    episode = step(Episode(furnished()), Actions((), Observe()))
    episode = step(episode, Actions((Goto("sofa"), Rotate(-90), Rotate(180)), Observe()))
    told = describe_turn(episode.turns[-1])
    view = describe_observation(observe(furnished(), "sofa", Heading.EAST))
    parts = ["sofa", "90 degrees counterclockwise", "180 degrees clockwise", view]
    places = [told.index(part) for part in parts]
    assert places == sorted(places)


def test_a_failure_is_told_with_its_reason_and_the_view_that_follows():
    episode = step(Episode(furnished()), Actions((Goto("lamp"),), Observe()))
    told = describe_turn(episode.turns[-1])
    assert "Goto(lamp)" in told
    assert "not seen" in told
    assert describe_observation(observe(furnished(), START, Heading.NORTH)) in told


def test_a_query_is_answered_in_words():
    episode = step(Episode(furnished()), Actions((), Observe()))
    episode = step(episode, Actions((), Query("sofa")))
    assert "(0, 2), facing south" in describe_turn(episode.turns[-1])


def test_a_reply_that_could_not_be_read_is_told_why():
    episode = step(Episode(furnished()), FormatFailure(FormatFailureKind.NO_ACTIONS, "No actions were found."))
    assert "No actions were found." in describe_latest(episode)


def test_the_agent_hears_how_many_replies_are_left_until_the_end():
    episode = step(Episode(furnished(), EpisodeSettings(explore_turns=2)), Actions((), Observe()))
    assert describe_latest(episode).endswith("1.")
    episode = step(episode, Actions((), Term()))
    assert "over" in describe_latest(episode)
    assert "left" not in describe_latest(episode)


def test_a_forced_end_says_so():
    episode = Episode(furnished(), EpisodeSettings(explore_turns=1))
    for _ in range(2):
        episode = step(episode, Actions((), Observe()))
    assert "budget" in describe_latest(episode)
    assert "You see" not in describe_latest(episode)
