"""Answers that are a list of moves: `Rotate(90), Goto(lamp)`; the released word for `Goto`, `JumpTo`, is read too."""

import re
from itertools import pairwise

from tolman.ask.answer_text import published_answer, strict_answer
from tolman.explore.actions import Goto, Move, Rotate
from tolman.explore.grammar import plain_name
from tolman.reading import Mention, Stance, Unread, latest, or_none, stance

Plan = tuple[Move, ...]


def say_plan(plan: Plan) -> str:
    """A plan in the published notation."""
    return ", ".join(map(str, plan))


# ---- published ----

_JUMP = re.compile(r"(?:jumpto|goto)\s*+\(([^()]++)\)", re.IGNORECASE)
_TURN = re.compile(r"rotate\s*+\(\s*+([-+]?\d{1,9}+)\s*+\)", re.IGNORECASE)


def published_plan(reply: str) -> Plan | None:
    """The answer split at commas, where every part is a move; else None."""
    parts = [part.strip() for part in published_answer(reply).split(",")]
    moves = [_published_move(part) for part in parts]
    return tuple(move for move in moves if move) if all(moves) else None


def _published_move(part: str) -> Move | None:
    if jump := _JUMP.fullmatch(part):
        return Goto(jump[1].strip().lower())
    turn = _TURN.fullmatch(part)
    return Rotate(int(turn[1])) if turn and int(turn[1]) % 90 == 0 else None


# ---- strict ----

_GO = r"(?:(?:jump|go|move|walk)[ _-]?to)"
_ROTATE = r"(?:rotate|turn)"
_LOOK = r"observe\s*+\(\s*+\)"
_CALL = re.compile(rf"\b(?:({_GO})\s*+\(([^()]*+)\)|({_ROTATE})\s*+\(([^()]*+)\)|({_LOOK}))", re.IGNORECASE)
_BARE = re.compile(
    rf"(?:({_GO})\s++([^(),;]++)|({_ROTATE})\s++([^(),;a-z]++(?:deg(?:rees?)?\s*+)?(?:(?:counter-?|anti-?)?clockwise|c?cw)?)|({_LOOK}))\.?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:[\s,;:.\[\](){}|>→\d-]|\b(?:actions?|plan|sequence|then|and|next|finally|first|the|answer|final)\b)*+",
    re.IGNORECASE,
)
_STEP = re.compile(r"[,;\n]|->|→|\bthen\b", re.IGNORECASE)
_DEGREES = re.compile(
    r"\s*+(?:\w++\s*+=\s*+)?([-+]?\d{1,9}+)(?:\.0*+)?\s*+(?:°|º|deg(?:rees?)?)?\s*+(\S*)\s*+", re.IGNORECASE
)
_AGAIN = re.compile(r"\s{0,9}(?:twice|thrice|again|\d{1,3} times|[x×] ?\d|\* ?\d)", re.IGNORECASE)
_BACKWARDS = re.compile(r"counter-?clockwise|anti-?clockwise|ccw", re.IGNORECASE)
_FORWARDS = re.compile(r"|clockwise|cw", re.IGNORECASE)


def read_plan(reply: str) -> Plan | None:
    """The one list of moves in a reply, or None. An `Observe()` at its end is passed over: it moves nothing."""
    return or_none(find_plan(reply))


def find_plan(reply: str) -> Plan | Unread:
    """The one list of moves in a reply, or why there is none."""
    return strict_answer(reply, _read, _read_bare)


def _read(text: str) -> Plan | Unread:
    """The calls of a text, if nothing but punctuation and linking words stands between them."""
    calls = list(_CALL.finditer(text))
    if not calls:
        return _read_words(text)
    kept = latest(text, [Mention(*call.span(), call) for call in calls])
    if isinstance(kept, Unread):
        return kept
    calls = [mention.value for mention in kept]
    gaps = (text[a.end() : b.start()] for a, b in pairwise(calls))
    if not all(_BETWEEN.fullmatch(gap) for gap in gaps):
        return Unread.SEVERAL
    stances = {stance(text, *calls[0].span()), stance(text, *calls[-1].span())}
    if stances != {Stance.SAID}:
        return Unread.NEGATED if Stance.DENIED in stances else Unread.UNSURE
    return Unread.INCOMPLETE if _AGAIN.match(text, calls[-1].end()) else _moves(calls)


def _read_bare(line: str) -> Plan | Unread:
    return _read(line) if _BETWEEN.fullmatch(_CALL.sub("", line)) else Unread.NO_ANSWER


def _read_words(text: str) -> Plan | Unread:
    """Moves without brackets: `rotate 90, jump to the lamp`."""
    body = re.sub(r"^\s*+(?:actions?|plan)\s*+:", "", text, flags=re.IGNORECASE).strip(" []\n.")
    found = [_BARE.fullmatch(step.strip(" .")) for step in _STEP.split(body) if step.strip(" .")]
    return _moves([step for step in found if step]) if found and all(found) else Unread.NO_ANSWER


def _moves(calls: list[re.Match[str]]) -> Plan | Unread:
    if calls[-1][5]:
        calls = calls[:-1]
    moves = [_move(call) for call in calls]
    return tuple(move for move in moves if move) if moves and all(moves) else Unread.INCOMPLETE


def _move(call: re.Match[str]) -> Move | None:
    go, name, turn, degrees = call.group(1, 2, 3, 4)
    if go:
        return Goto(plain_name(name)) if plain_name(name) else None
    said = _DEGREES.fullmatch(degrees) if turn else None
    if said is None:
        return None
    if _BACKWARDS.fullmatch(said[2]):
        return Rotate(-int(said[1]))
    return Rotate(int(said[1])) if _FORWARDS.fullmatch(said[2]) else None
