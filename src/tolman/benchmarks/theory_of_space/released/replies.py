"""The replies of a released run by the name of our call: as a record, and as the source of `replay/RUNS:MODEL`."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage

from tolman.ask.kinds.registry import kind_names
from tolman.benchmarks.theory_of_space.case import elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.released.cases import asked_questions, case_id, released_case, released_runs
from tolman.benchmarks.theory_of_space.released.log_schema import Json, LoggedAnswer
from tolman.benchmarks.theory_of_space.released.old_map import stored_map
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun, ReleasedRunError
from tolman.core.errors import ReplayError
from tolman.explore.episode import Episode
from tolman.harness.calls import Call
from tolman.models.call_context import CallContext
from tolman.models.replay import replay_opener

AUTHORS_MAP_MODES: dict[MapMode, str] = {
    "none": "default",
    "say": "prompt_cogmap",
    "own": "use_model_cogmap",
    "true": "use_gt_cogmap",
}
"""The authors' names of the ways to ask with a map."""


class ReleasedReplaySource:
    """Replies of one model by case and name of the call."""

    def __init__(self, runs: Sequence[ReleasedRun]) -> None:
        self._runs = {case_id(run): run for run in runs}
        self._read: dict[str, dict[str, str]] = {}

    def reply(self, handed: CallContext, messages: Sequence[ChatMessage]) -> str | None:
        """What the model replied then. Our words differ from the authors', so the name of the call decides."""
        del messages
        if handed.case not in self._read:
            run = self._runs.get(handed.case)
            self._read[handed.case] = {} if run is None else released_replies(run)
        return self._read[handed.case].get(handed.call)


def released_replies(run: ReleasedRun) -> dict[str, str]:
    """All replies of a run by the name of our call."""
    return turn_replies(run) | {call: answer.reply for call, answer in logged_answers(run).items()}


def turn_replies(run: ReleasedRun) -> dict[str, str]:
    """What a run did, and the maps it stated on the way, by the name of our call."""
    replies: dict[str, str | None] = {}
    for number, log in enumerate(run.exploration_turns, start=1):
        replies[turn_call("explore", number)] = log.reply
        replies[elicit_call("explore", number, "global")] = _original_response(log.cogmap_log.get("global"))
        replies[elicit_call("explore", number, "local")] = _original_response(log.cogmap_log.get("local"))
        replies[elicit_call("explore", number, "points")] = _original_response(log.cogmap_log.get("fog_probe"))
    for number, log in enumerate(run.revision_turns, start=1):
        replies[turn_call("revise", number)] = log.reply
        replies[elicit_call("revise", number, "global")] = _original_response(stored_map(log))
    return {call: reply for call, reply in replies.items() if reply is not None}


def logged_answers(run: ReleasedRun) -> dict[str, LoggedAnswer]:
    """All answers of a run to questions that are ours, by the name of our call."""
    asked = asked_questions(run, kind_names() + kind_names(in_pictures=True))
    found: dict[str, LoggedAnswer] = {}
    for mode, name in AUTHORS_MAP_MODES.items():
        said = {(a.task, a.question_id): a for a in run.answers(name)} if name in run.evaluation_modes else {}
        calls = question_calls(mode, [question for _, question in asked])
        found |= {call: said[key] for (call, _), (key, _) in zip(calls, asked, strict=True) if key in said}
    return found


def _original_response(probe: Json | None) -> str | None:
    return probe.get("original_response") if probe else None


@replay_opener
def open_released(source: str) -> ReleasedReplaySource | None:
    """A folder or archive of released experiments and a model's name, `RUNS:MODEL`."""
    runs = released_runs(source)
    return None if runs is None else ReleasedReplaySource(runs)


def released_record(run: ReleasedRun) -> ScoredCase:
    """The record of a run with all its replies, and the case and options that it belongs to."""
    asked: tuple[MapMode, ...] = tuple(mode for mode, name in AUTHORS_MAP_MODES.items() if name in run.evaluation_modes)
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
