"""An episode as the frames of a replay, one for each reply and one before the first, of both phases."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tolman.belief import Belief
from tolman.benchmarks.call import Call
from tolman.benchmarks.theory_of_space.calls import probe_call, turn_call
from tolman.benchmarks.theory_of_space.insight import SceneInsight, TurnInsight
from tolman.benchmarks.theory_of_space.picture_marks import split
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.telling import telling
from tolman.explore.actions import Actions, Goto, Phase
from tolman.explore.episode import Episode, Turn, brief
from tolman.explore.words import say_brief, say_change, say_turn
from tolman.geometry import Heading
from tolman.report.long_replies import Shortener
from tolman.report.theory_of_space.plain import Plain
from tolman.report.theory_of_space.replay.album import TO_GO_BY, Album
from tolman.report.theory_of_space.replay.heat import HeatMaps
from tolman.report.theory_of_space.replay.stated import said_in, stated
from tolman.sense import Observation
from tolman.world import START, Scene


@dataclass(frozen=True)
class Reel:
    """All that frames are made from."""

    logged: ScoredCase
    episode: Episode
    insight: SceneInsight
    shorten: Shortener
    album: Album
    reasons: Mapping[str, str]
    """Why replies could not be parsed, in words, by name of the call."""

    @property
    def replies(self) -> dict[str, str]:
        return self.logged.record.replies

    @cached_property
    def calls(self) -> dict[str, Call]:
        return {call.name: call for call in self.logged.record.calls}

    def said(self, call: str) -> Plain | None:
        """A reply as the page shows it; None where there is none."""
        return self.shorten(self.calls.get(call))

    def turns(self, phase: Phase) -> list[Turn]:
        return [turn for turn in self.episode.turns if turn.phase == phase]


def frames(reel: Reel) -> list[Plain]:
    """The exploration and, where there was one, the revision."""
    case = reel.logged.case
    exploration = list(_exploration(reel, case.scene))
    if case.changed is None or not reel.turns("revise"):
        return exploration
    return [*exploration, *_revision(reel, case.changed)]


def _exploration(reel: Reel, scene: Scene) -> Iterator[Plain]:
    known = {turn.number: turn for turn in reel.insight.turns}
    heat = HeatMaps(scene.names, scene.extent)
    bits = 2 * math.log2(scene.extent) * len(scene.names)
    knowledge: Plain = {"gain": 0.0, "entropy": round(bits, 1)}
    start = _still(scene, "explore", say_brief(brief(scene)))
    yield {**start, **knowledge, "pictures": reel.album.of(TO_GO_BY)}
    for number, (_, frame) in enumerate(_told(reel, "explore", scene), start=1):
        now = known.get(number)
        if now is not None:
            knowledge = {"gain": round(now.gain, 4), "entropy": round(abs(now.entropy), 1)}
        changes = {} if now is None else heat.changes(now.marginals)
        yield {**frame, **knowledge, "heat": changes, **_map(reel, "explore", number, scene, now)}


def _revision(reel: Reel, changed: Scene) -> Iterator[Plain]:
    """Possible positions are those that follow from what was told since the change, without probabilities."""
    news = say_change(len(reel.logged.case.changes), reel.logged.options.revise_budget)
    yield _still(changed, "revise", news)
    heat = HeatMaps(changed.names, changed.extent)
    belief = Belief.start(changed.names, changed.extent)
    for number, (turn, frame) in enumerate(_told(reel, "revise", changed), start=1):
        belief = belief if turn.told is None else belief.after(turn.told)
        yield {**frame, "heat": heat.possible(belief), **_map(reel, "revise", number, changed, None)}


def _still(scene: Scene, phase: Phase, told: str) -> Plain:
    """The frame before the first reply of a phase."""
    return {"phase": phase, "number": 0, "told": told, **_pose(scene, START, Heading.NORTH), "cost": 0, "heat": {}}


def _told(reel: Reel, phase: Phase, scene: Scene) -> Iterator[tuple[Turn, Plain]]:
    """Turns with what is shown of any: what was wanted, what came of it, and where it led."""
    cost = 0
    for number, turn in enumerate(reel.turns(phase), start=1):
        cost += turn.cost
        yield (
            turn,
            {
                "phase": phase,
                "number": number,
                "asked": _asked(turn),
                "done": len(turn.done),
                **_said(reel, scene, turn),
                "reply": reel.said(turn_call(phase, number)),
                **_pose(scene, turn.standing_on, turn.heading),
                "steps": [list(scene.from_start(move.name)) for move in turn.done if isinstance(move, Goto)],
                "view": _view(scene, turn),
                "cost": cost,
                **_missing(turn, reel.reasons.get(turn_call(phase, number), "")),
            },
        )


def _said(reel: Reel, scene: Scene, turn: Turn) -> Plain:
    """What the model was told and, where it was shown a picture of it, the picture and its words."""
    words = say_turn(turn)
    told = say_turn(turn, telling(reel.logged.case, reel.logged.options, scene, turn.phase))
    pictures = reel.album.of(told)
    if not pictures:
        return {"told": words}
    return {"told": "\n".join(p for p in split(told) if isinstance(p, str)), "pictures": pictures, "words": words}


def _pose(scene: Scene, standing_on: str, heading: Heading) -> Plain:
    return {
        "at": list(scene.from_start(standing_on)),
        "heading": int(heading),
        "rooms": list(scene.pose_at(standing_on, heading).rooms),
    }


def _asked(turn: Turn) -> Sequence[str]:
    return [str(action) for action in (*turn.asked.moves, turn.asked.final)] if isinstance(turn.asked, Actions) else ()


def _missing(turn: Turn, why: str) -> Plain:
    """What went wrong, or ended the phase; and why a reply could not be parsed."""
    if turn.forced:
        return {"ended": "budget"}
    if turn.failure is not None:
        return {"failed": turn.failure.action}
    return {"ended": "model"} if turn.ended_phase else {} if turn.parsed else {"unread": True, "why": why}


def _view(scene: Scene, turn: Turn) -> list[int] | None:
    """What was in view; None for a turn without a look."""
    return [scene.names.index(name) for name in turn.told.names] if isinstance(turn.told, Observation) else None


def _map(reel: Reel, phase: Phase, number: int, world: Scene, now: TurnInsight | None) -> Plain:
    """The map that was asked for after a turn, if one was."""
    call = probe_call(phase, number, "global")
    reply = reel.replies.get(call)
    if reply is None:
        return {}
    said = said_in(reply, world)
    why = {"why": reel.reasons.get(call, "")} if said is None else {}
    return {"map": {**stated(said, world, now and now.stated), **why, "reply": reel.said(call)}}
