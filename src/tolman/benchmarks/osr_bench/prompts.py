"""The prompts for maps and questions, whose texts are in `wordings/`, and the replies that scripted models give to
them.
"""

import json
from collections.abc import Iterable, Sequence
from functools import partial

from tolman.benchmarks.osr_bench.case import CORNERS, Case
from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    AskedSet,
    Question,
)
from tolman.benchmarks.osr_bench.rules import Rules, find_rules
from tolman.core.seeds import rng
from tolman.core.wording import wording
from tolman.models.call_context import AnswerCallContext

_page = partial(wording, __package__ or "")
SPECIAL_ANSWERS = {"not_found": NOT_FOUND, "not_unique": NOT_UNIQUE, "no_candidate": NO_CANDIDATE, "no_other": NO_OTHER}


def map_prompt(case: Case, options: Options, turn: int = 0) -> str:
    """The prompt for the map, sent with the pictures."""
    size, pool = case.truth.size, ", ".join(case.pool)
    if not _rules(options).true_handedness:
        return _page("map_published").fill(pictures=_pictures(options), pool=pool, size=size)
    return _page("map").fill(
        pictures=_pictures(options), pool=pool, size=size, last=size - 1, **_frame(case, options, turn)
    )


def question_prompt(question: Question, options: Options) -> str:
    """The prompt for a question. Without a map it is sent with the pictures."""
    rules, parts = _rules(options), [question.text]
    if options.mode == "none" and options.views == "blind":
        parts[:0] = [_pictures(options)]
    elif options.mode == "none":
        parts[:0] = [_page("before_question").fill()]
        if rules.special_answers_are_told or options.views != "panorama":
            parts[:0] = [_pictures(options)]
    if rules.special_answers_are_told:
        parts.append(_page("meaning").fill(**SPECIAL_ANSWERS))
    parts.append(_page("answer_thinking" if options.think else "answer_plain").fill())
    return "\n\n".join(parts)


def choice_question(question: Question, options: Options) -> str:
    """The prompt for a question whose answer is one of several choices, without these."""
    meaning = _page("meaning").fill(**SPECIAL_ANSWERS)
    if options.asked == "standard":
        meaning = meaning.partition("\nThe error messages")[0]
    return "\n\n".join((_pictures(options), _page("before_question").fill(), question.text, meaning))


def true_map(case: Case, turn: int = 0) -> GridMap:
    """The true map rotated so that its top is nearest to straight ahead of the rotated camera."""
    return case.truth if case.corner is None else case.truth.turned(-_quarters(turn))


def map_reply(world: GridMap) -> str:
    """A map in the reply format."""
    return json.dumps(world.as_coordinates)


def _rules(options: Options) -> Rules:
    return find_rules(options.rules)


def _pictures(options: Options) -> str:
    as_published = options.views == "panorama" and not _rules(options).special_answers_are_told
    return _page("pictures_published" if as_published else f"pictures_{options.views}").fill()


def _frame(case: Case, options: Options, turn: int) -> dict[str, str]:
    """The orientation of the map; left open where it is unknown or the true map is mirrored."""
    if case.corner is None or options.map_handedness != "true":
        return {"frame": _page("frame_any").fill(), "corner": ""}
    corner = CORNERS[(CORNERS.index(case.corner) - _quarters(turn)) % 4]
    return {"frame": _page("frame_ahead").fill(), "corner": _page("corner").fill(corner=corner)}


def _quarters(turn: int) -> int:
    """Quarter turns of the camera, clockwise."""
    return round(turn / 90)


_MAPS = 8
"""Number of random maps."""
_MOST = 6
"""Largest count that is guessed."""
_CONSTANT: dict[AskedSet, dict[str, str]] = {
    "standard": {"counting": "1", "direction": "Front Left"},
    "negative": {"counting": "0", "direction": NO_OTHER},
}
"""The most frequent answers of the released sets; to a question of distance it is the first candidate."""


def scripted_map(call: str, case: Case, turn: int) -> AnswerCallContext:
    """Scripted replies to the map prompt: constant puts each class in the centre, guesses put it in random cells."""
    size = case.truth.size
    constant = json.dumps({name: [[size // 2, size // 2]] for name in case.pool})
    guesses = tuple(_scattered(case.pool, size, case.id, number) for number in range(_MAPS))
    return AnswerCallContext(call, case.id, map_reply(true_map(case, turn)), constant, guesses)


def _scattered(pool: Sequence[str], size: int, case: str, number: int) -> str:
    stream = rng(number, "osr", "guessed map", case)
    return json.dumps({name: [stream.integers(size, size=2).tolist()] for name in pool})


def scripted_answer(call: str, case: Case, options: Options, question: Question) -> AnswerCallContext:
    """Scripted replies to a question."""
    constant = _CONSTANT[options.asked].get(question.kind) or question.names[1]
    return AnswerCallContext(
        call,
        case.id,
        _worded(question.answer, options),
        _worded(constant, options),
        tuple(_worded(guess, options) for guess in possible_answers(question, options.asked)),
    )


def possible_answers(question: Question, asked: AskedSet) -> Iterable[str]:
    """All answers that a guess may give; counts up to a limit."""
    absent = asked == "negative"
    match question.kind:
        case "counting":
            return map(str, range(0 if absent else 1, _MOST + 1))
        case "distance":
            return (*question.names[1:], *((NO_CANDIDATE, NOT_FOUND, NOT_UNIQUE) if absent else ()))
        case "direction":
            return (*DIRECTIONS, *((NO_OTHER, NOT_FOUND, NOT_UNIQUE) if absent else ()))


def _worded(answer: str, options: Options) -> str:
    return f"<think>This was worked out beforehand.</think>\n<answer>{answer}</answer>" if options.think else answer
