"""How smoothly a run went: scenes that failed, replies that could not be read, phases that were ended by force."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.benchmarks.theory_of_space.stated_maps import plain_map
from tolman.report.theory_of_space.logs import FinishedScene, Run
from tolman.rules import RuleSetName, rule_set

Asked = Literal["turns", "maps", "points", "answers"]
"""What a reply is asked for: a turn, a cognitive map, unexplored points, the answer to a question."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int = 0
    whole: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.part + other.part, self.whole + other.whole)


NONE = Share()


@dataclass(frozen=True)
class Reliability:
    """Counts over the finished scenes of a run, and of those that did not finish."""

    finished: int
    failed: int
    not_done: int
    replies: int
    unread: Mapping[RuleSetName, Mapping[Asked, Share]]
    forced: Share
    """Phases that the budget ended."""
    failed_turns: Share
    """Turns of exploration with an action that could not be done."""
    cut: Share
    """Replies that did not end by themselves, but at a limit or a filter."""


def reliability(run: Run) -> Reliability:
    """Counts of a run. What a scripted explorer did in a passive one is not counted: the model has no part in it."""
    cases, rules = run.cases, run.options.rules
    calls = [call for case in cases for call in case.logged.record.calls]
    explored = [case.scores[rules].exploration for case in cases if run.mode == "active"]
    revised = [revision for case in cases if (revision := case.scores[rules].revision) is not None]
    ends = [phase.forced for phase in (*explored, *revised)]
    return Reliability(
        finished=len(cases),
        failed=len(run.failed),
        not_done=run.not_done,
        replies=len(calls),
        unread={"strict": _unread(run, "strict"), "published": _unread(run, "published")},
        forced=Share(sum(ends), len(ends)),
        failed_turns=Share(sum(phase.failed for phase in explored), sum(phase.replies for phase in explored)),
        cut=Share(sum(call.stop != "stop" for call in calls), len(calls)),
    )


def _unread(run: Run, rules: RuleSetName) -> dict[Asked, Share]:
    """Replies that could not be read. Turns were read once, when the world answered them: all rule sets agree."""
    total: dict[Asked, Share] = {"turns": NONE, "maps": NONE, "points": NONE, "answers": NONE}
    for case in run.cases:
        scores = case.scores[rules]
        if run.mode == "active":
            total["turns"] += _turns(scores)
        total["maps"] += _maps(case, scores) + _revision_maps(case.logged, rules)
        total["points"] += Share(0 if scores.maps is None else scores.maps.points_unread, _asked(case, "points"))
        total["answers"] += Share(sum(answer.unread for answer in scores.answers), len(scores.answers))
    return total


def _turns(scores: SceneScores) -> Share:
    phases = (scores.exploration, scores.revision)
    return sum((Share(phase.unread, phase.replies) for phase in phases if phase is not None), NONE)


def _maps(case: FinishedScene, scores: SceneScores) -> Share:
    unread = 0 if scores.maps is None else sum(summary.failures for summary in scores.maps.summaries)
    return Share(unread, _asked(case, "global") + _asked(case, "local"))


def _revision_maps(logged: ScoredCase, rules: RuleSetName) -> Share:
    said = [call.reply for call in logged.record.calls if call.name.startswith("revise/") and "/global/" in call.name]
    return Share(sum(plain_map(reply, logged.case.scene, rule_set(rules)) is None for reply in said), len(said))


def _asked(case: FinishedScene, probe: str) -> int:
    """How often a probe of an exploration was answered."""
    calls = case.logged.record.calls
    return sum(call.name.startswith("explore/") and f"/{probe}/" in call.name for call in calls)
