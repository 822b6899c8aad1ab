"""Parser of the action grammar. Any reply gives a turn of actions or a typed format failure; nothing raises.

Two parsers share one checker. `published` accepts exactly what the released parser does. `strict` accepts any
unambiguous form: broken lines, any case, `Rotate(+90)`, missing brackets, Markdown. `Goto` and the released code's
`JumpTo` are one action under both.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import TypeVar

from tolman.core.reading import Mention, ParseFailure, Stance, after_correction, final_answer, latest_mentions, stance
from tolman.core.rules import Rules
from tolman.explore.actions import Action, Actions, Goto, Move, Observe, Phase, Query, Rotate, Term
from tolman.world import START, Change
from tolman.world.perturb import ChangeKind

A = TypeVar("A")


class FormatFailureKind(StrEnum):
    """Why a reply is not a valid turn."""

    NO_ACTIONS = "no actions"
    BAD_ACTION = "bad action"
    NO_FINAL = "no final action"
    MANY_FINALS = "several final actions"
    TERM_NOT_ALONE = "Term not alone"
    NO_REPORT = "no report of changes"


@dataclass(frozen=True, slots=True)
class FormatFailure:
    """A reply that is not a valid turn; the message explains it to the agent."""

    kind: FormatFailureKind
    message: str


class _FormatError(Exception):
    def __init__(self, kind: FormatFailureKind, message: str) -> None:
        super().__init__(message)
        self.failure = FormatFailure(kind, message)


Call = tuple[str, str]
"""Verb and argument of one call, as written."""


def read_actions(text: str, rules: Rules, phase: Phase = "explore") -> Actions | FormatFailure:
    """The actions in a reply under a rule set."""
    answer = final_answer(text, rules)
    try:
        calls = _strict_calls(answer) if rules.forgiving_actions else _published_calls(answer)
        if not calls:
            raise _FormatError(FormatFailureKind.NO_ACTIONS, "No actions were found. Write: Actions: [ ... ]")
        read = _strict_action if rules.forgiving_actions else _published_action
        return _check([read(call, phase) for call in calls], phase)
    except _FormatError as bad:
        return bad.failure


def _check(actions: list[Action], phase: Phase) -> Actions:
    """The actions as a turn: exactly one final action, at the end, and Term alone."""
    *moves, last = actions
    if isinstance(last, Goto | Rotate):
        raise _FormatError(FormatFailureKind.NO_FINAL, "A turn ends with one of Observe(), Query(NAME) or Term().")
    checked: list[Move] = []
    for move in moves:
        if not isinstance(move, Goto | Rotate):
            raise _FormatError(
                FormatFailureKind.MANY_FINALS, f"{_excerpt(str(move))} must be the last action of its turn."
            )
        checked.append(move)
    if isinstance(last, Term) and checked:
        raise _FormatError(FormatFailureKind.TERM_NOT_ALONE, "Term must be the only action of its turn.")
    if isinstance(last, Term) and phase == "revise" and last.changes is None:
        raise _FormatError(
            FormatFailureKind.NO_REPORT, 'End this phase with Term(changes="NAME: position, NAME: orientation").'
        )
    return Actions(tuple(checked), last)


# ---- published: what the released parser accepts ----

_EXACT_CALL = re.compile(r"\b(\w++)\(([^()]*+)\)")
_EXACT_NAME = re.compile(r"[A-Za-z0-9_ -]+")
_EXACT_REPORT = re.compile(r"changes\s*=\s*[\"']([^\"'()]*)[\"']")


def _published_calls(answer: str) -> list[Call]:
    """Calls between the first opening and the last closing bracket of the first line that has both."""
    for line in answer.split("\n"):
        start, end = line.find("["), line.rfind("]")
        if 0 <= start < end:
            return _EXACT_CALL.findall(line[start + 1 : end])
    return []


def _published_action(call: Call, phase: Phase) -> Action:
    word, argument = call
    if word in ("Goto", "JumpTo", "Query") and _EXACT_NAME.fullmatch(argument):
        name = argument.strip() if argument == START else argument.replace("_", " ").strip()
        return Query(name) if word == "Query" else Goto(name)
    if word == "Rotate" and re.fullmatch(r"-?[0-9]{1,9}", argument):
        return Rotate(int(argument))
    if word == "Observe" and argument == "":
        return Observe()
    if word == "Term" and argument == "":
        return Term()
    report = _EXACT_REPORT.fullmatch(argument) if word == "Term" and phase == "revise" else None
    if report:
        return Term(read_changes(report.group(1)))
    raise _FormatError(FormatFailureKind.BAD_ACTION, f"{_excerpt(f'{word}({argument})')} is not an action.")


# ---- strict: any unambiguous form ----

_VERB_NAMES = {
    "goto": "Goto",
    "jumpto": "Goto",
    "moveto": "Goto",
    "rotate": "Rotate",
    "turn": "Rotate",
    "observe": "Observe",
    "query": "Query",
    "term": "Term",
    "terminate": "Term",
}
_ANY_CASE = re.IGNORECASE | re.ASCII
_NAMING = r"(?:go|jump|move)[ _-]?to|rotate|turn|query"
_VERBS = rf"{_NAMING}|observe|term(?:inate)?"
_CALL = re.compile(rf"\b({_VERBS}) ?\(([^()]*+)\)", _ANY_CASE)
_BARE = re.compile(
    rf"(?:{_VERBS}) ?\([^()]*+\)|(?:{_NAMING}) (?:(?!then\b)[^,;|()\[\]])++|(?:observe|term(?:inate)?)\b", _ANY_CASE
)
_BARE_LIST = re.compile(rf"(?:{_BARE.pattern})(?: ?(?:[,;|]|->|then)? ?(?:{_BARE.pattern}))*+", _ANY_CASE)
_STRAY = re.compile(rf"\b(?:(?:{_VERBS}) ?\(|(?:goto|jumpto|rotate|query)\b)", _ANY_CASE)
_DEGREES = re.compile(r"([+-]?\d{1,9})(?:\.0*)?\s*(?:°|º|deg(?:rees?)?\.?)?", _ANY_CASE)
_QUOTES = " \"'“”‘’[]{}"


_MARKS = re.compile(r"[*`$\\]|#{2,}")
_OR = re.compile(r"[\s,;.]*+(?:or|alternatively|either)\b[^\[\]]{0,40}", _ANY_CASE)
_OPEN_CHOICE = "It is not plain which actions are meant. Write one list: Actions: [ ... ]"
_LONGEST, _LISTS = 10_000, 100
"""Most characters of an answer, and lists or calls in it, that are parsed, counted from the end."""


def _strict_calls(answer: str) -> list[Call]:
    """Calls of the last bracketed list that holds any, else of the whole answer; bare verbs only in a list of them.

    Lists and calls that the reply negates or retracts are skipped; an open choice between two is a format failure.
    """
    spaced = _MARKS.sub("", answer[-_LONGEST:]).replace("−", "-")
    plain = " ".join(spaced.split())
    lists = [Mention(*found.span(), found[1]) for found in re.finditer(r"\[([^\[\]]*)\]", plain)][-_LISTS:]
    turns = [turn for turn in lists if _CALL.search(turn.value) or _calls_only(turn.value)]
    if turns:
        *others, last = _asserted(spaced, plain, turns) or [Mention(0, 0, "")]
        if any(_OR.fullmatch(plain, other.end, last.start) and other.value != last.value for other in others):
            raise _FormatError(FormatFailureKind.BAD_ACTION, _OPEN_CHOICE)
        return _calls_only(last.value) or _complete_calls(last.value)
    if bare := _calls_only(plain):
        return bare
    _complete_calls(plain)
    calls = [Mention(*found.span(), (found[1], found[2])) for found in _CALL.finditer(plain)][-_LISTS:]
    if any(stance(plain, *call.span) is Stance.HEDGED for call in calls):
        raise _FormatError(FormatFailureKind.BAD_ACTION, _OPEN_CHOICE)
    return [call.value for call in _asserted(spaced, plain, calls)]


def _complete_calls(inside: str) -> list[Call]:
    """All calls of a text; an incomplete call is a format failure."""
    calls: list[Call] = _CALL.findall(inside)
    rest = _CALL.sub("", inside)
    if calls and (stray := _STRAY.search(rest)):
        raise _FormatError(FormatFailureKind.BAD_ACTION, f"{_excerpt(rest[stray.start() :])} is not a whole action.")
    return calls


def _calls_only(inside: str) -> list[Call]:
    """The calls of a text that consists of calls or bare verbs only."""
    body = re.sub(r"^ ?actions? ?:", "", inside, flags=_ANY_CASE).strip("[]{}.,;! ")
    closed = body if body.count("(") == body.count(")") else body + ")"
    return [_split_call(part) for part in _BARE.findall(closed)] if _BARE_LIST.fullmatch(closed) else []


def _asserted(spaced: str, plain: str, found: Sequence[Mention[A]]) -> Sequence[Mention[A]]:
    """The mentions that an answer neither negates nor retracts; spans are in `plain`, the text with single spaces."""
    begins = [*accumulate((len(word) + 1 for word in plain.split(" ")), initial=0)]
    words = [word.start() for word in re.finditer(r"\S+", spaced)]

    def spread(place: int) -> int:
        word = bisect_right(begins, place) - 1
        return words[word] + place - begins[word]

    placed = [Mention(spread(each.start), spread(each.end - 1) + 1, each) for each in found]
    kept = latest_mentions(spaced, placed)
    if isinstance(kept, ParseFailure):
        return []
    return [each.value for each in kept if stance(spaced, *each.span) is not Stance.DENIED]


def _split_call(part: str) -> Call:
    """Verb and argument of `Goto(sofa)` or `Goto sofa`."""
    found = re.match(_VERBS, part, _ANY_CASE)
    word = found.group() if found else part
    rest = part[len(word) :].strip()
    return word, rest[1:-1] if rest.startswith("(") else rest


def _strict_action(call: Call, phase: Phase) -> Action:
    word, argument = call
    verb = _VERB_NAMES[re.sub(r"[\s_-]", "", word).lower()]
    if verb == "Rotate":
        degrees = _DEGREES.fullmatch(re.sub(r"^\s*\w+\s*=", "", argument).strip().strip("\"'"))
        if degrees is None:
            raise _FormatError(
                FormatFailureKind.BAD_ACTION, f"Rotate takes degrees such as 90 or -90, not {_excerpt(argument)}."
            )
        return Rotate(int(degrees.group(1)))
    if verb == "Observe":
        return Observe()
    if verb == "Term":
        said = re.sub(r"^changes ?[=:]", "", argument.strip(), flags=_ANY_CASE).strip(_QUOTES)
        return Term(read_changes_strict(said)) if phase == "revise" and argument.strip() else Term()
    name = plain_name(re.sub(r"^\s*(?:obj(?:ect)?|name|target)\s*=", "", argument, flags=_ANY_CASE))
    if not name:
        raise _FormatError(FormatFailureKind.BAD_ACTION, f"{verb} needs the name of a thing or door.")
    return Query(name) if verb == "Query" else Goto(name)


def plain_name(text: str) -> str:
    """A name in the world's spelling: lower case, single spaces, no underscores, quotes, articles or full stop."""
    name = re.sub(r"[\s_]+", " ", text.strip().strip("\"'“”‘’<>.").strip()).lower()
    name = re.sub(r"^the ", "", name)
    return START if name.replace(" ", "_") == START else name


