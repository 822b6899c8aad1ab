"""Agents where answers can be written down beforehand."""

import pytest

from tolman.core.errors import UnknownNameError
from tolman.models.call_context import AnswerCallContext
from tolman.models.scripted.reply import reference_reply

GUESSES = ("a", "b", "c")


def handed(call: str) -> AnswerCallContext:
    return AnswerCallContext(call, "7", "right", "always", GUESSES)


def test_one_knows_one_never_varies_one_guesses() -> None:
    calls = [f"0/{number}" for number in range(300)]
    assert {reference_reply("oracle", handed(call)) for call in calls} == {"right"}
    assert {reference_reply("constant", handed(call)) for call in calls} == {"always"}
    guessed = [reference_reply("random", handed(call)) for call in calls]
    assert all(70 < guessed.count(guess) < 130 for guess in GUESSES)
    assert guessed == [reference_reply("random", handed(call)) for call in calls]
    assert guessed != [reference_reply("random", handed(call), seed=1) for call in calls]


def test_explorers_have_nothing_to_say_here() -> None:
    with pytest.raises(UnknownNameError, match="oracle, random, constant"):
        reference_reply("scout", handed("0/1"))
