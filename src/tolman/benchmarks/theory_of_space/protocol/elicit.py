"""Which maps and points are elicited after an exploration, each on a branch of the conversation."""

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
    """A request that leaves no trace: the name of the call, the conversation it branches off, and what is asked."""

    call: str
    heading: str
    """Under which a log shows it, with others like it."""
    conversation: Conversation
    request: str


def elicitations(
    case: Case, episode: Episode, history: Mapping[int, Conversation], options: Options
) -> Iterator[Branch]:
    """All probes of an exploration. `history` is the conversation after each reply, by its number."""
    turns = explored_turns(episode)
    wanted = {"every": turns, "last": turns[-1:], "off": ()}[options.probe_turns]
    points = dict(zip((turn.number for turn in turns), points_of(case, turns), strict=True))
    for turn in wanted:
        for probe, request in _turn_requests(case, turn, points[turn.number], options):
            for repeat in range(1, options.repeats + 1):
                call = elicit_call("explore", turn.number, probe, repeat)
                yield Branch(call, f"maps after turn {turn.number}", history[turn.number], request)


def _turn_requests(
    case: Case, turn: ExploredTurn, points: CandidatePoints, options: Options
) -> Iterator[tuple[ElicitationKind, str]]:
    """The last turn, which only ended the exploration, is asked for the whole map alone, as published."""
    yield "global", global_map_prompt()
    if turn.turn.ended_phase:
        return
    view = turn.turn.told.names if isinstance(turn.turn.told, Observation) else ()
    if view or case.released:
        yield "local", local_map_prompt()
    if points.cells:
        yield "points", points_prompt(case, options, turn.pose, points)
