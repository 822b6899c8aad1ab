"""Whether a reply can be read, by the readers that score it. A slip of the pen is told, not scored.

Nothing here depends on whether a reply is right.
"""

from tolman.ask import grade
from tolman.belief.read_map import NoMap, read_global_map, read_local_map
from tolman.belief.read_points import read_points
from tolman.belief.unexplored import Points
from tolman.explore.actions import ROTATIONS, Goto, Query, Rotate
from tolman.explore.grammar import Refusal, read_actions
from tolman.play.order import Wanted
from tolman.rules import STRICT
from tolman.world import AGENT, START

LONGEST = 20_000
"""Characters of a reply; no person types more by themselves."""


def problem(wanted: Wanted, reply: str) -> str | None:
    """What to tell a person whose reply can't be used; None where it can."""
    if not reply.strip():
        return "Something is still missing. Fill in every part, then send it."
    if len(reply) > LONGEST:
        return f"That is too long; keep it under {LONGEST:,} characters."
    if wanted.is_turn:
        return _turn_problem(wanted, reply)
    if wanted.question is not None:
        unread = grade(wanted.question, reply, STRICT).format_failure
        return "That could not be read as an answer. Keep to the answer format." if unread else None
    return _probe_problem(wanted, reply)


def _turn_problem(wanted: Wanted, reply: str) -> str | None:
    """Slips that the rules of the world name beforehand; whether a move is possible is for the world to say."""
    episode = wanted.episode
    asked = read_actions(reply, episode.settings.rules, episode.phase)
    if isinstance(asked, Refusal):
        return asked.message
    for action in (*asked.moves, asked.final):
        if isinstance(action, Rotate) and action.degrees not in ROTATIONS:
            return f"{action}: turns are 0, 90, 180 or 270 degrees either way."
        if isinstance(action, Goto | Query) and not _known(action, episode.brief.names):
            return f"{action}: there is no such thing or door; names are spelt as you were told them."
    return None


def _known(action: Goto | Query, names: tuple[str, ...]) -> bool:
    return action.name in names or (isinstance(action, Query) and action.name == START)


def _probe_problem(wanted: Wanted, reply: str) -> str | None:
    names = (*wanted.episode.brief.names, AGENT)
    if wanted.probe == "points":
        found = read_points(reply, Points((), frozenset()), STRICT)
    elif wanted.probe == "local":
        found = read_local_map(reply, names, wanted.past[-1].heading, STRICT)
    else:
        found = read_global_map(reply, names, STRICT)
    return f"That could not be used: {found.reason}." if isinstance(found, NoMap) else None
