"""Replies of people: answer forms and their text, and the check that a reply can be parsed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from tolman.ask import Question, find_kind, grade
from tolman.ask.relations import DISTANCES, RelationKind
from tolman.belief.cognitive_map import UnexploredForm
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.core.rules import STRICT
from tolman.explore.actions import ROTATIONS, Actions, Goto, Query, Rotate, Term
from tolman.explore.grammar import FormatFailure, read_actions
from tolman.play.playable import Fields, first
from tolman.play.theory_of_space.session import RequestedReply
from tolman.world import AGENT, START, Change

_MOST = 9999
"""Largest coordinate that a person can enter, in cells."""


@dataclass(frozen=True)
class AnswerField:
    """One field of an answer: a choice among words, or an integer where there are no choices."""

    name: str
    label: str
    choices: tuple[str, ...] = ()
    of: str = ""
    """The subject of the field, where several fields share one."""

    def parsed(self, value: str) -> str | None:
        """The value as text of the answer; None where it is invalid."""
        value = value.strip()
        if self.choices:
            return value if value in self.choices else None
        digits = value.removeprefix("-")
        whole = digits.isascii() and digits.isdecimal() and int(digits) <= _MOST
        return str(int(value)) if whole else None


@dataclass(frozen=True)
class AnswerForm:
    """An answer form; the pattern has one `{}` for each field."""

    fields: tuple[AnswerField, ...]
    pattern: str

    @property
    def by_subject(self) -> list[tuple[str, list[AnswerField]]]:
        """Fields grouped by subject."""
        return [(of, list(fields)) for of, fields in groupby(self.fields, lambda each: each.of)]

    def answer(self, given: Mapping[str, str]) -> str:
        """The answer as text; empty where a field is missing or invalid."""
        values = [each.parsed(given.get(each.name, "")) for each in self.fields]
        return self.pattern.format(*values) if None not in values else ""


def answer_form(question: Question) -> AnswerForm | None:
    """The form for a question; None where the answer is free text, as for a plan."""
    if isinstance(kind := find_kind(question.kind), RelationKind):
        words = tuple(map(str, kind.directions))
        return AnswerForm(
            (AnswerField("direction", "Direction", words), AnswerField("distance", "Distance", _DISTANCES)), "{}, {}"
        )
    make = _FORMS.get(question.kind)
    return None if make is None else make(question)


_DISTANCES = tuple(map(str, DISTANCES))


def _name(question: Question) -> AnswerForm:
    return AnswerForm((AnswerField("name", "Object", tuple(thing.name for thing in question.scene.things)),), "{}")


def _in_order(question: Question) -> AnswerForm:
    things = _things(question)
    fields = tuple(AnswerField(f"place{number}", f"{number}.", things) for number in range(1, len(things) + 1))
    return AnswerForm(fields, ", ".join("{}" for _ in things))


def _coordinates(question: Question) -> AnswerForm:
    things = _things(question)
    fields = tuple(AnswerField(f"{axis}{number}", axis, of=name) for number, name in enumerate(things) for axis in "xy")
    return AnswerForm(fields, "; ".join("({}, {})" for _ in things))


def _place(question: Question) -> AnswerForm:
    del question
    return AnswerForm((AnswerField("x", "x", of="You are at"), AnswerField("y", "y", of="You are at")), "({}, {})")


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

REPLY, END, LETTER, CHANGE = "reply", "end", "letter", "change"
"""Field names: a reply as text, the button that ends a phase, a point, a changed thing."""
POSITION, ORIENTATION = "position", "orientation"


def compose_reply(requested: RequestedReply, fields: Fields) -> str:
    """The reply in a submitted form; empty where something is missing. Free text takes precedence."""
    if requested.is_turn and END in fields:
        return str(Actions((), Term(_changes(requested, fields) if requested.episode.phase == "revise" else None)))
    said = first(fields, REPLY).strip()
    if said or requested.is_turn:
        return said
    if requested.elicits == "points":
        return UnexploredForm(unexplored=sorted(set(fields.get(LETTER, ())))).model_dump_json()
    form = answer_form(requested.question) if requested.question else None
    return "" if form is None else form.answer({name: first(fields, name) for name in fields})


def _changes(requested: RequestedReply, fields: Fields) -> tuple[Change, ...]:
    """The changes that a person reports: one choice for each thing."""
    changes: list[Change] = []
    for number, name in enumerate(requested.episode.brief.things):
        kind = first(fields, f"{CHANGE}-{number}")
        if kind == POSITION:
            changes.append(Change(name, "position"))
        elif kind == ORIENTATION:
            changes.append(Change(name, "orientation"))
    return tuple(changes)


def problem(requested: RequestedReply, reply: str) -> str | None:
    """The message to a person whose reply can't be used; None where it can."""
    if requested.is_turn:
        return _turn_problem(requested, reply)
    if requested.question is not None:
        unread = grade(requested.question, reply, STRICT).format_failure
        return "That could not be read as an answer. Keep to the answer format." if unread else None
    names = (*requested.episode.brief.names, AGENT)
    if requested.elicits == "points":
        found = read_unexplored_points(reply, CandidatePoints((), frozenset()), STRICT)
    elif requested.elicits == "local":
        found = read_local_map(reply, names, requested.past[-1].heading, STRICT)
    else:
        found = read_global_map(reply, names, STRICT)
    return f"That could not be used: {found.reason}." if isinstance(found, NoMap) else None


def _turn_problem(requested: RequestedReply, reply: str) -> str | None:
    """A violation of the action grammar or an unknown name; whether a move is possible is left to the world."""
    episode = requested.episode
    asked = read_actions(reply, episode.settings.rules, episode.phase)
    if isinstance(asked, FormatFailure):
        return asked.message
    for action in (*asked.moves, asked.final):
        if isinstance(action, Rotate) and action.degrees not in ROTATIONS:
            return f"{action}: turns are 0, 90, 180 or 270 degrees either way."
        if isinstance(action, Goto | Query) and not (
            action.name in episode.brief.names or (isinstance(action, Query) and action.name == START)
        ):
            return f"{action}: there is no such thing or door; names are spelt as you were told them."
    return None
