"""Someone who knows the world is always right under `strict`, however the answer is dressed; the opposite never is."""

import json

import pytest

from tests.ask.replies import WRAPPERS
from tolman.ask import (
    VISION_KINDS,
    Question,
    grade,
    oracle_reply,
    question_from_dict,
    question_to_dict,
    sample_questions,
    wrong_reply,
)
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import WorldSettings, generate


def questions(seed: int, rooms: int = 3) -> tuple[Question, ...]:
    scene = generate(seed, WorldSettings(rooms=rooms))
    return sample_questions(scene, seed) + sample_questions(scene, seed, kinds=VISION_KINDS)


def check(seed: int, rooms: int = 3) -> None:
    for question in questions(seed, rooms):
        assert grade(question, oracle_reply(question), STRICT).score == 1.0, (seed, question.kind)
        wrong = grade(question, wrong_reply(question), STRICT)
        assert (wrong.score, wrong.format_failure) == (0.0, False), (seed, question.kind)


@pytest.mark.parametrize("seed", range(12))
def test_the_oracle_is_right_and_the_wrong_answerer_wrong(seed: int):
    check(seed)


@pytest.mark.parametrize("rooms", [1, 2, 4, 6])
def test_so_it_is_in_worlds_of_other_sizes(rooms: int):
    for seed in range(3):
        check(seed, rooms)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_so_it_is_in_two_hundred_worlds(seed: int):
    check(seed)


@pytest.mark.parametrize("seed", range(3))
def test_the_dress_of_an_answer_does_not_matter_under_strict(seed: int):
    for question in questions(seed):
        for wrapper in WRAPPERS:
            reply = wrapper.format(oracle_reply(question))
            assert grade(question, reply, STRICT).score == 1.0, (question.kind, reply)
            wrong = grade(question, wrapper.format(wrong_reply(question)), STRICT)
            assert (wrong.score, wrong.format_failure) == (0.0, False), (question.kind, wrong_reply(question))


@pytest.mark.parametrize("seed", range(6))
def test_published_gives_the_oracle_less_only_where_several_places_fit(seed: int):
    for question in questions(seed):
        if question.kind not in ("view_to_location", "view_to_action", "perspective_decision"):
            assert grade(question, oracle_reply(question), PUBLISHED).score == 1.0
        assert grade(question, wrong_reply(question), PUBLISHED).score == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_a_question_grades_the_same_after_a_trip_through_json(seed: int):
    for question in questions(seed):
        again = question_from_dict(json.loads(json.dumps(question_to_dict(question))))
        assert (again, again.id, again.text) == (question, question.id, question.text)
        for rules in (PUBLISHED, STRICT):
            for reply in (oracle_reply(question), wrong_reply(question)):
                assert grade(again, reply, rules) == grade(question, reply, rules)
