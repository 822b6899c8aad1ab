"""The data of one scene's page as JSON-compatible values: frames, questions and revision."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from tolman.ask import Question, grade
from tolman.belief import Belief
from tolman.belief.revision import MappedPose, PoseMap, identification
from tolman.benchmarks.theory_of_space.case import elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight, TurnInsight
from tolman.benchmarks.theory_of_space.protocol.picture_marks import split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import observation_wording, question_prompt
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase, graded_replies
from tolman.benchmarks.theory_of_space.replay.map_data import (
    CALIBRATION_MARKS,
    NO_PICTURES,
    PictureFolder,
    cell_of,
    floor_data,
    is_at,
    position_rows,
    stated_map_data,
    strict_map,
)
from tolman.benchmarks.theory_of_space.runs import ScoredScene
from tolman.benchmarks.theory_of_space.scores import SceneScores, reported_changes, views_of, with_quoted_positions
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.geometry import Cell, Heading
from tolman.core.rules import STRICT, RuleSetName
from tolman.core.seeds import canonical_json
from tolman.explore.actions import Actions, Goto, Phase, Rotate
from tolman.explore.episode import Episode, Turn, brief
from tolman.explore.messages import describe_brief, describe_change, describe_turn
from tolman.harness.names import counted
from tolman.harness.records import Call
from tolman.report.replies import Shortener
from tolman.sense import Observation
from tolman.world import START, Change, Scene

Heat = dict[str, list[int]]
"""By index of a name in the scene: index of a cell, its probability in thousandths, the next cell, ...

Cells of [-extent, extent] squared are numbered from the south-west, row by row. Possible cells have at least one
thousandth.
"""


class HeatMaps:
    """Encodes probability maps turn by turn as differences to the turn before."""

    def __init__(self, names: Iterable[str], extent: int) -> None:
        self._places = {name: str(i) for i, name in enumerate(names)}
        self._extent = extent
        self._last: Heat = {}
        self._possible: dict[str, int] = {}

    def changes(self, marginals: Mapping[str, Mapping[Cell, float]]) -> Heat:
        """The maps that differ from the turn before."""
        heat = {self._places[name]: self._packed(cells) for name, cells in marginals.items() if name in self._places}
        changed = {place: packed for place, packed in heat.items() if self._last.get(place) != packed}
        self._last = heat
        return changed

    def possible(self, belief: Belief) -> Heat:
        """The same for a belief without probabilities: the possible cells of a name are equally likely."""
        constrained = [name for name in belief.names if belief.is_constrained(name)]
        updated = {
            name: belief.possible(name) for name in constrained if self._possible.get(name) != belief.possible(name)
        }
        self._possible |= updated
        return {self._places[name]: self._packed(_uniform(belief.positions(name))) for name in updated}

    def _packed(self, cells: Mapping[Cell, float]) -> list[int]:
        side = 2 * self._extent + 1
        packed: list[int] = []
        for (x, y), chance in cells.items():
            packed += ((y + self._extent) * side + x + self._extent, max(1, round(1000 * chance)))
        return packed


def _uniform(cells: tuple[Cell, ...]) -> dict[Cell, float]:
    return dict.fromkeys(cells, 1 / len(cells))


@dataclass(frozen=True)
class ReplayContext:
    """Everything that the data of a scene's page is made from."""

    logged: ScoredCase
    episode: Episode
    insight: SceneInsight
    shorten: Shortener
    pictures: PictureFolder
    reasons: Mapping[str, str]
    """Why replies could not be parsed, by name of the call."""

    @property
    def replies(self) -> dict[str, str]:
        return self.logged.record.replies

    @cached_property
    def calls(self) -> dict[str, Call]:
        return {call.name: call for call in self.logged.record.calls}

    def logged_reply(self, call: str) -> JsonObject | None:
        """A reply as the page shows it; None where there is none."""
        return self.shorten(self.calls.get(call))

    def turns(self, phase: Phase) -> list[Turn]:
        return [turn for turn in self.episode.turns if turn.phase == phase]


def frames(context: ReplayContext) -> list[JsonObject]:
    """Frames of the exploration and, if it was run, the revision."""
    case = context.logged.case
    exploration = list(_exploration(context, case.scene))
    if case.changed is None or not context.turns("revise"):
        return exploration
    return [*exploration, *_revision(context, case.changed)]


