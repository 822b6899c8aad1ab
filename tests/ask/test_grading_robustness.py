"""No text makes a grader raise, leave [0, 1], or take long."""

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ask.replies import EDITS, PIECES, edited, wrapped_replies
from tolman.ask import VISION_KINDS, Question, grade, sample_questions
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import generate


@cache
def questions() -> tuple[Question, ...]:
    """One of each kind."""
    scene = generate(1)
    return sample_questions(scene, 1, 1) + sample_questions(scene, 1, 1, kinds=VISION_KINDS)


def check(reply: str, among: tuple[Question, ...]) -> None:
    for question in among:
        for rules in (PUBLISHED, STRICT):
            graded = grade(question, reply, rules)
            assert 0.0 <= graded.score <= 1.0
            assert graded.score == 0.0 or not graded.format_failure


anything = st.text(max_size=80) | st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join)
real_looking = st.sampled_from([(question, reply) for question in questions() for reply in wrapped_replies(question)])


@given(anything)
def test_any_text_is_graded(reply: str):
    check(reply, questions())


@given(real_looking, EDITS)
def test_spoilt_replies_are_graded(real: tuple[Question, str], edits: list[tuple[int, int, str]]):
    check(edited(real[1], edits), (real[0],))


@pytest.mark.slow
@settings(max_examples=100_000)
@given(real_looking, EDITS)
def test_a_hundred_thousand_spoilt_replies_are_graded(real: tuple[Question, str], edits: list[tuple[int, int, str]]):
    check(edited(real[1], edits), (real[0],))


LONG = 100_000
HARD = (
    "<cogmap>",
    "(",
    "[",
    "```json{",
    "\\boxed{",
    " ",
    "\n",
    "1,",
    "1 ",
    "answer ",
    "Rotate(",
    "front slightly ",
    "a",
)


@pytest.mark.parametrize(
    "kind", ["direction", "mental_rotation", "perspective_decision", "view_to_action", "view_to_location"]
)
def test_long_hostile_replies_take_linear_time(kind: str):
    (question,) = (question for question in questions() if question.kind == kind)
    for piece in HARD:
        begin = time.process_time()
        for rules in (PUBLISHED, STRICT):
            check_reply = "FINAL ANSWER: " + piece * (LONG // len(piece))
            assert grade(question, check_reply, rules).score <= 1.0
        assert time.process_time() - begin < 5.0, piece
