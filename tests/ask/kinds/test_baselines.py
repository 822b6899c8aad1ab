"""Chance, constant and blind answers."""

from itertools import product
from statistics import fmean

import pytest

from tests.hand_built import furnished
from tolman.ask import VISION_KINDS, blind_reply, chance_level, constant_reply, find_kind, grade, sample_questions
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import generate


@pytest.mark.parametrize("seed", range(3))
def test_every_baseline_gives_readable_answers(seed: int):
    scene = generate(seed)
    for question in sample_questions(scene, seed) + sample_questions(scene, seed, kinds=VISION_KINDS):
        answers = find_kind(question.kind).answers(question)
        assert len(set(answers)) > 1
        for reply, rules in product(
            (*answers, constant_reply(question), blind_reply(question, 0)), (PUBLISHED, STRICT)
        ):
            assert not grade(question, reply, rules).format_failure, (question.kind, reply)


def test_chance_of_a_direction_and_a_distance():
    """Eight directions and six distances, half a point each."""
    question = sample_questions(furnished(), 0, kinds=("direction",))[0]
    assert chance_level(question, STRICT) == pytest.approx(0.5 / 8 + 0.5 / 6)


def test_chance_of_a_view():
    """Five directions in sight and six distances."""
    question = sample_questions(generate(0), 0, kinds=("perspective_taking",))[0]
    assert chance_level(question, STRICT) == pytest.approx(0.5 / 5 + 0.5 / 6)


def test_chance_of_an_order_is_one_in_the_number_of_orders():
    for question in sample_questions(generate(2), 2, kinds=("mental_rotation",)):
        count = len(find_kind(question.kind).answers(question))
        assert chance_level(question, PUBLISHED) == pytest.approx(1 / count)


def test_strict_never_lowers_the_chance_of_a_backward_question():
    for seed in range(4):
        for question in sample_questions(generate(seed), seed, kinds=("view_to_location",)):
            assert chance_level(question, STRICT) >= chance_level(question, PUBLISHED) - 1e-12


def test_blind_guesses_are_repeatable_and_differ_from_question_to_question():
    questions = sample_questions(generate(0), 0)
    assert [blind_reply(q, 7) for q in questions] == [blind_reply(q, 7) for q in questions]
    assert len({blind_reply(q, 7) for q in questions}) > 10
    assert fmean(grade(q, blind_reply(q, 7), STRICT).score for q in questions) < 0.5
