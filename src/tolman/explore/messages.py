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
"""Describes an observation: in words, or by a placeholder for an image."""


def describe_brief(brief: Brief) -> str:
    """The message to an agent before its first turn."""
    names = ", ".join(f"room {number}" for number in range(1, brief.rooms + 1))
    rooms = "one room, room 1" if brief.rooms == 1 else f"{brief.rooms} rooms joined by doors: {names}"
    lines = [
        f"You are in a world of {rooms}. You begin in room 1.",
        "Where you stand now is (0, 0); you face north, which is +y.",
        f"Things: {', '.join(brief.things)}.",
    ]
    return "\n".join([*lines, f"Doors: {', '.join(brief.doors)}."] if brief.doors else lines)


def describe_turn(turn: Turn, describe_view: DescribeView = describe_observation) -> str:
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
    if isinstance(turn.feedback, Observation):
        parts.append(describe_view(turn.feedback))
    elif isinstance(turn.feedback, Location):
        parts.append(describe_location(turn.feedback))
    return " ".join(parts)


def describe_latest(episode: Episode) -> str:
    """The message after the last turn, with the number of turns left."""
    if not episode.turns:
        return "You stand at your starting point and face north."
    outcome = describe_turn(episode.turns[-1])
    return outcome if episode.over else f"{outcome}\nReplies left: {episode.turns_left}."


def describe_change(count: int, budget: int) -> str:
    """The message that `count` things have changed unseen, with the budget of the revision in turns."""
    return wording("tolman.explore", "revision").fill(count=count, budget=budget)


def describe_history(turns: Iterable[Turn], describe_view: DescribeView = describe_observation) -> str:
    """Turns of another agent, numbered, each with its outcome: the log that a passive model reads."""
    entries = ((_describe_asked(turn), describe_turn(turn, describe_view)) for turn in turns)
    return "\n".join(f"{number}. {asked}\n{outcome}" for number, (asked, outcome) in enumerate(entries, start=1))


def describe_episode(episode: Episode) -> str:
    """The whole conversation: the messages to the agent, and after each arrow its actions."""
    lines = [describe_brief(episode.brief)]
    for turn in episode.turns:
        lines += [f"→ {_describe_asked(turn)}", describe_turn(turn)]
    return "\n".join(lines)


def describe_move(move: Move) -> str:
    """`You turned 90 degrees clockwise.` or `You went to the sofa.`"""
    if isinstance(move, Rotate):
        way = "clockwise" if move.degrees >= 0 else "counterclockwise"
        return f"You turned {abs(move.degrees)} degrees {way}."
    return f"You went to the {move.name}."


def _describe_asked(turn: Turn) -> str:
    return str(turn.asked) if isinstance(turn.asked, Actions) else f"(unreadable: {turn.asked.kind})"


_BRIEF = re.compile(
    r"You are in a world of (?:one room|([0-9]{1,4}) rooms)\b[^\n]*\nWhere you stand now is[^\n]*\n"
    r"Things: ([^\n]*?)\.(?=\s|$)(?:\nDoors: ([^\n]*?)\.(?=\s|$))?"
)
_ENTRY = re.compile(
    rf"^([0-9]{{1,6}})\. (?:(Actions: \[.*\])|\(unreadable: ({'|'.join(FormatFailureKind)})\))$", re.MULTILINE
)


def parse_brief(text: str) -> Brief | None:
    """The brief in a text, or None."""
    found = _BRIEF.search(text)
    if found is None:
        return None
    rooms, things, doors = found.groups()
    return Brief(int(rooms or 1), _parse_names(things), _parse_names(doors or ""))


def parse_turn(history: TextHistory, reply: str, message: str) -> TextHistory:
    """The history after one more reply of the agent and the message with its outcome.

    The message begins with the text of `describe_turn`; anything after it is ignored.
    """
    return _with_turn(history, _parse_outcome(history, read_actions(reply, STRICT, history.phase), message.lstrip()))


def parse_history(text: str, brief: Brief) -> TextHistory:
    """The turns of another agent from the log that `describe_history` wrote, found inside a longer text."""
    history = TextHistory(brief)
    log = _longest_log(text)
    ends = [*(entry.start() for entry in log[1:]), len(text)]
    for entry, end in zip(log, ends, strict=False):
        message = text[entry.end() : end].lstrip()
        actions, unreadable = entry.group(2, 3)
        if unreadable:
            asked = FormatFailure(FormatFailureKind(unreadable), _failure_message(message))
        else:
            asked = read_actions(actions, STRICT, history.phase)
        history = _with_turn(history, _parse_outcome(history, asked, message))
    return history


def parse_change(text: str) -> int | None:
    """The number of changed things that a text announces, where it begins a revision; else None."""
    said = wording("tolman.explore", "revision").read(text)
    count = said["count"] if said else ""
    return int(count) if re.fullmatch(r"[0-9]{1,6}", count) else None


def begin_text_revision(history: TextHistory) -> TextHistory:
    """The history at the start of the revision phase: back at the start, facing north."""
    return replace(history, phase="revise", standing_on=START, heading=Heading.NORTH)


def _parse_names(listed: str) -> tuple[str, ...]:
    return tuple(name for name in listed.split(", ") if name)


def _parse_outcome(history: TextHistory, asked: Actions | FormatFailure, message: str) -> Turn:
    still = Turn(history.phase, asked, (), None, None, 0, False, history.standing_on, history.heading)
    if message.startswith(BUDGET_EXHAUSTED):
        return replace(still, forced=True)
    if isinstance(asked, FormatFailure):
        return still
    if message.startswith(UNREADABLE):
        # Parsed here, but rejected under the rules of the world, which does not say for which reason.
        return replace(still, asked=FormatFailure(FormatFailureKind.BAD_ACTION, _failure_message(message)))
    if isinstance(asked.final, Term):
        return still
    done, rest = _moves_made(asked.moves, message)
    pose = _pose_after(history.standing_on, history.heading, done)
    stopped = len(done) < len(asked.moves)
    failure = _parse_failure(str(asked.moves[len(done)] if stopped else asked.final), rest)
    final = Observe() if stopped and failure else asked.final
    feedback = None if failure and not stopped else _parse_feedback(final, rest, *pose)
    return Turn(history.phase, asked, done, failure, feedback, COST[type(final)] if feedback else 0, False, *pose)


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


def _failure_message(message: str) -> str:
    """The reason for a format failure as the world gave it; empty where there is none."""
    return message[len(UNREADABLE) :].partition("\n")[0].strip() if message.startswith(UNREADABLE) else ""


def _moves_made(moves: tuple[Move, ...], message: str) -> tuple[tuple[Move, ...], str]:
    """The moves that a message says were made, and what it says after them."""
    made = 0
    while made < len(moves) and message.startswith(describe_move(moves[made])):
        message = message[len(describe_move(moves[made])) :].lstrip(" ")
        made += 1
    return moves[:made], message


def _pose_after(standing_on: str, heading: Heading, done: tuple[Move, ...]) -> tuple[str, Heading]:
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


def _with_turn(history: TextHistory, turn: Turn) -> TextHistory:
    names = turn.feedback.names if isinstance(turn.feedback, Observation) else ()
    return replace(
        history,
        turns=(*history.turns, turn),
        standing_on=turn.standing_on,
        heading=turn.heading,
        seen=(*history.seen, *(name for name in names if name not in history.seen)),
    )
