"""Reference rows: baselines that never saw the picture, on the questions of the runs, and the paper's own tables
(`published_rows.toml`); and the scores of these baselines in every column. A stated baseline of a headline column is
the score of the best known blind strategy on 100 rooms, rounded up to a whole percent.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean
from typing import Literal

from pydantic import BaseModel

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.cases import generated_cases
from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, read_map
from tolman.benchmarks.osr_bench.maps.scores import score_map
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.prompts import scripted_answer, scripted_map
from tolman.benchmarks.osr_bench.questions.question import (
    ASKED,
    QUESTION_KINDS,
    AskedSet,
    Question,
    QuestionKind,
    grade,
)
from tolman.benchmarks.osr_bench.rules import Rules, find_rules
from tolman.benchmarks.osr_bench.runs import MODES, Run
from tolman.benchmarks.osr_bench.scores import MAP_PARSED, map_columns
from tolman.benchmarks.osr_bench.tables.score_tables import ReferenceRow
from tolman.core.grouping import gathered
from tolman.core.rules import RULE_SETS
from tolman.report.baselines import BaselineGrid, BaselineRequest, Values, numbers_of, read_paper
from tolman.report.statistics import Interval, pooled_columns, pooled_interval
from tolman.report.table import point_estimate

BASELINES = {
    "chance": "mean score of all answers that make sense, each as likely as the next; maps with everything somewhere",
    "constant": "the one answer to each kind of question that does best here; maps with everything in the middle",
    "echo": "maps with every class that the prompt names, at four fixed places",
    "none": "maps without anything",
    "prior": "maps of what is most common in rooms of our own, as far as the prompt names it, where it is most common",
}
_GUESSERS = ("chance", "constant")
"""Baselines that also answer questions."""
_MAPS = 4
"""Random maps per scene."""
_ECHOED = ((0.45, 0.1), (0.1, 0.45), (0.45, 0.75), (0.75, 0.45))
"""Columns and rows, as fractions of the grid."""
COMMON_PLACES: Mapping[str, Sequence[tuple[int, int]]] = {
    "window": ((0, 3), (4, 0), (3, 9), (7, 7)),
    "picture": ((0, 5), (1, 1), (7, 5), (5, 8)),
    "door": ((3, 0), (4, 8)),
    "chair": ((2, 4), (5, 6), (3, 2), (1, 8), (7, 3), (1, 1)),
    "rug": ((3, 3), (4, 6), (6, 3), (1, 3)),
}
"""The five most frequent classes of rooms 10000 to 10199, with cells (column, row) on a grid of ten: twice as many as
their mean number of objects, chosen greedily to cover most objects within two cells."""
Answer = Callable[[Question], str]


def baseline_rows(cases: Sequence[Case], asked: AskedSet) -> list[ReferenceRow]:
    """Each baseline under both rule sets, with intervals over the scenes."""
    options = Options(mode="none", asked=asked)
    return [
        ReferenceRow(
            name=name,
            source=BASELINES[name],
            asked=asked,
            think=None,
            values=_answers(cases, options, find_rules(rules), name) | _maps(cases, find_rules(rules), name),
            rules=rules,
            scenes=len(cases),
            same_scenes=True,
        )
        for name in BASELINES
        for rules in RULE_SETS
    ]


def _answers(cases: Sequence[Case], options: Options, rules: Rules, name: str) -> dict[str, Interval]:
    """A guess scores the same in every map condition."""
    found: dict[str, Interval] = {}
    for kind in QUESTION_KINDS if name in _GUESSERS else ():
        scenes = [[question for question in case.questions if question.kind == kind] for case in cases]
        if not any(scenes):
            continue
        if name == "constant":
            scores = _best_constant(scenes, kind, rules)
        else:
            guesses = {id(q): scripted_answer("", case, options, q).guesses for case in cases for q in case.questions}
            scores = [
                [fmean(_score_of(q, guess, rules) for guess in guesses[id(q)]) for q in scene] for scene in scenes
            ]
        found |= {f"{mode}/{kind}": pooled_interval(scores) for mode in MODES}
    return found


def _best_constant(scenes: Sequence[Sequence[Question]], kind: QuestionKind, rules: Rules) -> list[list[float]]:
    """The scores of the constant answer that is best in hindsight."""
    tried = [[[_score_of(q, say(q), rules) for q in scene] for scene in scenes] for say in _constants(scenes, kind)]
    return max(tried, key=lambda scores: sum(map(sum, scores)))


def _constants(scenes: Sequence[Sequence[Question]], kind: QuestionKind) -> Iterator[Answer]:
    """Every answer that is correct somewhere; for distance also the first to fourth candidate."""
    for answer in dict.fromkeys(question.answer for scene in scenes for question in scene):
        yield lambda _, answer=answer: answer
    for place in range(1, 5) if kind == "distance" else ():
        yield lambda question, place=place: question.names[min(place, len(question.names) - 1)]


def _score_of(question: Question, said: str, rules: Rules) -> float:
    if question.kind == "distance":
        return float(said == question.answer)
    return _graded(replace(question, turn=0, names=(), text=""), said, rules)


@cache
def _graded(question: Question, said: str, rules: Rules) -> float:
    return grade(question, said, rules)


def _maps(cases: Sequence[Case], rules: Rules, name: str) -> dict[str, Interval]:
    def means(case: Case) -> dict[str, list[float]]:
        stated = [read_map(reply, rules, case.truth.size) for reply in blind_maps(case, name)]
        scored = [map_columns(score_map(case.truth, each, rules, case.pool)) for each in stated]
        return {column: [fmean(each[column][0] for each in scored if column in each)] for column in scored[0]}

    return pooled_columns(map(means, cases))


def blind_maps(case: Case, name: str) -> Sequence[str]:
    """The replies of a baseline to the map prompt, from its class list alone."""
    size, known = case.truth.size, scripted_map("", case, 0)
    match name:
        case "chance":
            return known.guesses[:_MAPS]
        case "constant":
            return (known.constant,)
        case "echo":
            places = [[int(x * size), int(y * size)] for x, y in _ECHOED]
            return (json.dumps(dict.fromkeys(case.pool, places)),)
        case "prior":
            scaled = {
                cls: [[x * size // GRID_SIZE, y * size // GRID_SIZE] for x, y in at]
                for cls, at in COMMON_PLACES.items()
            }
            return (json.dumps({cls: places for cls, places in scaled.items() if cls in case.pool}),)
        case _:
            return ("{}",)


IN_PERCENT = (MAP_PARSED,)
"""Columns that are printed in percent."""


class PaperTable(BaseModel, extra="forbid", frozen=True):
    """One table of the paper, or its part for one condition."""

    label: str
    asked: AskedSet
    think: bool
    columns: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]
    questions: dict[str, int] = {}
    note: str = ""
    notes: dict[str, str] = {}


class _Source(BaseModel, extra="forbid", frozen=True):
    title: str
    rules: Literal["published"]


class _Paper(BaseModel, extra="forbid", frozen=True):
    source: _Source
    tables: tuple[PaperTable, ...]


@cache
def _paper() -> _Paper:
    return read_paper("tolman.benchmarks.osr_bench.tables", _Paper)


def paper_tables() -> tuple[PaperTable, ...]:
    """The tables as they are printed."""
    return _paper().tables


def published_rows(asked: AskedSet) -> tuple[ReferenceRow, ...]:
    """The paper's rows for a set of questions: one per name and prompt style, merged from all tables."""
    tables = [table for table in paper_tables() if table.asked == asked]
    found = gathered(((name, table.think), table) for table in tables for name in table.rows)
    return tuple(_row(name, asked, think, tables) for (name, think), tables in found.items())


