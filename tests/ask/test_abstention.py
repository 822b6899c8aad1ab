"""Replies that leave a question open are recognised in any form, and the points make honesty pay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.ask import oracle_reply, sample_questions, wrong_reply
from tolman.ask.abstention import abstention_request, grade_decision, loss_of, points_for, threshold_in
from tolman.world import generate

QUESTIONS = sample_questions(generate(3), 3, 1)
ABSTAINING = (
    "FINAL ANSWER:\ncannot tell",
    "Cannot tell.",
    "**cannot tell**",
    r"\boxed{cannot tell}",
    "```\ncannot tell\n```",
    "“Cannot tell”",
    "Answer: cannot tell",
    "<think>It could be north, near.</think>\nCannot tell",
    "FINAL ANSWER: I can’t tell, since it was never in view.",
    "It cannot be determined from the log.",
    "There is not enough information to say.",
    "I don't know",
)


@pytest.mark.parametrize("reply", ABSTAINING)
def test_a_reply_that_leaves_the_question_open_is_recognised_for_every_kind(reply: str) -> None:
    for question in QUESTIONS:
        assert grade_decision(question, reply).decision == "abstained", question.kind


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.kind)
def test_answers_are_graded_as_ever(question: object) -> None:
    right = grade_decision(question, f"THINK:\nI can't tell at first.\nFINAL ANSWER:\n{oracle_reply(question)}")  # type: ignore[arg-type]
    wrong = grade_decision(question, f"FINAL ANSWER:\n{wrong_reply(question)}")  # type: ignore[arg-type]
    assert (right.decision, right.score, right.points(0.75)) == ("answered", 1.0, 1.0)
    assert (wrong.decision, wrong.score) == ("answered", 0.0)
    assert wrong.points(0.75) == pytest.approx(-3.0)


def test_an_unparseable_reply_never_beats_leaving_the_question_open() -> None:
    said = grade_decision(QUESTIONS[0], "a pear")
    assert said.decision == "unparseable"
    assert said.points(0.75) == pytest.approx(-loss_of(0.75))


def test_thoughts_that_were_cut_off_are_no_abstention() -> None:
    thoughts = "Let me think about where I am. " * 30 + "So far this is unknown, but when I went to the door,"
    assert grade_decision(QUESTIONS[0], thoughts).decision == "unparseable"


@given(expected=st.floats(0, 1), threshold=st.floats(0.01, 0.99))
def test_answering_pays_exactly_above_the_threshold(expected: float, threshold: float) -> None:
    pays = expected * points_for(1.0, threshold) + (1 - expected) * points_for(0.0, threshold)
    assert pays == pytest.approx(points_for(expected, threshold), abs=1e-9)
    if abs(expected - threshold) > 1e-9:
        assert (pays > 0) == (expected > threshold)


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    for question in QUESTIONS:
        assert grade_decision(question, text).decision in ("answered", "abstained", "unparseable")


@given(threshold=st.floats(0.05, 0.95))
def test_the_threshold_is_in_the_request(threshold: float) -> None:
    assert threshold_in(f"A question\n\n{abstention_request(threshold)}\n\nReply") == pytest.approx(threshold, abs=1e-3)
    assert threshold_in("A question") is None