# ---- the report of changes ----


def read_changes(report: str) -> tuple[Change, ...]:
    """Pairs of name and kind of change from `sofa: position, lamp: orientation`; unparseable entries are left out."""
    changes: list[Change] = []
    for entry in re.split(r"[,;\n]", report):
        name, _, word = entry.partition(":")
        word, name = word.lower(), name.replace("_", " ").strip()
        if any(mark in word for mark in ("pos", "location", "moved")):
            changes.append(Change(name, "position"))
        elif any(mark in word for mark in ("ori", "rotat", "facing")):
            changes.append(Change(name, "orientation"))
    return tuple(changes)


_UNCHANGED = re.compile(r"\b(?:unchanged|unmoved|same|no|none|nothing|stayed|stays|remain(?:s|ed)?|still|original)\b")
_CHANGES: dict[ChangeKind, re.Pattern[str]] = {
    "position": re.compile(
        r"\b(?:(?:re)?pos(?:ition(?:ed|al)?)?|(?:re)?locat(?:ion|ed)|moved|movement|displaced|shifted)\b"
    ),
    "orientation": re.compile(r"\b(?:(?:re)?ori(?:ent(?:ation|ed)?)?|rotat(?:ion|ed|e)|facing|turned)\b"),
}
_ENTRY = re.compile(r"^[\s>*•-]*(?:\d{1,3}[.)]\s)?\s*")
_CHOICE = re.compile(r"\b(?:or|and/or)\b|/|\?")
LONGEST_NAME = 4
"""Most words in a name."""


def read_changes_strict(report: str) -> tuple[Change, ...]:
    """As `read_changes`, without entries that state no change or only a possible one.

    Text before a self-correction is left out. An entry that states both kinds of change counts as two.
    """
    changes: list[Change] = []
    for entry in re.split(r"[,;\n]", after_correction(report[-_LONGEST:])):
        name, _, said = _ENTRY.sub("", entry).partition(":")
        name, said = name.replace("_", " ").strip(), f"{said.lower()} "
        if len(name.split()) > LONGEST_NAME or _UNCHANGED.search(said) or _CHOICE.search(said):
            continue
        for kind, word in _CHANGES.items():
            found = word.search(said)
            if found and stance(said, *found.span()) is Stance.ASSERTED:
                changes.append(Change(name, kind))
    return tuple(changes)


def _excerpt(text: str, limit: int = 60) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= limit else shown[:limit] + "...")