def _row(name: str, asked: AskedSet, think: bool, tables: list[PaperTable]) -> ReferenceRow:
    source, values = _paper().source, dict[str, Interval]()
    for table in tables:
        for column, printed in zip(table.columns, table.rows[name], strict=True):
            values[column] = point_estimate(printed / 100 if column in IN_PERCENT else printed)
    asked_of = next((table.questions[name] for table in tables if name in table.questions), None)
    notes = [note for table in tables for note in (table.note, table.notes.get(name, "")) if note]
    return ReferenceRow(
        name=name if asked_of is None else f"{name} · {asked_of} questions",
        source=f"{source.title} ({', '.join(dict.fromkeys(table.label for table in tables))})",
        asked=asked,
        think=think,
        values=values,
        rules=source.rules,
        notes=tuple(notes),
    )


def reference_rows(runs: Sequence[Run], *, baselines: bool = True, published: bool = True) -> list[ReferenceRow]:
    """All reference rows for each set of questions of the runs: baselines, then the paper's."""
    found: list[ReferenceRow] = []
    for asked in ASKED:
        of_set = [run for run in runs if run.condition.asked == asked]
        if of_set and baselines:
            found += baseline_rows(common_cases(of_set), asked)
        if of_set and published:
            found += published_rows(asked)
    return found


