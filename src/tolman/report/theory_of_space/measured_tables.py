"""The tables of the paper: answers, belief, revision. Which column of scores stands where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.report.cells import Style, number, percent
from tolman.report.intervals import Interval
from tolman.report.sheet import Cell, Head, Row, Sheet
from tolman.report.theory_of_space.figures import Figures
from tolman.report.theory_of_space.layout import Rules, Shown, sheet
from tolman.report.theory_of_space.reference_parts import reference_notes, reference_parts
from tolman.report.theory_of_space.reference_row import ReferenceRow


@dataclass(frozen=True, slots=True)
class Column:
    """A column of scores by its name in `columns`, its place in a table, and how its numbers are written."""

    name: str
    head: Head
    style: Style = percent


ROUTE = {
    "direction": "direc-\ntion",
    "perspective_taking": "persp.\ntake",
    "perspective_decision": "perc.\ndec.",
    "action_to_view": "act2\nview",
    "view_to_action": "view2\nact",
}
SURVEY = {
    "allocentric_mapping": "alloc.\nmap",
    "mental_rotation": "ment.\nrot",
    "location_to_view": "loc2\nview",
    "view_to_location": "view2\nloc",
}
"""Kinds of question in the paper's order, under the names of its tables."""

ANSWERS: dict[MapMode, str] = {
    "none": "Answers, %",
    "true": "Answers given the true map (sufficiency), %",
    "say": "Answers after saying a map first (alignment), %",
    "own": "Answers after the model's own last map (alignment), %",
}
References = Sequence[ReferenceRow]
_COST = "cost: one a look, two a query (the paper's steps); if passive, those of the log that was read"


def answer_sheets(shown: Sequence[Shown], rules: Rules, references: References = ()) -> Iterator[Sheet]:
    """Scores by kind of question, a table for each way of asking with a map."""
    for mode, title in ANSWERS.items():
        asked = [one for one in shown if mode in one.figures.run.options.maps]
        plain = mode == "none"
        notes, others = ((_COST, *reference_notes(references)), references) if plain else ((), ())
        yield from _measured(title, _answer_columns(mode, asked), asked, rules, notes, others)


def _answer_columns(mode: MapMode, shown: Sequence[Shown]) -> list[Column]:
    named = {"Route": ROUTE, "Survey": SURVEY, "Other": _other_kinds(mode, shown)}
    kinds = [
        Column(f"ask/{mode}/{kind}", Head(title, group)) for group, of in named.items() for kind, title in of.items()
    ]
    average = Column(f"ask/{mode}", Head("aver-\nage"))
    cost = Column("explore/cost", Head("cost", "Exploration"), number(1))
    return [*kinds, average, cost, Column("explore/gain", Head("info.\ngain", "Exploration"))]


def _other_kinds(mode: MapMode, shown: Sequence[Shown]) -> dict[str, str]:
    """Kinds that the paper's tables do not have, such as those in pictures."""
    prefix = f"ask/{mode}/"
    asked = {name.removeprefix(prefix) for one in shown for name in _names(one.figures) if name.startswith(prefix)}
    return {kind: kind.replace("_", "\n") for kind in sorted(asked - ROUTE.keys() - SURVEY.keys())}


def _names(figures: Figures) -> set[str]:
    return {name for measured in figures.measured.values() for name in measured.values}


def belief_sheets(shown: Sequence[Shown], rules: Rules, references: References = ()) -> Iterator[Sheet]:
    """How good the maps are that a model states."""
    dimensions = {
        "correctness": "Correctness",
        "perception": "Perception",
        "consistency": "Local↔global",
        "stability": "Stability",
        "self_tracking": "Self-tracking",
    }
    columns = [
        Column(f"map/{dimension}/{part}", Head(title, group))
        for dimension, group in dimensions.items()
        for part, title in (("facing", "ori."), ("position", "pos."), ("overall", "overall"))
        if part != "overall" or dimension == "correctness"
    ]
    notes = ("Correctness: last map; all else: mean over turns. uncertainty: F1 of the points not yet looked at",)
    uncertainty = Column("map/uncertainty", Head("uncer-\ntainty"))
    yield from _measured("Belief quality, %", [*columns, uncertainty], shown, rules, notes, references)


def revision_sheets(shown: Sequence[Shown], rules: Rules, references: References = ()) -> Iterator[Sheet]:
    """How a belief is revised once the world has changed."""
    parts = (("facing", "ori."), ("position", "pos."))
    groups = {"f1": "Identification F1", "correctness": "Correctness", "inertia": "Inertia"}
    costs = [
        Column("revise/cost", Head("all", "Cost"), number(2)),
        Column("revise/redundant", Head("redundant", "Cost"), number(2)),
    ]
    scores = [
        Column(f"revise/{of}/{part}", Head(title, group)) for of, group in groups.items() for part, title in parts
    ]
    notes = ("redundant: after all that changed had been in view. Inertia of positions: pooled over moved things",)
    yield from _measured("Revision after the world has changed, %", [*costs, *scores], shown, rules, notes, references)


def _measured(
    title: str,
    columns: Sequence[Column],
    shown: Sequence[Shown],
    rules: Rules,
    notes: tuple[str, ...],
    references: References,
) -> Iterator[Sheet]:
    def cells(interval: Callable[[str], Interval]) -> tuple[Cell, ...]:
        return tuple(column.style(interval(column.name)) for column in columns)

    def rows(one: Shown) -> tuple[Row, ...]:
        return tuple(Row(name, cells(one.figures.measured[name].interval)) for name in rules)

    below = reference_parts(references, shown, cells, rules)
    yield from sheet(title, [column.head for column in columns], shown, rows, notes, below)
