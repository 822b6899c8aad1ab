"""Rows of those who never saw the picture, on the very questions and maps of the runs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean

from tolman.benchmarks.osr_bench.grading import grade
from tolman.benchmarks.osr_bench.grid_map import SIZE
from tolman.benchmarks.osr_bench.known_answers import known_answer, known_map
from tolman.benchmarks.osr_bench.map_reading import read_map
from tolman.benchmarks.osr_bench.map_scores import score_map
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import OsrRules, osr_rules
from tolman.benchmarks.osr_bench.question import QUESTION_KINDS, AskedSet, Question, QuestionKind
from tolman.report.intervals import Interval, pooled_interval
from tolman.report.osr_bench.osr_columns import map_columns
from tolman.report.osr_bench.osr_figures import RULES
from tolman.report.osr_bench.osr_logs import MODES
from tolman.report.osr_bench.reference_row import ReferenceRow

MEANING = {
    "chance": "mean score of all answers that make sense, each as likely as the next; maps with everything somewhere",
    "constant": "the one answer to each kind of question that does best here; maps with everything in the middle",
    "echo": "maps with every class that the prompt names, at four fixed places",
    "none": "maps without anything",
    "prior": "maps of what is most common in rooms of our own, as far as the prompt names it, where it is most common",
}
_GUESSERS = ("chance", "constant")
"""Those who also answer."""
_MAPS = 4
"""Guessed maps a scene."""
_ECHOED = ((0.45, 0.1), (0.1, 0.45), (0.45, 0.75), (0.75, 0.45))
"""Columns and rows, in shares of the grid."""
COMMON: Mapping[str, Sequence[tuple[int, int]]] = {
    "window": ((0, 3), (4, 0), (3, 9), (7, 7)),
    "picture": ((0, 5), (1, 1), (7, 5), (5, 8)),
    "door": ((3, 0), (4, 8)),
    "chair": ((2, 4), (5, 6), (3, 2), (1, 8), (7, 3), (1, 1)),
    "rug": ((3, 3), (4, 6), (6, 3), (1, 3)),
}
"""The five classes that most of rooms 10000 to 10199 hold: twice as many places as there are of each, column and row
on a grid of ten, one after another where most of what is left lies within two cells."""
Answer = Callable[[Question], str]


def baseline_rows(cases: Sequence[OsrCase], asked: AskedSet) -> list[ReferenceRow]:
    """Each baseline under both rule sets, with intervals over the scenes."""
    options = OsrOptions(mode="none", asked=asked)
    return [
        ReferenceRow(
            name=name,
            source=MEANING[name],
            asked=asked,
            think=None,
            values=_answers(cases, options, osr_rules(rules), name) | _maps(cases, osr_rules(rules), name),
            rules=rules,
            scenes=len(cases),
            same_scenes=True,
        )
        for name in MEANING
        for rules in RULES
    ]


def _answers(cases: Sequence[OsrCase], options: OsrOptions, rules: OsrRules, name: str) -> dict[str, Interval]:
    """A guess is worth the same whichever map is in hand."""
    found: dict[str, Interval] = {}
    for kind in QUESTION_KINDS if name in _GUESSERS else ():
        scenes = [[question for question in case.questions if question.kind == kind] for case in cases]
        if not any(scenes):
            continue
        if name == "constant":
            scores = _best_constant(scenes, kind, rules)
        else:
            guesses = {id(q): known_answer("", case, options, q).guesses for case in cases for q in case.questions}
            scores = [[fmean(_worth(q, guess, rules) for guess in guesses[id(q)]) for q in scene] for scene in scenes]
        found |= {f"{mode}/{kind}": pooled_interval(scores) for mode in MODES}
    return found


def _best_constant(scenes: Sequence[Sequence[Question]], kind: QuestionKind, rules: OsrRules) -> list[list[float]]:
    """The scores of the answer that does best if it is given to all questions, which is known afterwards only."""
    tried = [[[_worth(q, say(q), rules) for q in scene] for scene in scenes] for say in _constants(scenes, kind)]
    return max(tried, key=lambda scores: sum(map(sum, scores)))


def _constants(scenes: Sequence[Sequence[Question]], kind: QuestionKind) -> Iterator[Answer]:
    """Every answer that is right somewhere; of candidates also the first, the second and so on."""
    for answer in dict.fromkeys(question.answer for scene in scenes for question in scene):
        yield lambda _, answer=answer: answer
    for place in range(1, 5) if kind == "distance" else ():
        yield lambda question, place=place: question.names[min(place, len(question.names) - 1)]


def _worth(question: Question, said: str, rules: OsrRules) -> float:
    if question.kind == "distance":
        return float(said == question.answer)
    return _graded(replace(question, turn=0, names=(), text=""), said, rules)


@cache
def _graded(question: Question, said: str, rules: OsrRules) -> float:
    return grade(question, said, rules)


def _maps(cases: Sequence[OsrCase], rules: OsrRules, name: str) -> dict[str, Interval]:
    columns: dict[str, list[list[float]]] = {}
    for case in cases:
        stated = [read_map(reply, rules, case.truth.size) for reply in blind_maps(case, name)]
        scored = [map_columns(score_map(case.truth, each, rules, case.pool)) for each in stated]
        for column in scored[0]:
            columns.setdefault(column, []).append([fmean(each[column][0] for each in scored if column in each)])
    return {column: pooled_interval(values) for column, values in columns.items()}


def blind_maps(case: OsrCase, name: str) -> Sequence[str]:
    """The replies of a baseline to the request for a map; the classes that the prompt names are all it knows."""
    size, known = case.truth.size, known_map("", case, 0)
    match name:
        case "chance":
            return known.guesses[:_MAPS]
        case "constant":
            return (known.constant,)
        case "echo":
            places = [[int(x * size), int(y * size)] for x, y in _ECHOED]
            return (json.dumps(dict.fromkeys(case.pool, places)),)
        case "prior":
            scaled = {cls: [[x * size // SIZE, y * size // SIZE] for x, y in at] for cls, at in COMMON.items()}
            return (json.dumps({cls: places for cls, places in scaled.items() if cls in case.pool}),)
        case _:
            return ("{}",)
