"""Forms in which a person answers, and the text that a model would have written. Nothing else goes into a record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from tolman.ask import Question, find_kind
from tolman.ask.relations import DISTANCES, RelationKind
from tolman.belief.cognitive_map import UnexploredForm
from tolman.explore.actions import Actions, Term
from tolman.play.sitting import Wanted
from tolman.world import Change

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

Fields = Mapping[str, Sequence[str]]
"""What a form sent, by name of the field."""

REPLY, END, LETTER, CHANGE = "reply", "end", "letter", "change"
"""Names of fields: a reply in words, the button that ends a phase, a point, a thing that changed."""
POSITION, ORIENTATION = "position", "orientation"


def composed(wanted: Wanted, fields: Fields) -> str:
    """The reply that a form makes; empty where something is missing. Words of one's own go before everything else."""
    if wanted.is_turn and END in fields:
        return str(Actions((), Term(_changes(wanted, fields) if wanted.episode.phase == "revise" else None)))
    said = first(fields, REPLY).strip()
    if said or wanted.is_turn:
        return said
    if wanted.probe == "points":
        return UnexploredForm(unexplored=sorted(set(fields.get(LETTER, ())))).model_dump_json()
    form = answer_form(wanted.question) if wanted.question else None
    return "" if form is None else form.answer({name: first(fields, name) for name in fields})


def _changes(wanted: Wanted, fields: Fields) -> tuple[Change, ...]:
    """What a person says has changed: one choice for each thing."""
    changes: list[Change] = []
    for number, name in enumerate(wanted.episode.brief.things):
        kind = first(fields, f"{CHANGE}-{number}")
        if kind == POSITION:
            changes.append(Change(name, "position"))
        elif kind == ORIENTATION:
            changes.append(Change(name, "orientation"))
    return tuple(changes)


def first(fields: Fields, name: str) -> str:
    """The first value of a field; empty where there is none."""
    return next(iter(fields.get(name, ())), "")
