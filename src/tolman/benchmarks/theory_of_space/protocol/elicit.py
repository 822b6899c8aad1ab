"""The requests for maps and unexplored points after turns of an exploration, each on a branch of the conversation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tolman.belief.cognitive_map import ElicitationKind, global_map_prompt, local_map_prompt
from tolman.belief.unexplored import CandidatePoints
from tolman.benchmarks.theory_of_space.case import Case, elicit_call
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns, points_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Conversation, points_prompt
from tolman.explore.episode import Episode
from tolman.sense import Observation


@dataclass(frozen=True)
class Branch:
    """A request on a branch of the conversation, which later requests do not see."""

    call: str
    heading: str
    """Heading of the group of requests in the log."""
    conversation: Conversation
    request: str


def elicitations(
    case: Case, episode: Episode, history: Mapping[int, Conversation], options: Options
) -> Iterator[Branch]:
    """All elicitations of an exploration. `history` is the conversation after each reply, by its number."""
    turns = explored_turns(episode)
    elicited = {"every": turns, "last": turns[-1:], "off": ()}[options.probe_turns]
    if not elicited:
        return
    points = dict(zip((turn.number for turn in turns), points_of(case, turns), strict=True))
    for turn in elicited:
        for kind, request in _turn_requests(case, turn, points[turn.number], options):
            for repeat in range(1, options.repeats + 1):
                call = elicit_call("explore", turn.number, kind, repeat)
                yield Branch(call, f"maps after turn {turn.number}", history[turn.number], request)


def _turn_requests(
    case: Case, turn: ExploredTurn, points: CandidatePoints, options: Options
) -> Iterator[tuple[ElicitationKind, str]]:
    """Requests after one turn; after the one that ends the exploration, only for the global map, as published."""
    yield "global", global_map_prompt()
    if turn.turn.ended_phase:
        return
    view = turn.turn.feedback.names if isinstance(turn.turn.feedback, Observation) else ()
    if view or case.released:
        yield "local", local_map_prompt()
    if points.cells:
        yield "points", points_prompt(case, options, turn.pose, points)
