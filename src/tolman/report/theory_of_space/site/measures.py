"""The columns of the report's tables: which score, under which title, written how."""

from collections.abc import Iterable
from dataclasses import dataclass

from tolman.report.cells import Style, number, percent
from tolman.report.site.table import Head
from tolman.report.theory_of_space.measured_tables import ROUTE, SURVEY
from tolman.report.theory_of_space.site.listed import Listed


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of scores by its name in `columns`, its place in a table, and how its numbers are written."""

    column: str
    head: Head
    style: Style = percent


KINDS = (*ROUTE, *SURVEY)
"""The nine kinds of question, in the paper's order."""
COST = Measure("explore/cost", Head("cost", "Exploration"), number(1))
GAIN = Measure("explore/gain", Head("information gain", "Exploration"))


def answers(mode: str, asked: Iterable[str] = KINDS) -> tuple[Measure, ...]:
    """Each kind of question, asked with this map in hand, and their mean; kinds beyond the nine stand apart."""
    groups = {"Route": ROUTE, "Survey": SURVEY, "Other": [kind for kind in asked if kind not in KINDS]}
    kinds = [Measure(f"ask/{mode}/{kind}", Head(spoken(kind), group)) for group, of in groups.items() for kind in of]
    return (*kinds, Measure(f"ask/{mode}", Head("average")), COST, GAIN)


def kinds_asked(one: Listed, mode: str) -> set[str]:
    """Kinds of question that a run was asked."""
    prefix = f"ask/{mode}/"
    return {column.removeprefix(prefix) for column in one.strict.values if column.startswith(prefix)}


def spoken(kind: str) -> str:
    """A kind of question, in words."""
    return kind.replace("_", " ")


_DIMENSIONS = {
    "correctness": "Correctness",
    "perception": "Perception",
    "consistency": "Local and global",
    "stability": "Stability",
    "self_tracking": "Self-tracking",
}
_PARTS = {"facing": "facing", "position": "position", "overall": "overall"}

BELIEF = (
    *(
        Measure(f"map/{dimension}/{part}", Head(title, group))
        for dimension, group in _DIMENSIONS.items()
        for part, title in _PARTS.items()
        if part != "overall" or dimension == "correctness"
    ),
    Measure("map/uncertainty", Head("unexplored points, F1")),
)

REVISION = (
    Measure("revise/cost", Head("all", "Cost"), number(2)),
    Measure("revise/redundant", Head("redundant", "Cost"), number(2)),
    Measure("revise/f1", Head("all", "Changes found, F1")),
    Measure("revise/f1/facing", Head("turned", "Changes found, F1")),
    Measure("revise/f1/position", Head("moved", "Changes found, F1")),
    Measure("revise/correctness/facing", Head("facing", "Correctness")),
    Measure("revise/correctness/position", Head("position", "Correctness")),
    Measure("revise/inertia/facing", Head("facing", "Inertia")),
    Measure("revise/inertia/position", Head("position", "Inertia")),
)
