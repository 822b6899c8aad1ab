"""What a model is told: about the pictures, the map it is to state, and how to answer. The words are in `wordings/`."""

import json
from functools import partial

from tolman.benchmarks.osr_bench.answers import NO_CANDIDATE, NO_OTHER, NOT_FOUND, NOT_UNIQUE
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.osr_case import CORNERS, OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import OsrRules, osr_rules
from tolman.benchmarks.osr_bench.question import Question
from tolman.wording import wording

_page = partial(wording, __package__ or "")
SPECIAL = {"not_found": NOT_FOUND, "not_unique": NOT_UNIQUE, "no_candidate": NO_CANDIDATE, "no_other": NO_OTHER}


def map_prompt(case: OsrCase, options: OsrOptions, turn: int = 0) -> str:
    """The request for a map; it comes with the pictures."""
    size, pool = case.truth.size, ", ".join(case.pool)
    if not _rules(options).true_handedness:
        return _page("map_published").fill(pictures=_pictures(options), pool=pool, size=size)
    return _page("map").fill(
        pictures=_pictures(options), pool=pool, size=size, last=size - 1, **_frame(case, options, turn)
    )


def question_prompt(question: Question, options: OsrOptions) -> str:
    """A question with how to answer it. Where no map comes before it, it comes with the pictures."""
    rules, parts = _rules(options), [question.text]
    if options.mode == "none" and options.views == "blind":
        parts[:0] = [_pictures(options)]
    elif options.mode == "none":
        parts[:0] = [_page("before_question").text]
        if rules.special_answers_are_told or options.views != "panorama":
            parts[:0] = [_pictures(options)]
    if rules.special_answers_are_told:
        parts.append(_page("meaning").fill(**SPECIAL))
    parts.append(_page("answer_thinking" if options.think else "answer_plain").text)
    return "\n\n".join(parts)


def true_map(case: OsrCase, turn: int = 0) -> GridMap:
    """The true map with the side at the top that is straight ahead, or nearest to it, once the camera is turned."""
    return case.truth if case.corner is None else case.truth.turned(-_quarters(turn))


def said_map(world: GridMap) -> str:
    """A map as a model is to state it."""
    return json.dumps(world.as_coordinates)


def _rules(options: OsrOptions) -> OsrRules:
    return osr_rules(options.rules)


def _pictures(options: OsrOptions) -> str:
    plainly = options.views == "panorama" and not _rules(options).special_answers_are_told
    return _page("pictures_published" if plainly else f"pictures_{options.views}").text


def _frame(case: OsrCase, options: OsrOptions, turn: int) -> dict[str, str]:
    """Which way the map lies. Nothing is said where it is not known, or where the truth is a mirror image."""
    if case.corner is None or options.hand != "true":
        return {"frame": _page("frame_any").text, "corner": ""}
    corner = CORNERS[(CORNERS.index(case.corner) - _quarters(turn)) % 4]
    return {"frame": _page("frame_ahead").text, "corner": _page("corner").fill(corner=corner)}


def _quarters(turn: int) -> int:
    """Quarter turns of the camera, clockwise."""
    return round(turn / 90)
