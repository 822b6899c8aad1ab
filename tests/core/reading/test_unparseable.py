"""The reasons why a reply could not be parsed."""

from pathlib import Path

import pytest

from tolman.ask import grade, sample_questions
from tolman.core.reading import ParseFailure, failure_reason
from tolman.core.rules import STRICT
from tolman.world import generate


@pytest.mark.parametrize(
    ("reply", "stop", "reason"),
    [
        (None, "stop", ParseFailure.MISSING),
        ("", "stop", ParseFailure.EMPTY),
        (" \n", "stop", ParseFailure.EMPTY),
        ("The lamp is", "max_tokens", ParseFailure.TRUNCATED),
        ("", "max_tokens", ParseFailure.TRUNCATED),
        ("I", "content_filter", ParseFailure.FILTERED),
        ("I’m sorry, but I can't help with that.", "stop", ParseFailure.REFUSED),
        ("cannot determine (lamp not observed)", "stop", ParseFailure.REFUSED),
        ("A lovely room.", "stop", ParseFailure.NO_ANSWER),
    ],
)
def test_how_a_reply_ended_tells_most(reply: str | None, stop: str, reason: ParseFailure):
    assert failure_reason(reply, ParseFailure.NO_ANSWER, stop) is reason


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("north or south, near", ParseFailure.SEVERAL),
        ("not north, near", ParseFailure.NEGATED),
        ("north, near. No.", ParseFailure.TAKEN_BACK),
        ("possibly north, near", ParseFailure.UNSURE),
        ("north", ParseFailure.INCOMPLETE),
        ("What a question!", ParseFailure.NO_ANSWER),
    ],
)
def test_a_grade_says_why_there_is_none(reply: str, reason: ParseFailure):
    (question,) = sample_questions(generate(1), 1, 1, kinds=("direction",))
    graded = grade(question, reply, STRICT)
    assert (graded.format_failure, graded.reason) == (True, reason)


def test_every_reason_is_documented():
    page = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    for reason in ParseFailure:
        assert f"`{reason.value}`" in page
        assert reason.sentence in page
