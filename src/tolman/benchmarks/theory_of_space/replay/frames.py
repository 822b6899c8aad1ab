"""An episode as frames of a replay, one before the first reply and one for each, with possible positions."""

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
from tolman.benchmarks.theory_of_space.replay.map_data import stated_map_data, strict_map
from tolman.benchmarks.theory_of_space.replay.picture_files import CALIBRATION_MARKS, PictureFolder
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.geometry import Cell, Heading
from tolman.explore.actions import Actions, Goto, Phase
from tolman.explore.episode import Episode, Turn, brief
from tolman.explore.messages import describe_brief, describe_change, describe_turn
from tolman.harness.calls import Call
from tolman.report.replies import Shortener
from tolman.sense import Observation
from tolman.world import START, Scene

Heat = dict[str, list[int]]
"""By place of a name in the scene: number of a cell, its probability in thousandths, the next cell, ...

Cells of [-extent, extent] squared are numbered from the south-west, row by row. What is possible counts as one
thousandth at least.
"""


class HeatMaps:
    """Turns the maps of one turn after another into what changes."""

    def __init__(self, names: Iterable[str], extent: int) -> None:
        self._places = {name: str(i) for i, name in enumerate(names)}
        self._extent = extent
        self._last: Heat = {}
        self._possible: dict[str, int] = {}

    def changes(self, marginals: Mapping[str, Mapping[Cell, float]]) -> Heat:
        """What differs from the turn before."""
        heat = {self._places[name]: self._packed(cells) for name, cells in marginals.items() if name in self._places}
        changed = {place: packed for place, packed in heat.items() if self._last.get(place) != packed}
        self._last = heat
        return changed

    def possible(self, belief: Belief) -> Heat:
        """The same for a belief that tells only what is possible: every cell of a name has the same share."""
        known = [name for name in belief.names if belief.is_constrained(name)]
        news = {name: belief.possible(name) for name in known if self._possible.get(name) != belief.possible(name)}
        self._possible |= news
        return {self._places[name]: self._packed(_evenly(belief.positions(name))) for name in news}

    def _packed(self, cells: Mapping[Cell, float]) -> list[int]:
        side = 2 * self._extent + 1
        packed: list[int] = []
        for (x, y), chance in cells.items():
            packed += ((y + self._extent) * side + x + self._extent, max(1, round(1000 * chance)))
        return packed


def _evenly(cells: tuple[Cell, ...]) -> dict[Cell, float]:
    return dict.fromkeys(cells, 1 / len(cells))


@dataclass(frozen=True)
class ReplayContext:
    """All that frames are made from."""

    logged: ScoredCase
    episode: Episode
    insight: SceneInsight
    shorten: Shortener
    album: PictureFolder
    reasons: Mapping[str, str]
    """Why replies could not be parsed, in words, by name of the call."""

    @property
    def replies(self) -> dict[str, str]:
        return self.logged.record.replies

    @cached_property
    def calls(self) -> dict[str, Call]:
        return {call.name: call for call in self.logged.record.calls}

    def said(self, call: str) -> JsonObject | None:
        """A reply as the page shows it; None where there is none."""
        return self.shorten(self.calls.get(call))

    def turns(self, phase: Phase) -> list[Turn]:
        return [turn for turn in self.episode.turns if turn.phase == phase]


def frames(reel: ReplayContext) -> list[JsonObject]:
    """The exploration and, where there was one, the revision."""
    case = reel.logged.case
    exploration = list(_exploration(reel, case.scene))
    if case.changed is None or not reel.turns("revise"):
        return exploration
    return [*exploration, *_revision(reel, case.changed)]


