"""What is made of a conversation: the turns are those that happened, and what is wanted is what was asked."""

from tests.models.scripted.conversations import ACT, begin, explored, reading, revising
from tolman.ask import sample_questions
from tolman.belief.cognitive_map import global_map_prompt, local_map_prompt, revision_map_prompt, unexplored_prompt
from tolman.explore.agents.registry import run_explorer
from tolman.models.scripted.conversation_parsing import parse_conversation
from tolman.world import START, generate, perturb


def test_before_the_first_turn_only_the_brief_is_known_and_actions_are_wanted():
    talk = begin("scout", generate(0))
    gist = parse_conversation(talk.messages("Replies left: 20.", ACT))
    assert gist.history is not None
    assert (gist.history.brief, gist.history.turns) == (talk.episode.brief, ())
    assert (gist.request, gist.replies_left, gist.changed) == ("actions", 20, None)


def test_all_turns_are_heard_as_they_happened():
    talk = explored("strategist", generate(3))
    heard = parse_conversation(talk.messages(global_map_prompt())).history
    assert heard is not None
    assert heard.turns == talk.episode.turns
    assert (heard.standing_on, heard.heading) == (talk.episode.standing_on, talk.episode.heading)


def test_a_log_is_heard_as_if_it_were_one_s_own():
    log = run_explorer("scout", generate(4))
    heard = parse_conversation(reading("scout", log).messages(global_map_prompt())).history
    assert heard is not None
    assert heard.turns == log.turns


def test_what_is_wanted_is_found_between_news_and_forms():
    talk = explored("scout", generate(0))
    asks = {
        "global map": global_map_prompt(),
        "local map": local_map_prompt(),
        "revision map": revision_map_prompt(),
        "points": unexplored_prompt("###\n#A#\n###"),
        "answer": sample_questions(generate(0), 0)[0].text,
    }
    for wanted, request in asks.items():
        assert parse_conversation(talk.messages(request)).request == wanted
    assert parse_conversation(talk.messages(asks["points"])).text == "###\n#A#\n###"
    assert parse_conversation(talk.messages("How are you?")).request == "nothing"


def test_a_question_on_a_form_that_lists_a_view_is_not_taken_for_a_look():
    talk = explored("scout", generate(0))
    for question in sample_questions(generate(0), 0):
        gist = parse_conversation([*talk.messages(global_map_prompt()), ("assistant", "{}"), ("user", question.text)])
        assert gist.history is not None
        assert gist.history.turns == talk.episode.turns


def test_a_revision_begins_where_it_is_told_of():
    changed = perturb(generate(0), 0)
    talks = list(revising(explored("scout", generate(0)), changed))
    first = parse_conversation(talks[0].messages("Replies left: 14.", ACT))
    assert first.history is not None
    assert (first.changed, first.history.phase, first.request, first.replies_left) == (4, "revise", "actions", 14)
    last = parse_conversation(talks[-1].messages(revision_map_prompt()))
    assert last.history is not None
    assert last.history.turns == talks[-1].episode.turns
    assert last.is_over


def test_nothing_is_known_of_a_place_nobody_described():
    gist = parse_conversation([("system", "Be brief."), ("user", global_map_prompt())])
    assert (gist.history, gist.request) == (None, "global map")
    assert parse_conversation([]).request == parse_conversation([("assistant", "Hello.")]).request == "nothing"


def test_the_agent_is_back_at_the_start_once_the_world_has_changed():
    talk = explored("scout", generate(0))
    said = [*talk.messages("", ACT)[:-1]]
    changed = perturb(generate(0), 0)
    first = next(revising(talk, changed))
    gist = parse_conversation([*said, first.said[-2]])
    assert gist.history is not None
    assert gist.history.standing_on == START
