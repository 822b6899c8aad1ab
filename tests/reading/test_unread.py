"""The reasons why a reply could not be parsed."""

from pathlib import Path

import pytest

from tolman.ask import ask_all, grade
from tolman.reading import Unread, why_unread
from tolman.rules import STRICT
from tolman.world import generate


@pytest.mark.parametrize(
    ("reply", "stop", "reason"),
    [
        (None, "stop", Unread.MISSING),
        ("", "stop", Unread.EMPTY),
        (" \n", "stop", Unread.EMPTY),
        ("The lamp is", "max_tokens", Unread.TRUNCATED),
        ("", "max_tokens", Unread.TRUNCATED),
        ("I", "content_filter", Unread.FILTERED),
        ("I’m sorry, but I can't help with that.", "stop", Unread.REFUSED),
        ("cannot determine (lamp not observed)", "stop", Unread.REFUSED),
        ("A lovely room.", "stop", Unread.NO_ANSWER),
    ],
)
def test_how_a_reply_ended_tells_most(reply: str | None, stop: str, reason: Unread):
    assert why_unread(reply, Unread.NO_ANSWER, stop) is reason


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("north or south, near", Unread.SEVERAL),
        ("not north, near", Unread.NEGATED),
        ("north, near. No.", Unread.TAKEN_BACK),
        ("possibly north, near", Unread.UNSURE),
        ("north", Unread.INCOMPLETE),
        ("What a question!", Unread.NO_ANSWER),
    ],
)
def test_a_grade_says_why_there_is_none(reply: str, reason: Unread):
    (question,) = ask_all(generate(1), 1, 1, kinds=("direction",))
    graded = grade(question, reply, STRICT)
    assert (graded.format_failure, graded.reason) == (True, reason)


def test_every_reason_is_documented():
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    for reason in Unread:
        assert f"`{reason.value}`" in page
        assert reason.sentence in page
