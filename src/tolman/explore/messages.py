"""The text messages that tell an agent about its world and its turns, and their parser, which rebuilds the same
turns.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from tolman.core.geometry import Heading
from tolman.core.rules import STRICT
from tolman.core.wording import wording
from tolman.explore.actions import COST, ROTATIONS, Actions, Goto, Move, Observe, Query, Rotate, Term
from tolman.explore.episode import ActionFailure, Brief, Episode, Feedback, TextHistory, Turn
from tolman.explore.grammar import FormatFailure, FormatFailureKind, read_actions
from tolman.sense import (
    Location,
    Observation,
    describe_location,
    describe_observation,
    parse_location,
    parse_observation,
)
from tolman.world import START

BUDGET_EXHAUSTED = "Your budget is spent; this phase is over."
UNREADABLE = "That could not be read as a turn."
COULD_NOT = "could not be done:"
DescribeView = Callable[[Observation], str]
"""How a look is told: in words, unless by something that stands for a picture."""


def describe_brief(brief: Brief) -> str:
    """What an agent is told before its first turn."""
    names = ", ".join(f"room {number}" for number in range(1, brief.rooms + 1))
    rooms = "one room, room 1" if brief.rooms == 1 else f"{brief.rooms} rooms joined by doors: {names}"
    lines = [
        f"You are in a world of {rooms}. You begin in room 1.",
        "Where you stand now is (0, 0); you face north, which is +y.",
        f"Things: {', '.join(brief.things)}.",
    ]
    return "\n".join([*lines, f"Doors: {', '.join(brief.doors)}."] if brief.doors else lines)


def describe_turn(turn: Turn, say_look: DescribeView = describe_observation) -> str:
    """The outcome of one turn: moves that were made, what failed, and what was seen."""
    if turn.forced:
        return BUDGET_EXHAUSTED
    if isinstance(turn.asked, FormatFailure):
        return f"{UNREADABLE} {turn.asked.message}"
    if turn.ended_phase:
        return "This phase is over."
    parts = [describe_move(move) for move in turn.done]
    if turn.failure:
        parts.append(f"{turn.failure.action} {COULD_NOT} {turn.failure.reason}.")
    if isinstance(turn.told, Observation):
        parts.append(say_look(turn.told))
    elif isinstance(turn.told, Location):
        parts.append(describe_location(turn.told))
    return " ".join(parts)


def describe_latest(episode: Episode) -> str:
    """What the agent hears after its last turn, with the number of replies it has left."""
    if not episode.turns:
        return "You stand at your starting point and face north."
    told = describe_turn(episode.turns[-1])
    return told if episode.over else f"{told}\nReplies left: {episode.turns_left}."


def describe_change(count: int, budget: int) -> str:
    """What an agent is told when `count` things have changed behind its back, with its budget in replies."""
    return wording("tolman.explore", "revision").fill(count=count, budget=budget)


def describe_history(turns: Iterable[Turn], say_look: DescribeView = describe_observation) -> str:
    """Turns of another agent, numbered, each with what came of it: the log that a passive model reads."""
    told = ((_say_asked(turn), describe_turn(turn, say_look)) for turn in turns)
    return "\n".join(f"{number}. {asked}\n{said}" for number, (asked, said) in enumerate(told, start=1))


def describe_episode(episode: Episode) -> str:
    """The whole conversation: what the agent was told, and after each arrow what it did."""
    lines = [describe_brief(episode.brief)]
    for turn in episode.turns:
        lines += [f"→ {_say_asked(turn)}", describe_turn(turn)]
    return "\n".join(lines)


def describe_move(move: Move) -> str:
    """`You turned 90 degrees clockwise.` or `You went to the sofa.`"""
    if isinstance(move, Rotate):
        way = "clockwise" if move.degrees >= 0 else "counterclockwise"
        return f"You turned {abs(move.degrees)} degrees {way}."
    return f"You went to the {move.name}."


def _say_asked(turn: Turn) -> str:
    return str(turn.asked) if isinstance(turn.asked, Actions) else f"(unreadable: {turn.asked.kind})"


_BRIEF = re.compile(
    r"You are in a world of (?:one room|([0-9]{1,4}) rooms)\b[^\n]*\nWhere you stand now is[^\n]*\n"
    r"Things: ([^\n]*?)\.(?=\s|$)(?:\nDoors: ([^\n]*?)\.(?=\s|$))?"
)
_ENTRY = re.compile(
    rf"^([0-9]{{1,6}})\. (?:(Actions: \[.*\])|\(unreadable: ({'|'.join(FormatFailureKind)})\))$", re.MULTILINE
)


def parse_brief(text: str) -> Brief | None:
    """The brief that a text holds, or None where it holds none."""
    found = _BRIEF.search(text)
    if found is None:
        return None
    rooms, things, doors = found.groups()
    return Brief(int(rooms or 1), _parse_names(things), _parse_names(doors or ""))


def parse_turn(heard: TextHistory, reply: str, message: str) -> TextHistory:
    """The episode after one more reply of the agent, and the message that told it what came of it.

    The message begins with the words of `say_turn`; whatever follows them is not looked at.
    """
    return _with_turn(heard, _parse_outcome(heard, read_actions(reply, STRICT, heard.phase), message.lstrip()))


def parse_history(text: str, brief: Brief) -> TextHistory:
    """The turns of another agent from the log that `say_history` made of them, found inside a longer text."""
    heard = TextHistory(brief)
    log = _longest_log(text)
    ends = [*(entry.start() for entry in log[1:]), len(text)]
    for entry, end in zip(log, ends, strict=False):
        message = text[entry.end() : end].lstrip()
        actions, unreadable = entry.group(2, 3)
        if unreadable:
            asked = FormatFailure(FormatFailureKind(unreadable), _refused(message))
        else:
            asked = read_actions(actions, STRICT, heard.phase)
        heard = _with_turn(heard, _parse_outcome(heard, asked, message))
    return heard


def parse_change(text: str) -> int | None:
    """How many things a text says have changed, where it is the beginning of a revision."""
    said = wording("tolman.explore", "revision").read(text)
    count = said["count"] if said else ""
    return int(count) if re.fullmatch(r"[0-9]{1,6}", count) else None


def begin_text_revision(heard: TextHistory) -> TextHistory:
    """The revision phase: back at the start, facing north, with all that was heard before."""
    return replace(heard, phase="revise", standing_on=START, heading=Heading.NORTH)


def _parse_names(listed: str) -> tuple[str, ...]:
    return tuple(name for name in listed.split(", ") if name)


def _parse_outcome(heard: TextHistory, asked: Actions | FormatFailure, message: str) -> Turn:
    still = Turn(heard.phase, asked, (), None, None, 0, False, heard.standing_on, heard.heading)
    if message.startswith(BUDGET_EXHAUSTED):
        return replace(still, forced=True)
    if isinstance(asked, FormatFailure):
        return still
    if message.startswith(UNREADABLE):
        # What can be read here was refused by other rules; the world does not say which of them it broke.
        return replace(still, asked=FormatFailure(FormatFailureKind.BAD_ACTION, _refused(message)))
    if isinstance(asked.final, Term):
        return still
    done, rest = _moves_made(asked.moves, message)
    pose = _walked(heard.standing_on, heard.heading, done)
    stopped = len(done) < len(asked.moves)
    failure = _parse_failure(str(asked.moves[len(done)] if stopped else asked.final), rest)
    final = Observe() if stopped and failure else asked.final
    told = None if failure and not stopped else _parse_feedback(final, rest, *pose)
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
    while made < len(moves) and message.startswith(describe_move(moves[made])):
        message = message[len(describe_move(moves[made])) :].lstrip(" ")
        made += 1
    return moves[:made], message


def _walked(standing_on: str, heading: Heading, done: tuple[Move, ...]) -> tuple[str, Heading]:
    for move in done:
        if isinstance(move, Goto):
            standing_on = move.name
        elif move.degrees in ROTATIONS:
            heading = heading.turned(move.degrees)
    return standing_on, heading


def _parse_failure(action: str, message: str) -> ActionFailure | None:
    start = f"{action} {COULD_NOT} "
    if not message.startswith(start):
        return None
    return ActionFailure(action, message[len(start) :].partition(".")[0])


def _parse_feedback(final: Observe | Query | Term, message: str, standing_on: str, heading: Heading) -> Feedback:
    return parse_location(message) if isinstance(final, Query) else parse_observation(message, standing_on, heading)


def _with_turn(heard: TextHistory, turn: Turn) -> TextHistory:
    names = turn.told.names if isinstance(turn.told, Observation) else ()
    return replace(
        heard,
        turns=(*heard.turns, turn),
        standing_on=turn.standing_on,
        heading=turn.heading,
        seen=(*heard.seen, *(name for name in names if name not in heard.seen)),
    )
