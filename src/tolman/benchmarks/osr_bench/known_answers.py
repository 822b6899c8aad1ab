"""What scripted models are handed with each call: the right reply, one that never varies, and guesses."""

import json
from collections.abc import Iterable, Sequence

from tolman.benchmarks.osr_bench.answers import DIRECTIONS, NO_CANDIDATE, NO_OTHER, NOT_FOUND, NOT_UNIQUE
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_prompts import said_map, true_map
from tolman.benchmarks.osr_bench.question import AskedSet, Question
from tolman.models.handed import HandedAnswers
from tolman.seeds import rng

_MAPS = 8
"""Guesses of a map."""
_MOST = 6
"""Objects that a guess of a count goes up to."""
_CONSTANT: dict[AskedSet, dict[str, str]] = {
    "standard": {"counting": "1", "direction": "Front Left"},
    "negative": {"counting": "0", "direction": NO_OTHER},
}
"""The most frequent answers of the released sets; to a question of distance it is the first candidate."""


def known_map(call: str, case: OsrCase, turn: int) -> HandedAnswers:
    """For the request of a map: constantly everything once in the middle; as a guess everything once somewhere."""
    size = case.truth.size
    constant = json.dumps({name: [[size // 2, size // 2]] for name in case.pool})
    guesses = tuple(_scattered(case.pool, size, case.id, number) for number in range(_MAPS))
    return HandedAnswers(call, case.id, said_map(true_map(case, turn)), constant, guesses)


def _scattered(pool: Sequence[str], size: int, case: str, number: int) -> str:
    stream = rng(number, "osr", "guessed map", case)
    return json.dumps({name: [stream.integers(size, size=2).tolist()] for name in pool})


def known_answer(call: str, case: OsrCase, options: OsrOptions, question: Question) -> HandedAnswers:
    """For a question."""
    constant = _CONSTANT[options.asked].get(question.kind) or question.names[1]
    return HandedAnswers(
        call,
        case.id,
        _worded(question.answer, options),
        _worded(constant, options),
        tuple(_worded(guess, options) for guess in _possible(question, options.asked)),
    )


def _possible(question: Question, asked: AskedSet) -> Iterable[str]:
    absent = asked == "negative"
    match question.kind:
        case "counting":
            return map(str, range(0 if absent else 1, _MOST + 1))
        case "distance":
            return (*question.names[1:], *((NO_CANDIDATE, NOT_FOUND, NOT_UNIQUE) if absent else ()))
        case "direction":
            return (*DIRECTIONS, *((NO_OTHER, NOT_FOUND, NOT_UNIQUE) if absent else ()))


def _worded(answer: str, options: OsrOptions) -> str:
    return f"<think>This was worked out beforehand.</think>\n<answer>{answer}</answer>" if options.think else answer
