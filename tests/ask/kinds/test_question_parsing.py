"""A question is understood from its words alone, and then answered as well as from its parameters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished
from tolman.ask import VISION_KINDS, Question, find_kind, grade, parse_kind, parse_question, sample_questions
from tolman.ask.kinds.change_report import change_question
from tolman.core.rules import STRICT
from tolman.sense import Observation, describe_observation, look
from tolman.world import WorldSettings, generate, perturb

PAGE = "You are asked about a place.\nYou see:\n- lamp: front, near\n\n{}\n\nReply in this form:\nFINAL ANSWER:"


def check(seed: int, rooms: int = 3) -> None:
    scene = generate(seed, WorldSettings(rooms=rooms))
    for question in sample_questions(scene, seed):
        heard = parse_question(PAGE.format(question.text), scene)
        assert heard is not None, question.text
        assert (heard.kind, heard.parameters, heard.truth) == (question.kind, question.parameters, {})
        assert parse_kind(question.text) == question.kind
        assert grade(question, find_kind(heard.kind).oracle(heard), STRICT).score == 1.0, (seed, question.kind)


@pytest.mark.parametrize("seed", range(31))
def test_what_is_heard_is_what_was_asked_and_the_oracle_answers_it(seed: int):
    check(seed)


@pytest.mark.parametrize("rooms", [1, 2, 4, 6])
def test_so_it_is_in_worlds_of_other_sizes(rooms: int):
    for seed in range(3):
        check(seed, rooms)


def test_the_report_of_changes_is_heard_with_its_count():
    question = change_question(perturb(generate(3), 3))
    heard = parse_question(question.text, question.scene)
    assert heard is not None
    assert (heard.kind, heard.parameters) == (question.kind, {"count": 4})


def test_a_question_about_things_that_are_not_there_has_a_kind_but_no_meaning():
    elsewhere = furnished()
    for question in sample_questions(generate(5), 5, kinds=("direction", "perspective_taking", "allocentric_mapping")):
        assert parse_question(question.text, elsewhere) is None, question.text
        assert parse_kind(question.text) == question.kind


def test_a_question_about_a_picture_can_not_be_heard():
    for question in sample_questions(generate(5), 5, kinds=VISION_KINDS):
        assert parse_kind(question.text) is None
        assert parse_question(question.text, question.scene) is None


def test_unless_the_view_is_told_in_its_place():
    scene = generate(5)
    for question in sample_questions(scene, 5, kinds=VISION_KINDS):
        assert question.image is not None
        told = describe_observation(Observation("", question.image.heading, *look(scene, question.image)))
        heard = parse_question(question.text.replace("<image>", told), scene)
        assert heard is not None
        assert heard.kind == find_kind(question.kind).stream
        assert grade(question, find_kind(heard.kind).oracle(heard), STRICT).score == 1.0


@given(st.text(), st.sampled_from(sample_questions(generate(1), 1)), st.integers(0, 400), st.integers(0, 400))
def test_no_text_raises(noise: str, question: Question, start: int, end: int):
    text = question.text
    for garbled in (noise, text[:start] + noise + text[end:], text.replace(" the ", noise)):
        parse_question(garbled, generate(1))
