"""The frames of a replay: one before the first reply and one per reply, with the possible positions."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tolman.belief import Belief
from tolman.benchmarks.theory_of_space.case import elicit_call, turn_call
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, TurnInsight
from tolman.benchmarks.theory_of_space.protocol.picture_marks import split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import observation_wording
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.replay.map_data import (
    CALIBRATION_MARKS,
    PictureFolder,
    stated_map_data,
    strict_map,
)
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.geometry import Cell, Heading
from tolman.explore.actions import Actions, Goto, Phase
from tolman.explore.episode import Episode, Turn, brief
from tolman.explore.messages import describe_brief, describe_change, describe_turn
from tolman.harness.records import Call
from tolman.report.replies import Shortener
from tolman.sense import Observation
from tolman.world import START, Scene

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
        f"The change of {count} objects is announced, in the words of {options.wordings}."
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