def _exploration(context: ReplayContext, scene: Scene) -> Iterator[JsonObject]:
    insights = {turn.number: turn for turn in context.insight.turns}
    heat = HeatMaps(scene.names, scene.extent)
    prior_entropy = 2 * math.log2(scene.extent) * len(scene.names)
    knowledge: JsonObject = {"gain": 0.0, "entropy": round(prior_entropy, 1)}
    start = _first_frame(scene, "explore", describe_brief(brief(scene)))
    yield {**start, **knowledge, "pictures": context.pictures.marked_in(CALIBRATION_MARKS)}
    for number, (_, frame) in enumerate(_turn_frames(context, "explore", scene), start=1):
        now = insights.get(number)
        if now is not None:
            knowledge = {"gain": round(now.gain, 4), "entropy": round(abs(now.entropy), 1)}
        changes = {} if now is None else heat.changes(now.marginals)
        yield {**frame, **knowledge, "heat": changes, **_stated_frame(context, "explore", number, scene, now)}


def _revision(context: ReplayContext, changed: Scene) -> Iterator[JsonObject]:
    """Possible positions follow from the evidence since the change only, without probabilities."""
    options, count = context.logged.options, len(context.logged.case.changes)
    announcement = (
        f"The change of {counted(count, 'object')} is announced, in the words of {options.wordings}."
        if options.wordings
        else describe_change(count, options.turns("revise"))
    )
    yield _first_frame(changed, "revise", announcement)
    heat = HeatMaps(changed.names, changed.extent)
    belief = Belief.start(changed.names, changed.extent)
    for number, (turn, frame) in enumerate(_turn_frames(context, "revise", changed), start=1):
        belief = belief if turn.feedback is None else belief.after(turn.feedback)
        yield {**frame, "heat": heat.possible(belief), **_stated_frame(context, "revise", number, changed, None)}


def _first_frame(scene: Scene, phase: Phase, feedback: str) -> JsonObject:
    """The frame before the first reply of a phase."""
    return {"phase": phase, "number": 0, "told": feedback, **_pose(scene, START, Heading.NORTH), "cost": 0, "heat": {}}


def _turn_frames(context: ReplayContext, phase: Phase, scene: Scene) -> Iterator[tuple[Turn, JsonObject]]:
    """The turns of a phase with their frames: requested actions, feedback and resulting pose."""
    cost = 0
    for number, turn in enumerate(context.turns(phase), start=1):
        cost += turn.cost
        yield (
            turn,
            {
                "phase": phase,
                "number": number,
                "asked": _asked_actions(turn),
                "done": len(turn.done),
                **_feedback_data(context, scene, turn),
                "reply": context.logged_reply(turn_call(phase, number)),
                **_pose(scene, turn.standing_on, turn.heading),
                "steps": [list(scene.from_start(move.name)) for move in turn.done if isinstance(move, Goto)],
                "view": _view(scene, turn),
                "cost": cost,
                **_turn_ending(turn, context.reasons.get(turn_call(phase, number), "")),
            },
        )


def _feedback_data(context: ReplayContext, scene: Scene, turn: Turn) -> JsonObject:
    """The feedback to the model and, where it was a picture, the picture and its description in words."""
    words = describe_turn(turn)
    feedback = describe_turn(turn, observation_wording(context.logged.case, context.logged.options, scene, turn.phase))
    pictures = context.pictures.marked_in(feedback)
    if not pictures:
        return {"told": words}
    return {
        "told": "\n".join(p for p in split_at_marks(feedback) if isinstance(p, str)),
        "pictures": pictures,
        "words": words,
    }


def _pose(scene: Scene, standing_on: str, heading: Heading) -> JsonObject:
    return {
        "at": list(scene.from_start(standing_on)),
        "heading": int(heading),
        "rooms": list(scene.pose_at(standing_on, heading).rooms),
    }


def _asked_actions(turn: Turn) -> Sequence[str]:
    return [str(action) for action in (*turn.asked.moves, turn.asked.final)] if isinstance(turn.asked, Actions) else ()


def _turn_ending(turn: Turn, why: str) -> JsonObject:
    """Failed action, end of the phase, or why the reply could not be parsed."""
    if turn.forced:
        return {"ended": "budget"}
    if turn.failure is not None:
        return {"failed": turn.failure.action}
    return {"ended": "model"} if turn.ended_phase else {} if turn.parsed else {"unread": True, "why": why}


def _view(scene: Scene, turn: Turn) -> list[int] | None:
    """Indices of names in view; None for a turn without an observation."""
    return [scene.names.index(name) for name in turn.feedback.names] if isinstance(turn.feedback, Observation) else None


def _stated_frame(
    context: ReplayContext, phase: Phase, number: int, world: Scene, now: TurnInsight | None
) -> JsonObject:
    """The map stated after a turn, if one was elicited."""
    call = elicit_call(phase, number, "global")
    reply = context.replies.get(call)
    if reply is None:
        return {}
    stated = strict_map(reply, world)
    why = {"why": context.reasons.get(call, "")} if stated is None else {}
    return {"map": {**stated_map_data(stated, world, now and now.stated), **why, "reply": context.logged_reply(call)}}


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
