"""Forms in which a person answers: for each kind of question, the gaps of the answer that a model would write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from tolman.ask import Question, find_kind
from tolman.ask.relations import DISTANCES, RelationKind

_MOST = 9999
"""Largest coordinate that a person can enter, in cells."""


@dataclass(frozen=True)
class Gap:
    """One part of an answer: one of some words, or a whole number where there are none."""

    name: str
    label: str
    choices: tuple[str, ...] = ()
    of: str = ""
    """What the part is about, where several are about one thing."""

    def filled(self, value: str) -> str | None:
        """The value as it is written into the answer; None where it does not fit."""
        value = value.strip()
        if self.choices:
            return value if value in self.choices else None
        digits = value.removeprefix("-")
        whole = digits.isascii() and digits.isdecimal() and int(digits) <= _MOST
        return str(int(value)) if whole else None


@dataclass(frozen=True)
class AnswerForm:
    """An answer with gaps; the pattern has one `{}` for each."""

    gaps: tuple[Gap, ...]
    pattern: str

    @property
    def by_thing(self) -> list[tuple[str, list[Gap]]]:
        """Gaps that are about one thing, together."""
        return [(of, list(gaps)) for of, gaps in groupby(self.gaps, lambda gap: gap.of)]

    def answer(self, fields: Mapping[str, str]) -> str:
        """The answer in words; empty where a gap was left open."""
        values = [gap.filled(fields.get(gap.name, "")) for gap in self.gaps]
        return self.pattern.format(*values) if None not in values else ""


def answer_form(question: Question) -> AnswerForm | None:
    """The form that fits a question; None where free text does best, as for a plan."""
    if isinstance(kind := find_kind(question.kind), RelationKind):
        words = tuple(map(str, kind.directions))
        return AnswerForm((Gap("direction", "Direction", words), Gap("distance", "Distance", _DISTANCES)), "{}, {}")
    make = _FORMS.get(question.kind)
    return None if make is None else make(question)


_DISTANCES = tuple(map(str, DISTANCES))


def _name(question: Question) -> AnswerForm:
    return AnswerForm((Gap("name", "Object", tuple(thing.name for thing in question.scene.things)),), "{}")


def _in_order(question: Question) -> AnswerForm:
    things = _things(question)
    gaps = tuple(Gap(f"place{number}", f"{number}.", things) for number in range(1, len(things) + 1))
    return AnswerForm(gaps, ", ".join("{}" for _ in things))


def _coordinates(question: Question) -> AnswerForm:
    things = _things(question)
    gaps = tuple(Gap(f"{axis}{number}", axis, of=name) for number, name in enumerate(things) for axis in "xy")
    return AnswerForm(gaps, "; ".join("({}, {})" for _ in things))


def _place(question: Question) -> AnswerForm:
    del question
    return AnswerForm((Gap("x", "x", of="You are at"), Gap("y", "y", of="You are at")), "({}, {})")


def _things(question: Question) -> tuple[str, ...]:
    return tuple(cast("list[str]", question.parameters["things"]))


_FORMS: dict[str, Callable[[Question], AnswerForm]] = {
    "perspective_decision": _name,
    "perspective_decision_vision": _name,
    "mental_rotation": _in_order,
    "allocentric_mapping": _coordinates,
    "view_to_location": _place,
    "view_to_location_vision": _place,
}