def common_cases(runs: Sequence[Run]) -> list[Case]:
    """The cases, with equal questions, that all runs share; if there are none, all cases."""
    logged = [[case.logged.case for case in run.cases] for run in runs if run.cases]
    cases = [{replace(case, picture=""): case for case in of_run} for of_run in logged]
    everything = {content: case for of_run in cases for content, case in of_run.items()}
    shared = [case for content, case in everything.items() if all(content in of_run for of_run in cases)]
    return shared or list(everything.values())


_MAP_TITLES = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "mirrored_f1": "F1 of the mirror image",
    "distance": "cells off",
    "success": "read",
    "invents": "maps that invent",
    "invented_classes": "invented classes",
    "invented_objects": "invented objects",
}
_ROOMS_STATED = {
    "standard/counting": 0.63,
    "standard/distance": 0.27,
    "standard/direction": 0.14,
    "negative/counting": 0.45,
    "negative/distance": 0.18,
    "negative/direction": 0.10,
    "standard/map/f1": 0.27,
}
_LISTS = {"standard": "map", "negative": "map, negative", "exact": "map, exact list of classes"}


def baseline_grid(request: BaselineRequest) -> BaselineGrid:
    """OSR-Bench on generated rooms: both sets of questions, and maps with exact class lists, as released."""
    values: Values = {}
    kinds = ("standard", "negative")
    asked_sets: dict[str, tuple[AskedSet, Options]] = {
        "standard": ("standard", Options()),
        "negative": ("negative", Options(asked="negative")),
        "exact": ("standard", Options(class_list="exact")),
    }
    for prefix, (asked, options) in asked_sets.items():
        for row in baseline_rows(generated_cases(request.seeds, options), asked):
            found = values.setdefault(row.name, {}).setdefault(row.rules, {})
            for column, value in numbers_of(row.values).items():
                if column.startswith("none/") and prefix in kinds:
                    found[f"{prefix}/{column.removeprefix('none/')}"] = value
                elif column.startswith("map/"):
                    found[f"{prefix}/{column}"] = value
    columns = {f"{asked}/{kind}": f"{asked} questions, {kind}" for asked in kinds for kind in QUESTION_KINDS}
    columns |= {
        f"{of}/map/{key}": f"{title}: {name}" for of, title in _LISTS.items() for key, name in _MAP_TITLES.items()
    }
    plain = tuple(f"{of}/map/distance" for of in _LISTS)
    topics = {"standard/counting": "questions", **{f"{of}/map/f1": title for of, title in _LISTS.items()}}
    rooms = f"rooms {request.scenes}"
    return BaselineGrid(
        "OSR-Bench", rooms, len(request.seeds), BASELINES, columns, _ROOMS_STATED, values, plain, topics
    )
