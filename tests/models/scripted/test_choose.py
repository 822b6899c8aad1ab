"""Agents where answers can be written down beforehand."""

import pytest

from tolman.errors import UnknownNameError
from tolman.models.handed import HandedAnswers
from tolman.models.scripted.choose import choose

GUESSES = ("a", "b", "c")


def handed(call: str) -> HandedAnswers:
    return HandedAnswers(call, "7", "right", "always", GUESSES)


def test_one_knows_one_never_varies_one_guesses() -> None:
    calls = [f"0/{number}" for number in range(300)]
    assert {choose("oracle", handed(call)) for call in calls} == {"right"}
    assert {choose("constant", handed(call)) for call in calls} == {"always"}
    guessed = [choose("random", handed(call)) for call in calls]
    assert all(70 < guessed.count(guess) < 130 for guess in GUESSES)
    assert guessed == [choose("random", handed(call)) for call in calls]
    assert guessed != [choose("random", handed(call), seed=1) for call in calls]


def test_explorers_have_nothing_to_say_here() -> None:
    with pytest.raises(UnknownNameError, match="oracle, random, constant"):
        choose("scout", handed("0/1"))