def _exploration(reel: ReplayContext, scene: Scene) -> Iterator[JsonObject]:
    known = {turn.number: turn for turn in reel.insight.turns}
    heat = HeatMaps(scene.names, scene.extent)
    bits = 2 * math.log2(scene.extent) * len(scene.names)
    knowledge: JsonObject = {"gain": 0.0, "entropy": round(bits, 1)}
    start = _first_frame(scene, "explore", describe_brief(brief(scene)))
    yield {**start, **knowledge, "pictures": reel.album.of(CALIBRATION_MARKS)}
    for number, (_, frame) in enumerate(_turn_frames(reel, "explore", scene), start=1):
        now = known.get(number)
        if now is not None:
            knowledge = {"gain": round(now.gain, 4), "entropy": round(abs(now.entropy), 1)}
        changes = {} if now is None else heat.changes(now.marginals)
        yield {**frame, **knowledge, "heat": changes, **_stated_frame(reel, "explore", number, scene, now)}


def _revision(reel: ReplayContext, changed: Scene) -> Iterator[JsonObject]:
    """Possible positions are those that follow from what was told since the change, without probabilities."""
    news = describe_change(len(reel.logged.case.changes), reel.logged.options.revise_budget)
    yield _first_frame(changed, "revise", news)
    heat = HeatMaps(changed.names, changed.extent)
    belief = Belief.start(changed.names, changed.extent)
    for number, (turn, frame) in enumerate(_turn_frames(reel, "revise", changed), start=1):
        belief = belief if turn.told is None else belief.after(turn.told)
        yield {**frame, "heat": heat.possible(belief), **_stated_frame(reel, "revise", number, changed, None)}


def _first_frame(scene: Scene, phase: Phase, told: str) -> JsonObject:
    """The frame before the first reply of a phase."""
    return {"phase": phase, "number": 0, "told": told, **_pose(scene, START, Heading.NORTH), "cost": 0, "heat": {}}


def _turn_frames(reel: ReplayContext, phase: Phase, scene: Scene) -> Iterator[tuple[Turn, JsonObject]]:
    """Turns with what is shown of any: what was wanted, what came of it, and where it led."""
    cost = 0
    for number, turn in enumerate(reel.turns(phase), start=1):
        cost += turn.cost
        yield (
            turn,
            {
                "phase": phase,
                "number": number,
                "asked": _asked_actions(turn),
                "done": len(turn.done),
                **_told_words(reel, scene, turn),
                "reply": reel.said(turn_call(phase, number)),
                **_pose(scene, turn.standing_on, turn.heading),
                "steps": [list(scene.from_start(move.name)) for move in turn.done if isinstance(move, Goto)],
                "view": _view(scene, turn),
                "cost": cost,
                **_turn_ending(turn, reel.reasons.get(turn_call(phase, number), "")),
            },
        )


def _told_words(reel: ReplayContext, scene: Scene, turn: Turn) -> JsonObject:
    """What the model was told and, where it was shown a picture of it, the picture and its words."""
    words = describe_turn(turn)
    told = describe_turn(turn, observation_wording(reel.logged.case, reel.logged.options, scene, turn.phase))
    pictures = reel.album.of(told)
    if not pictures:
        return {"told": words}
    return {
        "told": "\n".join(p for p in split_at_marks(told) if isinstance(p, str)),
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
    """What went wrong, or ended the phase; and why a reply could not be parsed."""
    if turn.forced:
        return {"ended": "budget"}
    if turn.failure is not None:
        return {"failed": turn.failure.action}
    return {"ended": "model"} if turn.ended_phase else {} if turn.parsed else {"unread": True, "why": why}


def _view(scene: Scene, turn: Turn) -> list[int] | None:
    """What was in view; None for a turn without a look."""
    return [scene.names.index(name) for name in turn.told.names] if isinstance(turn.told, Observation) else None


def _stated_frame(reel: ReplayContext, phase: Phase, number: int, world: Scene, now: TurnInsight | None) -> JsonObject:
    """The map that was asked for after a turn, if one was."""
    call = elicit_call(phase, number, "global")
    reply = reel.replies.get(call)
    if reply is None:
        return {}
    said = strict_map(reply, world)
    why = {"why": reel.reasons.get(call, "")} if said is None else {}
    return {"map": {**stated_map_data(said, world, now and now.stated), **why, "reply": reel.said(call)}}
