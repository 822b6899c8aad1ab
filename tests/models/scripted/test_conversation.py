"""What is made of a conversation: the turns are those that happened, and what is wanted is what was asked."""

from tests.models.scripted.talk import ACT, begin, explored, reading, revising
from tolman.ask import ask_all
from tolman.belief.probes import ask_global_map, ask_local_map, ask_revision_map, ask_unexplored
from tolman.explore.agents.registry import run_explorer
from tolman.models.scripted.conversation import understand
from tolman.world import START, generate, perturb


def test_before_the_first_turn_only_the_brief_is_known_and_actions_are_wanted():
    talk = begin("scout", generate(0))
    gist = understand(talk.messages("Replies left: 20.", ACT))
    assert gist.heard is not None
    assert (gist.heard.brief, gist.heard.turns) == (talk.episode.brief, ())
    assert (gist.wanted, gist.replies_left, gist.changed) == ("actions", 20, None)


def test_all_turns_are_heard_as_they_happened():
    talk = explored("strategist", generate(3))
    heard = understand(talk.messages(ask_global_map())).heard
    assert heard is not None
    assert heard.turns == talk.episode.turns
    assert (heard.standing_on, heard.heading) == (talk.episode.standing_on, talk.episode.heading)


def test_a_log_is_heard_as_if_it_were_one_s_own():
    log = run_explorer("scout", generate(4))
    heard = understand(reading("scout", log).messages(ask_global_map())).heard
    assert heard is not None
    assert heard.turns == log.turns


def test_what_is_wanted_is_found_between_news_and_forms():
    talk = explored("scout", generate(0))
    asks = {
        "global map": ask_global_map(),
        "local map": ask_local_map(),
        "revision map": ask_revision_map(),
        "points": ask_unexplored("###\n#A#\n###"),
        "answer": ask_all(generate(0), 0)[0].text,
    }
    for wanted, request in asks.items():
        assert understand(talk.messages(request)).wanted == wanted
    assert understand(talk.messages(asks["points"])).text == "###\n#A#\n###"
    assert understand(talk.messages("How are you?")).wanted == "nothing"


def test_a_question_on_a_form_that_lists_a_view_is_not_taken_for_a_look():
    talk = explored("scout", generate(0))
    for question in ask_all(generate(0), 0):
        gist = understand([*talk.messages(ask_global_map()), ("assistant", "{}"), ("user", question.text)])
        assert gist.heard is not None
        assert gist.heard.turns == talk.episode.turns


def test_a_revision_begins_where_it_is_told_of():
    changed = perturb(generate(0), 0)
    talks = list(revising(explored("scout", generate(0)), changed))
    first = understand(talks[0].messages("Replies left: 14.", ACT))
    assert first.heard is not None
    assert (first.changed, first.heard.phase, first.wanted, first.replies_left) == (4, "revise", "actions", 14)
    last = understand(talks[-1].messages(ask_revision_map()))
    assert last.heard is not None
    assert last.heard.turns == talks[-1].episode.turns
    assert last.is_over


def test_nothing_is_known_of_a_place_nobody_described():
    gist = understand([("system", "Be brief."), ("user", ask_global_map())])
    assert (gist.heard, gist.wanted) == (None, "global map")
    assert understand([]).wanted == understand([("assistant", "Hello.")]).wanted == "nothing"


def test_the_agent_is_back_at_the_start_once_the_world_has_changed():
    talk = explored("scout", generate(0))
    said = [*talk.messages("", ACT)[:-1]]
    changed = perturb(generate(0), 0)
    first = next(revising(talk, changed))
    gist = understand([*said, first.said[-2]])
    assert gist.heard is not None
    assert gist.heard.standing_on == START
