"""Episodes read back from words: the inverse of `tolman.explore.words`. No text makes it raise.

A scripted agent that plays the part of a language model gets messages and nothing else. From them it rebuilds the very
turns that the world recorded.
"""

import re
from dataclasses import replace

from tolman.explore.actions import COST, ROTATIONS, Actions, Goto, Move, Observe, Query, Term
from tolman.explore.episode import Brief, Failure, Told, Turn
from tolman.explore.grammar import Refusal, RefusalKind, read_actions
from tolman.explore.heard import HeardEpisode
from tolman.explore.words import COULD_NOT, FORCED, UNREADABLE, say_move
from tolman.geometry import Heading
from tolman.rules import STRICT
from tolman.sense import Observation, hear_location, hear_observation
from tolman.wording import wording
from tolman.world import START

_BRIEF = re.compile(
    r"You are in a world of (?:one room|([0-9]{1,4}) rooms)\b[^\n]*\nWhere you stand now is[^\n]*\n"
    r"Things: ([^\n]*?)\.(?=\s|$)(?:\nDoors: ([^\n]*?)\.(?=\s|$))?"
)
_ENTRY = re.compile(
    rf"^([0-9]{{1,6}})\. (?:(Actions: \[.*\])|\(unreadable: ({'|'.join(RefusalKind)})\))$", re.MULTILINE
)


def hear_brief(text: str) -> Brief | None:
    """The brief that a text holds, or None where it holds none."""
    found = _BRIEF.search(text)
    if found is None:
        return None
    rooms, things, doors = found.groups()
    return Brief(int(rooms or 1), _names(things), _names(doors or ""))


def hear_turn(heard: HeardEpisode, reply: str, message: str) -> HeardEpisode:
    """The episode after one more reply of the agent, and the message that told it what came of it.

    The message begins with the words of `say_turn`; whatever follows them is not looked at.
    """
    return _record(heard, _turn(heard, read_actions(reply, STRICT, heard.phase), message.lstrip()))


def hear_history(text: str, brief: Brief) -> HeardEpisode:
    """The turns of another agent from the log that `say_history` made of them, found inside a longer text."""
    heard = HeardEpisode(brief)
    log = _longest_log(text)
    ends = [*(entry.start() for entry in log[1:]), len(text)]
    for entry, end in zip(log, ends, strict=False):
        message = text[entry.end() : end].lstrip()
        actions, unreadable = entry.group(2, 3)
        if unreadable:
            asked = Refusal(RefusalKind(unreadable), _refused(message))
        else:
            asked = read_actions(actions, STRICT, heard.phase)
        heard = _record(heard, _turn(heard, asked, message))
    return heard


def hear_change(text: str) -> int | None:
    """How many things a text says have changed, where it is the beginning of a revision."""
    said = wording("tolman.explore", "revision").read(text)
    count = said["count"] if said else ""
    return int(count) if re.fullmatch(r"[0-9]{1,6}", count) else None


def begin_heard_revision(heard: HeardEpisode) -> HeardEpisode:
    """The revision phase: back at the start, facing north, with all that was heard before."""
    return replace(heard, phase="revise", standing_on=START, heading=Heading.NORTH)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name for name in listed.split(", ") if name)


def _turn(heard: HeardEpisode, asked: Actions | Refusal, message: str) -> Turn:
    still = Turn(heard.phase, asked, (), None, None, 0, False, heard.standing_on, heard.heading)
    if message.startswith(FORCED):
        return replace(still, forced=True)
    if isinstance(asked, Refusal):
        return still
    if message.startswith(UNREADABLE):
        # What can be read here was refused by other rules; the world does not say which of them it broke.
        return replace(still, asked=Refusal(RefusalKind.BAD_ACTION, _refused(message)))
    if isinstance(asked.final, Term):
        return still
    done, rest = _moves_made(asked.moves, message)
    pose = _walked(heard.standing_on, heard.heading, done)
    stopped = len(done) < len(asked.moves)
    failure = _failure(str(asked.moves[len(done)] if stopped else asked.final), rest)
    final = Observe() if stopped and failure else asked.final
    told = None if failure and not stopped else _told(final, rest, *pose)
    return Turn(heard.phase, asked, done, failure, told, COST[type(final)] if told else 0, False, *pose)


def _longest_log(text: str) -> list[re.Match[str]]:
    """The entries, numbered from 1, of the longest log in a text."""
    logs: list[list[re.Match[str]]] = [[]]
    for entry in _ENTRY.finditer(text):
        number = int(entry.group(1))
        if number == 1:
            logs.append([entry])
        elif logs[-1] and number == len(logs[-1]) + 1:
            logs[-1].append(entry)
    return max(logs, key=len)


def _refused(message: str) -> str:
    """Why a reply was refused, as the world put it; empty where it did not say."""
    return message[len(UNREADABLE) :].partition("\n")[0].strip() if message.startswith(UNREADABLE) else ""


def _moves_made(moves: tuple[Move, ...], message: str) -> tuple[tuple[Move, ...], str]:
    """The moves that a message says were made, and what it says after them."""
    made = 0
    while made < len(moves) and message.startswith(say_move(moves[made])):
        message = message[len(say_move(moves[made])) :].lstrip(" ")
        made += 1
    return moves[:made], message


def _walked(standing_on: str, heading: Heading, done: tuple[Move, ...]) -> tuple[str, Heading]:
    for move in done:
        if isinstance(move, Goto):
            standing_on = move.name
        elif move.degrees in ROTATIONS:
            heading = heading.turned(move.degrees)
    return standing_on, heading


def _failure(action: str, message: str) -> Failure | None:
    start = f"{action} {COULD_NOT} "
    if not message.startswith(start):
        return None
    return Failure(action, message[len(start) :].partition(".")[0])


def _told(final: Observe | Query | Term, message: str, standing_on: str, heading: Heading) -> Told:
    return hear_location(message) if isinstance(final, Query) else hear_observation(message, standing_on, heading)


def _record(heard: HeardEpisode, turn: Turn) -> HeardEpisode:
    names = turn.told.names if isinstance(turn.told, Observation) else ()
    return replace(
        heard,
        turns=(*heard.turns, turn),
        standing_on=turn.standing_on,
        heading=turn.heading,
        seen=(*heard.seen, *(name for name in names if name not in heard.seen)),
    )
