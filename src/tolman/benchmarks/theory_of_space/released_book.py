"""The authors' released runs as a book of replies: `replay/RUNS:MODEL`."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage

from tolman.ask.kinds.registry import kind_names
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.old_belief import stated_after
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.benchmarks.theory_of_space.released_cases import asked_questions, case_id, released_runs
from tolman.benchmarks.theory_of_space.released_logs import Json, LoggedAnswer
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.models.handed import Circumstances
from tolman.models.replay import book_opener

MAP_MODES: dict[MapMode, str] = {
    "none": "default",
    "say": "prompt_cogmap",
    "own": "use_model_cogmap",
    "true": "use_gt_cogmap",
}
"""The authors' names of the ways to ask with a map."""


class ReleasedBook:
    """Replies of one model by case and name of the call."""

    def __init__(self, runs: Sequence[ReleasedRun]) -> None:
        self._runs = {case_id(run): run for run in runs}
        self._read: dict[str, dict[str, str]] = {}

    def reply(self, handed: Circumstances, messages: Sequence[ChatMessage]) -> str | None:
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
        replies[probe_call("explore", number, "global")] = _said(log.cogmap_log.get("global"))
        replies[probe_call("explore", number, "local")] = _said(log.cogmap_log.get("local"))
        replies[probe_call("explore", number, "points")] = _said(log.cogmap_log.get("fog_probe"))
    for number, log in enumerate(run.revision_turns, start=1):
        replies[turn_call("revise", number)] = log.reply
        replies[probe_call("revise", number, "global")] = _said(stated_after(log))
    return {call: reply for call, reply in replies.items() if reply is not None}


def logged_answers(run: ReleasedRun) -> dict[str, LoggedAnswer]:
    """All answers of a run to questions that are ours, by the name of our call."""
    asked = asked_questions(run, kind_names() + kind_names(in_pictures=True))
    found: dict[str, LoggedAnswer] = {}
    for mode, name in MAP_MODES.items():
        said = {(a.task, a.question_id): a for a in run.answers(name)} if name in run.evaluation_modes else {}
        calls = question_calls(mode, [question for _, question in asked])
        found |= {call: said[key] for (call, _), (key, _) in zip(calls, asked, strict=True) if key in said}
    return found


def _said(probe: Json | None) -> str | None:
    return probe.get("original_response") if probe else None


@book_opener
def open_released(source: str) -> ReleasedBook | None:
    """A folder or archive of released experiments and a model's name, `RUNS:MODEL`."""
    runs = released_runs(source)
    return None if runs is None else ReleasedBook(runs)
