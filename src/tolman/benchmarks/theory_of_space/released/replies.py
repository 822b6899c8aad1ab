"""The replies of a released run by the name of our call: as a record, and for the model `replay/RUNS:MODEL`."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage

from tolman.ask import PAPER_KINDS, VISION_KINDS
from tolman.benchmarks.theory_of_space.case import elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.released.cases import asked_questions, case_id, released_case, released_runs
from tolman.benchmarks.theory_of_space.released.rescore_maps import stored_map
from tolman.benchmarks.theory_of_space.released.run_files import Json, LoggedAnswer, ReleasedRun, ReleasedRunError
from tolman.core.errors import ReplayError
from tolman.explore.episode import Episode
from tolman.harness.records import Call
from tolman.models.call_context import CallContext
from tolman.models.replay import replay_opener

AUTHORS_MAP_MODES: dict[MapMode, str] = {
    "none": "default",
    "say": "prompt_cogmap",
    "own": "use_model_cogmap",
    "true": "use_gt_cogmap",
}
"""The authors' names of the map modes."""


class ReleasedReplaySource:
    """Replays the logged replies of one model, by case and name of the call."""

    def __init__(self, runs: Sequence[ReleasedRun]) -> None:
        self._runs = {case_id(run): run for run in runs}
        self._replies: dict[str, dict[str, str]] = {}

    def reply(self, context: CallContext, messages: Sequence[ChatMessage]) -> str | None:
        """The logged reply. It is found by the name of the call, as our prompts differ from the authors'."""
        del messages
        if context.case not in self._replies:
            run = self._runs.get(context.case)
            self._replies[context.case] = {} if run is None else released_replies(run)
        return self._replies[context.case].get(context.call)


def released_replies(run: ReleasedRun) -> dict[str, str]:
    """All replies of a run by the name of our call."""
    return turn_replies(run) | {call: answer.reply for call, answer in logged_answers(run).items()}


def turn_replies(run: ReleasedRun) -> dict[str, str]:
    """The turns of a run and the maps and points stated after them, by the name of our call."""
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
    """All answers of a run to supported questions, by the name of our call."""
    asked = asked_questions(run, PAPER_KINDS + VISION_KINDS)
    found: dict[str, LoggedAnswer] = {}
    for mode, name in AUTHORS_MAP_MODES.items():
        stored = {(a.task, a.question_id): a for a in run.answers(name)} if name in run.evaluation_modes else {}
        calls = question_calls(mode, [question for _, question in asked])
        found |= {call: stored[key] for (call, _), (key, _) in zip(calls, asked, strict=True) if key in stored}
    return found


def _original_response(logged: Json | None) -> str | None:
    return logged.get("original_response") if logged else None


@replay_opener
def open_released(source: str) -> ReleasedReplaySource | None:
    """A folder or archive of released experiments and a model's name, `RUNS:MODEL`."""
    runs = released_runs(source)
    return None if runs is None else ReleasedReplaySource(runs)


def released_record(run: ReleasedRun) -> ScoredCase:
    """The record of a run with all its replies, its case and its options."""
    asked: tuple[MapMode, ...] = tuple(mode for mode, name in AUTHORS_MAP_MODES.items() if name in run.evaluation_modes)
    kinds = PAPER_KINDS + VISION_KINDS
    options = Options(run.exploration, run.world, maps=asked or ("none",), kinds=kinds, rules="published")
    calls = [Call(name=name, reply=reply) for name, reply in released_replies(run).items()]
    return ScoredCase(released_case(run, options), options, SceneRecord(calls=calls))


def replay(run: ReleasedRun) -> Episode:
    """The episode that the replies of a run produce here: its exploration and, if it was run, its revision."""
    if not run.exploration_turns:
        raise ReleasedRunError(f"the run {run} has no turns to replay: the model read the log of another agent")
    options = Options(run.exploration, run.world, phases=("explore", "revise"), rules="published")
    episode = rebuild(released_case(run, options), options, turn_replies(run), ())
    for phase, logged in (("explore", run.exploration_turns), ("revise", run.revision_turns)):
        turns = sum(turn.phase == phase for turn in episode.turns)
        if turns < len(logged):
            raise ReplayError(f"turn {logged[turns].turn_number} of the run {run} comes after its phase was over")
    return episode
