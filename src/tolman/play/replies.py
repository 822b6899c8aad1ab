"""Replies of people: answer forms and the text they make, the check that a reply can be parsed, and taking replies
one at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from threading import RLock
from typing import cast

from tolman.ask import Question, find_kind, grade
from tolman.ask.relations import DISTANCES, RelationKind
from tolman.belief.cognitive_map import UnexploredForm
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.core.rules import STRICT
from tolman.explore.actions import ROTATIONS, Actions, Goto, Query, Rotate, Term
from tolman.explore.grammar import FormatFailure, read_actions
from tolman.models.human_sessions import NotebookEntry, SavedSession
from tolman.play.grid import LARGEST, notebook_of
from tolman.play.session import PlaySession, PlaySetup, RequestedReply, wanted
from tolman.world import AGENT, START, Change

_MOST = 9999
"""Largest coordinate that a person can enter, in cells."""


@dataclass(frozen=True)
class AnswerField:
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

    gaps: tuple[AnswerField, ...]
    pattern: str

    @property
    def by_thing(self) -> list[tuple[str, list[AnswerField]]]:
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
    gaps = tuple(AnswerField(f"place{number}", f"{number}.", things) for number in range(1, len(things) + 1))
    return AnswerForm(gaps, ", ".join("{}" for _ in things))


def _coordinates(question: Question) -> AnswerForm:
    things = _things(question)
    gaps = tuple(AnswerField(f"{axis}{number}", axis, of=name) for number, name in enumerate(things) for axis in "xy")
    return AnswerForm(gaps, "; ".join("({}, {})" for _ in things))


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

Fields = Mapping[str, Sequence[str]]
"""What a form sent, by name of the field."""

REPLY, END, LETTER, CHANGE = "reply", "end", "letter", "change"
"""Names of fields: a reply in words, the button that ends a phase, a point, a thing that changed."""
POSITION, ORIENTATION = "position", "orientation"


def compose_reply(wanted: RequestedReply, fields: Fields) -> str:
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


def _changes(wanted: RequestedReply, fields: Fields) -> tuple[Change, ...]:
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


LONGEST_REPLY = 20_000
"""Characters of a reply; no person types more by themselves."""


def problem(wanted: RequestedReply, reply: str) -> str | None:
    """What to tell a person whose reply can't be used; None where it can."""
    if not reply.strip():
        return "Something is still missing. Fill in every part, then send it."
    if len(reply) > LONGEST_REPLY:
        return f"That is too long; keep it under {LONGEST_REPLY:,} characters."
    if wanted.is_turn:
        return _turn_problem(wanted, reply)
    if wanted.question is not None:
        unread = grade(wanted.question, reply, STRICT).format_failure
        return "That could not be read as an answer. Keep to the answer format." if unread else None
    return _map_problem(wanted, reply)


def _turn_problem(wanted: RequestedReply, reply: str) -> str | None:
    """Slips that the rules of the world name beforehand; whether a move is possible is for the world to say."""
    episode = wanted.episode
    asked = read_actions(reply, episode.settings.rules, episode.phase)
    if isinstance(asked, FormatFailure):
        return asked.message
    for action in (*asked.moves, asked.final):
        if isinstance(action, Rotate) and action.degrees not in ROTATIONS:
            return f"{action}: turns are 0, 90, 180 or 270 degrees either way."
        if isinstance(action, Goto | Query) and not _known(action, episode.brief.names):
            return f"{action}: there is no such thing or door; names are spelt as you were told them."
    return None


def _known(action: Goto | Query, names: tuple[str, ...]) -> bool:
    return action.name in names or (isinstance(action, Query) and action.name == START)


def _map_problem(wanted: RequestedReply, reply: str) -> str | None:
    names = (*wanted.episode.brief.names, AGENT)
    if wanted.probe == "points":
        found = read_unexplored_points(reply, CandidatePoints((), frozenset()), STRICT)
    elif wanted.probe == "local":
        found = read_local_map(reply, names, wanted.past[-1].heading, STRICT)
    else:
        found = read_global_map(reply, names, STRICT)
    return f"That could not be used: {found.reason}." if isinstance(found, NoMap) else None


@dataclass(frozen=True)
class SessionProgress:
    """How far a person has come in a scene. Nothing is wanted where it is finished."""

    saved: SavedSession
    sitting: PlaySession
    wanted: RequestedReply | None


@dataclass
class ReplyDesk:
    """Takes what people say. Two replies never come in at once, and none is taken twice."""

    playroom: PlaySetup
    _lock: RLock = field(default_factory=RLock)

    def place(self, name: str, scene: str) -> SessionProgress:
        """How far a person has come in a scene."""
        saved = self.playroom.saved(name, scene)
        sitting = self.playroom.sitting(saved)
        return SessionProgress(saved, sitting, wanted(sitting))

    def next_scene(self, name: str) -> str | None:
        """The first scene that a person has not finished."""
        return next((scene for scene in self.playroom.cases if self.place(name, scene).wanted), None)

    def begin(self, name: str) -> None:
        """Let a person sit down, or go on."""
        with self._lock:
            self.playroom.begin(name)

    def take(self, name: str, scene: str, call: str, fields: Fields) -> str | None:
        """Take a reply to a call, unless there is one already; else say what is wrong with it."""
        with self._lock:
            place = self.place(name, scene)
            if place.wanted is None or place.wanted.call != call:
                return None
            reply = compose_reply(place.wanted, fields)
            trouble = problem(place.wanted, reply)
            if trouble is None:
                saved = self.playroom.keep_reply(place.saved, call, reply)
                if place.wanted.probe == "global":
                    self.playroom.keep_notebook(saved, notebook_of(reply, place.wanted))
            return trouble

    def note(self, name: str, scene: str, notebook: Mapping[str, NotebookEntry]) -> None:
        """Keep a scratch map; names of other worlds and places off the grid are left out."""
        with self._lock:
            saved = self.playroom.saved(name, scene)
            names = {*self.playroom.cases[scene].scene.names, AGENT}
            kept = {
                name: mark
                for name, mark in notebook.items()
                if name in names and max(map(abs, mark.position)) <= LARGEST
            }
            self.playroom.keep_notebook(saved, kept)

    def logged(self, name: str, scene: str, log: str) -> None:
        """Remember the log of a finished sitting."""
        with self._lock:
            self.playroom.keep(self.playroom.saved(name, scene).model_copy(update={"log": log}))
