"""The data of one scene's page as JSON-compatible values: frames, questions and revision."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, cast

from tolman.ask import Question, grade
from tolman.belief.revision import MappedPose, PoseMap, identification
from tolman.benchmarks.theory_of_space.case import elicit_call, question_calls
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight
from tolman.benchmarks.theory_of_space.protocol.prompts import question_prompt
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import graded_replies
from tolman.benchmarks.theory_of_space.replay.frames import ReplayContext, frames
from tolman.benchmarks.theory_of_space.replay.map_data import (
    NO_PICTURES,
    PictureFolder,
    cell_of,
    floor_data,
    is_at,
    position_rows,
    strict_map,
)
from tolman.benchmarks.theory_of_space.revision import reported_changes, views_of, with_quoted_positions
from tolman.benchmarks.theory_of_space.runs import ScoredScene
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.rules import STRICT, RuleSetName
from tolman.core.seeds import canonical_json
from tolman.explore.actions import Goto, Rotate
from tolman.report.replies import Shortener
from tolman.world import Change, Scene

AnswerVerdict = Literal["right", "partly", "reasoning", "exploration", "unread"]
_FULL_SCORE = 0.999


def question_data(context: ReplayContext, scores: Mapping[RuleSetName, SceneScores]) -> Iterator[JsonObject]:
    """Every answered question, in the order of the case, once per map mode."""
    insights = {insight.call: insight for insight in context.insight.questions}
    replies, options, case = context.replies, context.logged.options, context.logged.case
    calls = [(mode, *named) for mode in options.maps for named in question_calls(mode, case.questions)]
    answered = [(mode, call, question) for mode, call, question in calls if call in replies]
    graded = zip(answered, scores["strict"].answers, scores["published"].answers, strict=True)
    for (mode, call, question), strict, published in graded:
        yield {
            "call": call,
            "kind": question.kind,
            "mode": mode,
            "text": question.text,
            "pictures": context.pictures.marked_in(question_prompt(question)),
            "truth": truth_words(question),
            "reply": context.logged_reply(call),
            "read": grade(question, replies[call], STRICT).read,
            **({"why": context.reasons[call]} if call in context.reasons else {}),
            "strict": round(strict.score, 3),
            "published": round(published.score, 3),
            **(_insight_data(insights[call]) if call in insights else {}),
        }


def answer_verdict(insight: QuestionInsight) -> AnswerVerdict:
    """Full score, partial score, or the cause of the greater loss."""
    if insight.unparseable:
        return "unread"
    if insight.score >= _FULL_SCORE:
        return "right"
    if insight.score > 0:
        return "partly"
    return "reasoning" if insight.reasoning >= insight.exploration else "exploration"


def truth_words(question: Question) -> str:
    """A right answer in the format of a reply."""
    truth = question.truth
    if "direction" in truth:
        return f"{truth['direction']}, {truth['distance']}"
    if "points" in truth:
        return "; ".join(_point(point) for point in cast("list[list[float]]", truth["points"]))
    if "order" in truth:
        return ", ".join(map(str, cast("list[str]", truth["order"])))
    if "name" in truth:
        return str(truth["name"])
    if "plan" in truth:
        steps = cast("list[str | int]", truth["plan"])
        return ", ".join(str(Rotate(step) if isinstance(step, int) else Goto(str(step))) for step in steps)
    if "cell" in truth:
        return _point(cast("list[float]", truth["cell"]))
    return canonical_json(truth)


def _point(point: list[float]) -> str:
    return f"({point[0]:g}, {point[1]:g})"


def _insight_data(insight: QuestionInsight) -> JsonObject:
    return {
        "verdict": answer_verdict(insight),
        "ceiling": round(insight.ceiling, 3),
        "best": insight.best,
        "reasoning": round(insight.reasoning, 3),
        "exploration": round(insight.exploration, 3),
        "form": round(insight.format_errors, 3),
    }


def revision_data(context: ReplayContext) -> JsonObject | None:
    """The data of the revision phase; None if it was not run."""
    case, turns = context.logged.case, context.turns("revise")
    if case.changed is None or not turns:
        return None
    reported = reported_changes(turns[-1])
    old = belief_before_change(context)
    return {
        "old": position_rows(old, case.scene, {}),
        "turns": list(_revised_turns(context, case.changed, old)),
        "reported": [[change.name, change.kind] for change in reported],
        "forced": turns[-1].forced,
        "f1": identification(reported, case.changes, STRICT).overall,
    }


def belief_before_change(context: ReplayContext) -> PoseMap:
    """The last map of the exploration, with old positions quoted in a released log."""
    reply = context.replies.get(elicit_call("explore", len(context.turns("explore")), "global"), "")
    return with_quoted_positions(strict_map(reply, context.logged.case.scene) or {}, context.logged.case)


def _revised_turns(context: ReplayContext, changed: Scene, old: PoseMap) -> Iterator[Sequence[JsonObject]]:
    """After each turn, for each change: whether it has been in view, and what the latest map states."""
    changes, seen = context.logged.case.changes, set[str]()
    stated: PoseMap | None = None
    for number, view in enumerate(views_of(context.turns("revise")), start=1):
        seen.update(view)
        call = elicit_call("revise", number, "global")
        stated = strict_map(context.replies[call], changed) if call in context.replies else stated
        yield [
            {
                "item": changed.names.index(change.name),
                "seen": change.name in seen,
                "belief": None if stated is None else revised_belief(change, stated.get(change.name), old, changed),
            }
            for change in changes
        ]


def revised_belief(change: Change, new: MappedPose | None, old: PoseMap, changed: Scene) -> str:
    """Whether a belief about something that changed is `new`, still the `old` one, `other`, or `gone` from the map."""
    if new is None:
        return "gone"
    before = old.get(change.name)
    if change.kind == "position":
        if is_at(new, changed.from_start(change.name)):
            return "new"
        return "old" if before is not None and cell_of(new) == cell_of(before) else "other"
    front = {thing.name: thing.front for thing in changed.things}[change.name]
    if new[1] is not None and new[1] == front:
        return "new"
    return "old" if before is not None and new[1] == before[1] else "other"


FORMAT = "tolman.theory_of_space.episode/1"


def episode_data(scene: ScoredScene, insight: SceneInsight, pictures: PictureFolder = NO_PICTURES) -> JsonObject:
    """A scene as JSON-compatible values. Positions are cells east and north of the start, facings quarter turns
    clockwise from north. Pictures that it shows are written to the picture folder.
    """
    logged, replies = scene.logged, scene.logged.record.replies
    episode = rebuild(logged.case, logged.options, replies, logged.record.log)
    graded = graded_replies(logged, scene.scores["strict"])
    reasons = {reply.call: reply.reason.sentence for reply in graded if reply.reason is not None}
    context = ReplayContext(logged, episode, insight, Shortener(logged.record.calls), pictures, reasons)
    return {
        "format": FORMAT,
        "scene": logged.case.id,
        "mode": logged.options.mode,
        "world": logged.options.world,
        "exact": insight.exact,
        **floor_data(logged.case),
        "frames": frames(context),
        "questions": list(question_data(context, scene.scores)),
        "revision": revision_data(context),
    }
