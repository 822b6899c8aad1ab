"""Which probes of belief follow an exploration, each as a request on a branch of the conversation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tolman.belief.probes import Probe, ask_global_map, ask_local_map
from tolman.belief.unexplored import Points
from tolman.benchmarks.theory_of_space.calls import probe_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Conversation
from tolman.benchmarks.theory_of_space.explored import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.points import points_of
from tolman.benchmarks.theory_of_space.telling import tell_points
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


def probes(case: Case, episode: Episode, history: Mapping[int, Conversation], options: Options) -> Iterator[Branch]:
    """All probes of an exploration. `history` is the conversation after each reply, by its number."""
    turns = explored_turns(episode)
    wanted = {"every": turns, "last": turns[-1:], "off": ()}[options.probe_turns]
    points = dict(zip((turn.number for turn in turns), points_of(case, turns), strict=True))
    for turn in wanted:
        for probe, request in _of_turn(case, turn, points[turn.number], options):
            for repeat in range(1, options.repeats + 1):
                call = probe_call("explore", turn.number, probe, repeat)
                yield Branch(call, f"maps after turn {turn.number}", history[turn.number], request)


def _of_turn(case: Case, turn: ExploredTurn, points: Points, options: Options) -> Iterator[tuple[Probe, str]]:
    """The last turn, which only ended the exploration, is asked for the whole map alone, as published."""
    yield "global", ask_global_map()
    if turn.turn.ended_phase:
        return
    view = turn.turn.told.names if isinstance(turn.turn.told, Observation) else ()
    if view or case.released:
        yield "local", ask_local_map()
    if points.cells:
        yield "points", tell_points(case, options, turn.pose, points)
