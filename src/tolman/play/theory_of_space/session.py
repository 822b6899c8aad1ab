"""A play session: a person in a scene as a value, the order of requests, and replies of people: answer forms and
their text, and the check that a reply can be parsed.

Maps are elicited right after the turn, and unexplored points only at the very end, as the plan shown there reveals
the walls.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import cast

from tolman.ask import Question, find_kind, grade
from tolman.ask.relations import DISTANCES, RelationKind
from tolman.belief.cognitive_map import UnexploredForm, revision_map_prompt
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Conversation, elicitations, in_pictures, question_prompt
from tolman.benchmarks.theory_of_space.protocol.run_scene import OUT_OF_BUDGET
from tolman.core.rules import STRICT
from tolman.explore.actions import ROTATIONS, Actions, Goto, Query, Rotate, Term
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, Turn, begin_revision, step
from tolman.explore.grammar import FormatFailure, read_actions
from tolman.explore.messages import describe_change
from tolman.play.playable import Fields, first
from tolman.world import AGENT, START, Change, Scene


@dataclass(frozen=True)
class PlaySession:
    """The case, the options, and the replies so far by name of the call."""

    case: Case
    options: Options
    replies: Mapping[str, str]

    def answered(self, call: str, reply: str) -> "PlaySession":
        """The session after one more reply; a call that has a reply keeps it."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration so far; in passive mode, the whole log that the person reads."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _explorer_log(explorer, self.case.scene, self.case.seed)
        return self._carried_out(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The revision so far; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._carried_out(begin_revision(self.explored, changed))

    def _carried_out(self, episode: Episode) -> Episode:
        """The episode after all replies of its phase so far."""
        number = 1
        while not episode.over:
            if episode.turns_left == 0:
                return step(episode, OUT_OF_BUDGET)
            reply = self.replies.get(turn_call(episode.phase, number))
            if reply is None:
                return episode
            episode = step(episode, read_actions(reply, episode.settings.rules, episode.phase))
            number += 1
        return episode


@lru_cache(maxsize=64)
def _explorer_log(explorer: str, scene: Scene, seed: int) -> Episode:
    return run_explorer(explorer, scene, seed)


_NO_CONVERSATION = Conversation("", "", "")
"""In place of the conversation from which a model's elicitation branches; a person sees the past turns instead."""


@dataclass(frozen=True)
class RequestedReply:
    """One requested reply: the name of the call, the request, and the past turns that are shown."""

    call: str
    request: str
    """The same text as for a model; for a turn, only the announcement of the change."""
    episode: Episode
    past: tuple[Turn, ...]
    question: Question | None = None

    @property
    def is_turn(self) -> bool:
        return self.call.count("/") == 1

    @property
    def elicits(self) -> str:
        """`global`, `local` or `points`; empty for anything else."""
        return "" if self.is_turn or self.question else self.call.split("/")[2]


def requests(session: PlaySession) -> Iterator[RequestedReply]:
    """Requests in order, up to the next turn."""
    explored, revised = session.explored, session.revised
    maps, points = _elicited_maps(session)
    yield from maps
    if not explored.over:
        yield _turn_request(explored, "")
        return
    for call, question in chain.from_iterable(question_calls(m, session.case.questions) for m in session.options.maps):
        text = question_prompt(question) if in_pictures(session.case, session.options) else question.text
        yield RequestedReply(call, text, explored, explored.turns, question)
    if revised is not None:
        yield from _revision_maps(session, revised)
        if not revised.over:
            yield _turn_request(revised, describe_change(len(session.case.changes), session.options.turns("revise")))
            return
    yield from points


def _turn_request(episode: Episode, news: str) -> RequestedReply:
    number = 1 + sum(turn.phase == episode.phase for turn in episode.turns)
    return RequestedReply(turn_call(episode.phase, number), news, episode, episode.turns)


def _elicited_maps(session: PlaySession) -> tuple[Sequence[RequestedReply], Sequence[RequestedReply]]:
    """Maps and points that are elicited after the turns of the exploration so far."""
    episode, options = session.explored, session.options
    if options.probe_turns == "off" or (options.probe_turns == "last" and not episode.over):
        return (), ()
    history = dict.fromkeys(range(len(episode.turns) + 1), _NO_CONVERSATION)
    asked = [
        RequestedReply(branch.call, branch.request, episode, episode.turns[: int(branch.call.split("/")[1])])
        for branch in elicitations(session.case, episode, history, options)
    ]
    return [each for each in asked if each.elicits != "points"], [each for each in asked if each.elicits == "points"]


def _revision_maps(session: PlaySession, revised: Episode) -> Iterator[RequestedReply]:
    if session.options.probe_turns != "every":
        return
    before = len(session.explored.turns)
    for number, turn in enumerate(revised.turns[before:], start=1):
        if turn.parsed and not turn.ended_phase:
            for repeat in range(1, session.options.repeats + 1):
                call = elicit_call("revise", number, "global", repeat)
                yield RequestedReply(call, revision_map_prompt(), revised, revised.turns[: before + number])


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
