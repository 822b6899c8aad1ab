"""A released run as the record that an evaluation would have made of it, so that it is scored like any other."""

from tolman.ask.kinds.registry import kind_names
from tolman.benchmarks.call import Call
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.rebuild import rebuild
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.released_book import MAP_MODES, released_replies, turn_replies
from tolman.benchmarks.theory_of_space.released_cases import released_case
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.stored_files import ReleasedRunError
from tolman.errors import ReplayError
from tolman.explore.episode import Episode


def released_record(run: ReleasedRun) -> ScoredCase:
    """The record of a run with all its replies, and the case and options that it belongs to."""
    asked: tuple[MapMode, ...] = tuple(mode for mode, name in MAP_MODES.items() if name in run.evaluation_modes)
    kinds = (*kind_names(), *kind_names(in_pictures=True))
    options = Options(run.exploration, run.world, maps=asked or ("none",), kinds=kinds, rules="published")
    calls = [Call(name=name, reply=reply) for name, reply in released_replies(run).items()]
    return ScoredCase(released_case(run, options), options, SceneRecord(calls=calls))


def replay(run: ReleasedRun) -> Episode:
    """The episode that the replies of a run make here: its exploration and, where it was run, its revision."""
    if not run.exploration_turns:
        raise ReleasedRunError(f"the run {run} has no turns to replay: the model was handed the log of another agent")
    options = Options(run.exploration, run.world, phases=("explore", "revise"), rules="published")
    episode = rebuild(released_case(run, options), options, turn_replies(run), ())
    for phase, logged in (("explore", run.exploration_turns), ("revise", run.revision_turns)):
        turns = sum(turn.phase == phase for turn in episode.turns)
        if turns < len(logged):
            raise ReplayError(f"turn {logged[turns].turn_number} of the run {run} comes after its phase was over")
    return episode
