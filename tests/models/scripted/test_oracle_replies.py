"""The oracle, given the true scene, is always right, though its replies pass through the parsers of a model."""

import pytest

from tests.models.scripted.conversations import Talk, explored, exploring, reading, revising
from tests.models.scripted.graded_replies import global_score, local_score, points_score, report_score, revision_score
from tolman.ask import grade, sample_questions
from tolman.ask.kinds.change_report import change_question
from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.world import generate, perturb


def right_answers(talk: Talk, seed: int) -> None:
    for question in sample_questions(talk.episode.scene, seed):
        reply = talk.ask(question.text)
        assert grade(question, reply, STRICT).score == 1.0, (question.text, reply)


@pytest.mark.parametrize("seed", range(10))
def test_the_oracle_states_true_maps_and_true_points_after_every_turn(seed: int):
    talks = list(exploring("oracle", generate(seed)))
    assert all(global_score(talk) == 1.0 for talk in talks if talk.episode.seen)
    assert all(local_score(talk) in (None, 1.0) for talk in talks)
    assert all(points_score(talk, seed) in (None, 1.0) for talk in talks)
    assert len(talks[-1].episode.seen) == len(talks[-1].episode.scene.names)


@pytest.mark.parametrize("seed", range(10))
def test_the_oracle_answers_every_question(seed: int):
    right_answers(explored("oracle", generate(seed)), seed)


@pytest.mark.parametrize("seed", range(3))
def test_the_oracle_answers_every_question_about_a_log_it_reads(seed: int):
    log = run_explorer("strategist", generate(seed))
    talk = reading("oracle", log)
    right_answers(talk, seed)
    assert global_score(talk) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_oracle_reports_every_change(seed: int):
    changed = perturb(generate(seed), seed)
    talks = list(revising(explored("oracle", generate(seed)), changed))
    assert report_score(talks[-1], changed) == 1.0
    assert all(revision_score(talk) == 1.0 for talk in talks)
    question = change_question(changed)
    assert grade(question, talks[0].ask(question.text), STRICT).score == 1.0


def test_replies_are_readable_under_the_published_rules_too():
    talk = explored("oracle", generate(4))
    for question in sample_questions(talk.episode.scene, 4):
        assert not grade(question, talk.ask(question.text), PUBLISHED).format_failure, question.kind
