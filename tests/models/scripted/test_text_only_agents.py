"""Agents that know only words: what they have seen they know as well as can be, and the rest they guess."""

from statistics import fmean

import pytest

from tests.models.scripted.conversations import Talk, explored, exploring, reading, revising
from tests.models.scripted.graded_replies import global_score, local_score, points_score, report_score, revision_score
from tolman.ask import Question, QuestionKind, grade, sample_questions
from tolman.ask.kinds.change_report import change_question
from tolman.belief.cognitive_map import global_form, true_global_map
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.models.scripted.reply import NO_ANSWER, NOT_UNDERSTOOD
from tolman.world import WorldSettings, generate, perturb

GIVEN = "Here is a correct and complete map of the place.\n{}\nAnswer from this map.\n\n{}"
SAY = "Before you answer, write down your map of the place as JSON between <cogmap> and </cogmap>.\n\n{}"
BELIEVERS = ("greedy-planner", "random", "scout", "strategist")


def scores(talk: Talk, questions: tuple[Question, ...], page: str = "{}") -> list[float]:
    replies = [talk.ask(page.replace("{}", question.text)) for question in questions]
    assert not [reply for reply in replies if NOT_UNDERSTOOD in reply or NO_ANSWER in reply]
    return [grade(question, reply, STRICT).score for question, reply in zip(questions, replies, strict=True)]


def mean_score(agent: str, seeds: range) -> float:
    return fmean(score for seed in seeds for score in scores(explored(agent, generate(seed)), asked(seed)))


def asked(seed: int) -> tuple[Question, ...]:
    return sample_questions(generate(seed), seed)


def test_who_explored_to_certainty_answers_nearly_everything_and_who_looked_less_does_not():
    seeds = range(3)
    certain, swept, wandered = (mean_score(agent, seeds) for agent in ("greedy-planner", "scout", "random"))
    assert certain > 0.98
    assert wandered < swept < certain
    assert wandered < 0.8


def test_a_log_of_another_explorer_is_as_good_as_an_exploration_of_one_s_own():
    for seed in range(4):
        talk = reading("scout", run_explorer("strategist", generate(seed)))
        assert fmean(scores(talk, asked(seed))) > 0.95


@pytest.mark.parametrize("agent", BELIEVERS)
def test_no_turn_is_refused_and_hardly_a_move_fails(agent: str):
    turns = [turn for seed in range(2) for turn in explored(agent, generate(seed)).episode.turns]
    assert all(turn.parsed for turn in turns)
    assert sum(turn.failure is not None for turn in turns) <= 2


def test_the_planner_s_maps_get_exact_and_its_points_are_those_it_has_not_seen():
    talks = list(exploring("greedy-planner", generate(3)))
    assert global_score(talks[-1]) == 1.0
    assert all(score > 0.6 for talk in talks if talk.episode.seen for score in [global_score(talk)])
    assert all((score := local_score(talk)) is None or score > 0.6 for talk in talks)
    assert fmean(f1 for talk in talks if (f1 := points_score(talk, 3)) is not None) > 0.9


@pytest.mark.parametrize("agent", ["strategist", "scout"])
def test_changes_are_found_reported_and_put_on_the_map(agent: str):
    for seed in range(4):
        changed = perturb(generate(seed), seed)
        talks = list(revising(explored(agent, generate(seed)), changed))
        assert report_score(talks[-1], changed) == 1.0
        assert revision_score(talks[-2]) >= revision_score(talks[0])
        question = change_question(changed)
        assert grade(question, talks[-2].ask(question.text), STRICT).score == 1.0


def test_a_report_never_names_more_than_changed():
    changed = perturb(generate(8), 8)
    for talk in revising(explored("random", generate(8)), changed):
        reply = talk.ask(change_question(changed).text)
        assert reply.count(": position") + reply.count(": orientation") <= 4


def test_a_map_that_comes_with_a_question_is_used():
    poor = explored("scout", generate(1))
    scene, episode = poor.episode.scene, poor.episode
    true = true_global_map(scene, scene.pose_at(episode.standing_on, episode.heading), scene.names, STRICT)
    page = GIVEN.replace("{}", global_form(true).model_dump_json(exclude_none=True), 1)
    assert fmean(scores(poor, asked(1), page)) > 0.98
    assert "the map that I was given" in poor.ask(page.replace("{}", asked(1)[0].text))


def test_a_map_is_written_down_where_that_is_asked_for():
    talk = explored("scout", generate(1))
    for question in asked(1)[::5]:
        reply = talk.ask(SAY.replace("{}", question.text))
        assert "<cogmap>{" in reply
        assert grade(question, reply, STRICT) == grade(question, talk.ask(question.text), STRICT)


def test_a_question_after_one_s_own_map_is_answered_as_without_it():
    talk = explored("scout", generate(2))
    stated = (*talk.messages("Write down your map."), ("assistant", '{"sofa": {"position": [1, 2]}}'))
    after = Talk("scout", talk.episode, stated, "")
    question = sample_questions(generate(2), 2, kinds=(QuestionKind.VIEW_TO_LOCATION,))[0]
    assert after.ask(question.text) == talk.ask(question.text)


def test_only_an_answer_is_written_where_no_thoughts_are_wanted():
    talk = explored("scout", generate(2))
    plain = talk.ask(asked(2)[0].text, form="Reply in this form, with nothing else:\nFINAL ANSWER:\n<answer>")
    assert plain.startswith("FINAL ANSWER:\n")


@pytest.mark.parametrize("rooms", [1, 2, 4, 6])
def test_worlds_of_other_sizes_are_understood(rooms: int):
    scene = generate(2, WorldSettings(rooms=rooms))
    log = run_explorer("strategist", scene)
    assert fmean(scores(reading("greedy-planner", log), sample_questions(scene, 2))) > 0.9


def test_the_same_words_get_the_same_reply():
    talk = explored("random", generate(5))
    again = explored("random", generate(5))
    assert again.said == talk.said
    assert again.ask(asked(5)[3].text) == talk.ask(asked(5)[3].text)


@pytest.mark.slow
def test_so_it_is_in_twenty_worlds():
    certain, swept = (mean_score(agent, range(20)) for agent in ("greedy-planner", "scout"))
    assert certain > 0.99
    assert 0.85 < swept < certain
