"""Read an agent's reply. Any text gives a turn of actions or a typed refusal; nothing raises.

Two readers share one checker. `published` reads just what the released reader does. `strict` reads whatever is plain
to a person: broken lines, any case, `Rotate(+90)`, missing brackets, Markdown. `Goto` and the released code's
`JumpTo` are one action under both.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tolman.explore.actions import Action, Actions, Goto, Move, Observe, Phase, Query, Rotate, Term
from tolman.rules import Rules
from tolman.world import START, Change


class RefusalKind(StrEnum):
    """Why a reply could not be carried out as a turn."""

    NO_ACTIONS = "no actions"
    BAD_ACTION = "bad action"
    NO_FINAL = "no final action"
    MANY_FINALS = "several final actions"
    TERM_NOT_ALONE = "Term not alone"
    NO_REPORT = "no report of changes"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reply that is not a turn: what was wrong with it, in words for the agent."""

    kind: RefusalKind
    message: str


class _Bad(Exception):
    def __init__(self, kind: RefusalKind, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(kind, message)


Call = tuple[str, str]
"""Word and argument of one call, as written."""


def read_actions(text: str, rules: Rules, phase: Phase = "explore") -> Actions | Refusal:
    """The turn that a reply asks for under a rule set."""
    answer = final_answer(text, rules)
    try:
        calls = _calls_forgiving(answer) if rules.forgiving_actions else _calls_exact(answer)
        if not calls:
            raise _Bad(RefusalKind.NO_ACTIONS, "No actions were found. Write: Actions: [ ... ]")
        read = _read_forgiving if rules.forgiving_actions else _read_exact
        return _check([read(call, phase) for call in calls], phase)
    except _Bad as bad:
        return bad.refusal


def final_answer(text: str, rules: Rules) -> str:
    """The part of a reply that counts: after `FINAL ANSWER:`, else inside answer tags, else all of it."""
    text = re.sub(r"<\|(?:begin|end)_of_box\|>", "", text)
    which = -1 if rules.last_answer_wins else 0
    marks = list(
        re.finditer(r"FINAL ANSWER[\s*]*:" if rules.last_answer_wins else r"FINAL ANSWER:", text, re.IGNORECASE)
    )
    if marks:
        return text[marks[which].end() :]
    tags = [found.end() for found in re.finditer(r"<answer>", text, re.IGNORECASE)]
    ends = [found.start() for found in re.finditer(r"</answer>", text, re.IGNORECASE)]
    if tags and ends and tags[0] <= ends[-1]:
        start = max(tag for tag in tags if tag <= ends[-1]) if rules.last_answer_wins else tags[0]
        return text[start : next(end for end in ends if end >= start)]
    return text


def _check(actions: list[Action], phase: Phase) -> Actions:
    """The rules of a turn: exactly one final action, at the end, and Term alone."""
    *moves, last = actions
    if isinstance(last, Goto | Rotate):
        raise _Bad(RefusalKind.NO_FINAL, "A turn ends with one of Observe(), Query(NAME) or Term().")
    checked: list[Move] = []
    for move in moves:
        if not isinstance(move, Goto | Rotate):
            raise _Bad(RefusalKind.MANY_FINALS, f"{_excerpt(str(move))} must be the last action of its turn.")
        checked.append(move)
    if isinstance(last, Term) and checked:
        raise _Bad(RefusalKind.TERM_NOT_ALONE, "Term must be the only action of its turn.")
    if isinstance(last, Term) and phase == "revise" and last.changes is None:
        raise _Bad(RefusalKind.NO_REPORT, 'End this phase with Term(changes="NAME: position, NAME: orientation").')
    return Actions(tuple(checked), last)


# ---- published: what the released reader accepts ----

_EXACT_CALL = re.compile(r"\b(\w++)\(([^()]*+)\)")
_EXACT_NAME = re.compile(r"[A-Za-z0-9_ -]+")
_EXACT_REPORT = re.compile(r"changes\s*=\s*[\"']([^\"'()]*)[\"']")


def _calls_exact(answer: str) -> list[Call]:
    """Calls between the first opening and the last closing bracket of the first line that has both."""
    for line in answer.split("\n"):
        start, end = line.find("["), line.rfind("]")
        if 0 <= start < end:
            return _EXACT_CALL.findall(line[start + 1 : end])
    return []


def _read_exact(call: Call, phase: Phase) -> Action:
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
    raise _Bad(RefusalKind.BAD_ACTION, f"{_excerpt(f'{word}({argument})')} is not an action.")


# ---- strict: whatever is plain to a person ----

_WORDS = {
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


def _calls_forgiving(answer: str) -> list[Call]:
    """Calls of the last bracketed list that holds any, else of the whole answer; bare words only in a bare list."""
    plain = " ".join(re.sub(r"[*`$\\]|#{2,}", "", answer).replace("−", "-").split())
    lists: list[str] = re.findall(r"\[([^\[\]]*)\]", plain)
    for inside in [*reversed(lists), plain]:
        body = re.sub(r"^ ?actions? ?:", "", inside, flags=_ANY_CASE).strip("[]{}.,;! ")
        closed = body if body.count("(") == body.count(")") else body + ")"
        if _BARE_LIST.fullmatch(closed):
            return [_split(part) for part in _BARE.findall(closed)]
        calls: list[Call] = _CALL.findall(inside)
        rest = _CALL.sub("", inside)
        stray = _STRAY.search(rest)
        if calls and stray:
            raise _Bad(RefusalKind.BAD_ACTION, f"{_excerpt(rest[stray.start() :])} is not a whole action.")
        if calls:
            return calls
    return []


def _split(part: str) -> Call:
    """Word and argument of `Goto(sofa)` or `Goto sofa`."""
    found = re.match(_VERBS, part, _ANY_CASE)
    word = found.group() if found else part
    rest = part[len(word) :].strip()
    return word, rest[1:-1] if rest.startswith("(") else rest


def _read_forgiving(call: Call, phase: Phase) -> Action:
    word, argument = call
    verb = _WORDS[re.sub(r"[\s_-]", "", word).lower()]
    if verb == "Rotate":
        degrees = _DEGREES.fullmatch(re.sub(r"^\s*\w+\s*=", "", argument).strip().strip("\"'"))
        if degrees is None:
            raise _Bad(RefusalKind.BAD_ACTION, f"Rotate takes degrees such as 90 or -90, not {_excerpt(argument)}.")
        return Rotate(int(degrees.group(1)))
    if verb == "Observe":
        return Observe()
    if verb == "Term":
        said = re.sub(r"^changes ?[=:]", "", argument.strip(), flags=_ANY_CASE).strip(_QUOTES)
        return Term(read_changes(said)) if phase == "revise" and argument.strip() else Term()
    name = plain_name(re.sub(r"^\s*(?:obj(?:ect)?|name|target)\s*=", "", argument, flags=_ANY_CASE))
    if not name:
        raise _Bad(RefusalKind.BAD_ACTION, f"{verb} needs the name of a thing or door.")
    return Query(name) if verb == "Query" else Goto(name)


def plain_name(text: str) -> str:
    """A name as the world spells it: lower case, single spaces, no underscores, quotes, articles or full stop."""
    name = re.sub(r"[\s_]+", " ", text.strip().strip("\"'“”‘’<>.").strip()).lower()
    name = re.sub(r"^the ", "", name)
    return START if name.replace(" ", "_") == START else name


# ---- the report of changes ----


def read_changes(report: str) -> tuple[Change, ...]:
    """Pairs of name and kind of change from `sofa: position, lamp: orientation`; what can't be read is left out."""
    changes: list[Change] = []
    for entry in re.split(r"[,;\n]", report):
        name, _, word = entry.partition(":")
        word, name = word.lower(), name.replace("_", " ").strip()
        if any(mark in word for mark in ("pos", "location", "moved")):
            changes.append(Change(name, "position"))
        elif any(mark in word for mark in ("ori", "rotat", "facing")):
            changes.append(Change(name, "orientation"))
    return tuple(changes)


def _excerpt(text: str, limit: int = 60) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= limit else shown[:limit] + "...")
