"""What the agent is told after a turn."""

from collections.abc import Callable, Iterable

from tolman.explore.actions import Actions, Move, Rotate
from tolman.explore.episode import Brief, Episode, Turn
from tolman.explore.grammar import Refusal
from tolman.sense import Location, Observation, say_location, say_observation
from tolman.wording import wording

FORCED = "Your budget is spent; this phase is over."
UNREADABLE = "That could not be read as a turn."
COULD_NOT = "could not be done:"
SayLook = Callable[[Observation], str]
"""How a look is told: in words, unless by something that stands for a picture."""


def say_brief(brief: Brief) -> str:
    """What an agent is told before its first turn."""
    names = ", ".join(f"room {number}" for number in range(1, brief.rooms + 1))
    rooms = "one room, room 1" if brief.rooms == 1 else f"{brief.rooms} rooms joined by doors: {names}"
    lines = [
        f"You are in a world of {rooms}. You begin in room 1.",
        "Where you stand now is (0, 0); you face north, which is +y.",
        f"Things: {', '.join(brief.things)}.",
    ]
    return "\n".join([*lines, f"Doors: {', '.join(brief.doors)}."] if brief.doors else lines)


def say_turn(turn: Turn, say_look: SayLook = say_observation) -> str:
    """The outcome of one turn: moves that were made, what failed, and what was seen."""
    if turn.forced:
        return FORCED
    if isinstance(turn.asked, Refusal):
        return f"{UNREADABLE} {turn.asked.message}"
    if turn.ended_phase:
        return "This phase is over."
    parts = [say_move(move) for move in turn.done]
    if turn.failure:
        parts.append(f"{turn.failure.action} {COULD_NOT} {turn.failure.reason}.")
    if isinstance(turn.told, Observation):
        parts.append(say_look(turn.told))
    elif isinstance(turn.told, Location):
        parts.append(say_location(turn.told))
    return " ".join(parts)


def say_latest(episode: Episode) -> str:
    """What the agent hears after its last turn, with the number of replies it has left."""
    if not episode.turns:
        return "You stand at your starting point and face north."
    told = say_turn(episode.turns[-1])
    return told if episode.over else f"{told}\nReplies left: {episode.turns_left}."


def say_change(count: int, budget: int) -> str:
    """What an agent is told when `count` things have changed behind its back, with its budget in replies."""
    return wording("tolman.explore", "revision").fill(count=count, budget=budget)


def say_history(turns: Iterable[Turn], say_look: SayLook = say_observation) -> str:
    """Turns of another agent, numbered, each with what came of it: the log that a passive model reads."""
    told = ((_say_asked(turn), say_turn(turn, say_look)) for turn in turns)
    return "\n".join(f"{number}. {asked}\n{said}" for number, (asked, said) in enumerate(told, start=1))


def say_episode(episode: Episode) -> str:
    """The whole conversation: what the agent was told, and after each arrow what it did."""
    lines = [say_brief(episode.brief)]
    for turn in episode.turns:
        lines += [f"→ {_say_asked(turn)}", say_turn(turn)]
    return "\n".join(lines)


def say_move(move: Move) -> str:
    """`You turned 90 degrees clockwise.` or `You went to the sofa.`"""
    if isinstance(move, Rotate):
        way = "clockwise" if move.degrees >= 0 else "counterclockwise"
        return f"You turned {abs(move.degrees)} degrees {way}."
    return f"You went to the {move.name}."


def _say_asked(turn: Turn) -> str:
    return str(turn.asked) if isinstance(turn.asked, Actions) else f"(unreadable: {turn.asked.kind})"
