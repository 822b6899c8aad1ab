"""The ideal observer's view of a recorded scene: the ceiling of each score, and stated maps against the evidence."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from tolman.belief.cognitive_map import Point
from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScale
from tolman.belief.posterior import Posterior, posterior
from tolman.belief.revision import PoseMap
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.revision import plain_map
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.core.geometry import Cell
from tolman.core.rules import STRICT
from tolman.ideal.best_answer import best_answer
from tolman.ideal.best_map import ScoredNames, best_map
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.question_content import question_content
from tolman.ideal.worlds import ConsistentWorlds, consistent_worlds
from tolman.sense import Observation
from tolman.world import AGENT, Scene

PositionVerdict = Literal["right", "unlucky", "impossible"]
"""`unlucky`: wrong, but nothing that was told rules it out. `impossible`: it contradicts what was told."""


@dataclass(frozen=True)
class QuestionInsight:
    """One answer under the strict rules, against the best that could be expected of anyone who was told as much.

    Score, `exploration`, `reasoning` and `form` add up to 1.
    """

    call: str
    """Name of the call, such as `ask/none/direction/2`."""
    kind: str
    mode: MapMode
    score: float
    unread: bool
    """Whether no answer was found in the reply."""
    ceiling: float
    """Expected score of the best reply."""
    best: str
    """That reply."""

    @property
    def exploration(self) -> float:
        """Lost because it was never observed."""
        return 1.0 - self.ceiling

    @property
    def form(self) -> float:
        """Lost because the reply could not be read."""
        return self.ceiling if self.unread else 0.0

    @property
    def reasoning(self) -> float:
        """Lost though it was observed; below 0 for a lucky guess."""
        return 0.0 if self.unread else self.ceiling - self.score


@dataclass(frozen=True)
class StatedPosition:
    """Where a stated map puts one thing or door, in cells east and north of the start, held against the evidence."""

    name: str
    said: Point
    verdict: PositionVerdict
    chance: float
    """Probability of the nearest cell, given what was told; for a name never mentioned, that of any cell."""


@dataclass(frozen=True)
class OverwrittenBelief:
    """A belief that was right in the map before and is wrong, or gone, in this one."""

    name: str
    before: Point
    after: Point | None
    verdict: PositionVerdict | None
    """Of the new position; None where the name was dropped."""
    in_view: bool
    """Whether the thing was in view in this turn, so that what was said of it there was misread."""


@dataclass(frozen=True)
class StatedMap:
    """One global map as it was stated, against the evidence at that turn."""

    call: str
    """Name of the call, such as `explore/3/global/1`."""
    positions: tuple[StatedPosition, ...]
    """Without the agent; empty where the reply held no map."""
    overwritten: tuple[OverwrittenBelief, ...]
    score: float | None = None
    """Strict overall score against all that had been seen by then, and the agent."""
    ceiling: float | None = None
    """Expected score of the best map."""


@dataclass(frozen=True)
class TurnInsight:
    """What could be known after one turn of the exploration."""

    number: int
    """Of the reply, from 1, as in the names of calls; unreadable ones count."""
    gain: float
    """Information gain so far."""
    entropy: float
    """Bits that are unknown about all positions together."""
    marginals: Mapping[str, Mapping[Cell, float]]
    """Probabilities of positions, by name of all that was mentioned; cells east and north of the start."""
    stated: StatedMap | None
    """The map stated after this turn (the first, where it was asked for repeatedly)."""


@dataclass(frozen=True)
class SceneInsight:
    """Everything about one scene."""

    questions: tuple[QuestionInsight, ...]
    turns: tuple[TurnInsight, ...]
    """Turns of the exploration that could be read, in order."""
    final_ceiling: float | None
    """Expected correctness of the best map of the whole scene at the end of the exploration."""
    exact: bool
    """Whether every probability was counted, and none estimated from draws."""


Marginals = Mapping[str, Mapping[Cell, float]]


def judge_stated_map(
    call: str, said: PoseMap, before: StatedMap | None, turn: ExploredTurn, marginals: Marginals, scene: Scene
) -> StatedMap:
    """The map `said` after a turn, given what could be known then and the map stated before; not scored yet."""
    positions = tuple(
        _judged_position(name, at, scene, marginals, turn.belief.extent)
        for name, (at, _) in said.items()
        if name in scene
    )
    return StatedMap(call, positions, _overwritten(positions, before, turn))


def _judged_position(name: str, at: Point, scene: Scene, marginals: Marginals, extent: int) -> StatedPosition:
    cell = _nearest(at)
    known = marginals.get(name)
    chance = 1 / extent**2 if known is None else known.get(cell, 0.0)
    if cell == scene.from_start(name):
        return StatedPosition(name, at, "right", chance)
    return StatedPosition(name, at, "unlucky" if chance > 0 else "impossible", chance)


def _nearest(at: Point) -> Cell:
    """The cell that holds a point."""
    return math.floor(at[0] + 0.5), math.floor(at[1] + 0.5)


def _overwritten(
    positions: tuple[StatedPosition, ...], before: StatedMap | None, turn: ExploredTurn
) -> tuple[OverwrittenBelief, ...]:
    """What was right in the map before and is not any more. A reply without a map overwrites nothing."""
    if before is None or not positions:
        return ()
    now = {position.name: position for position in positions}
    in_view = turn.turn.told.names if isinstance(turn.turn.told, Observation) else ()
    lost: list[OverwrittenBelief] = []
    for old in before.positions:
        new = now.get(old.name)
        if old.verdict == "right" and (new is None or new.verdict != "right"):
            said, verdict = (None, None) if new is None else (new.said, new.verdict)
            lost.append(OverwrittenBelief(old.name, old.said, said, verdict, old.name in in_view))
    return tuple(lost)


_TRUE_MAP_GIVEN: MapMode = "true"
"""With the true map in hand nothing is unknown, whatever was explored."""


def scene_insight(logged: ScoredCase, scores: SceneScores | None = None) -> SceneInsight:
    """Everything about one scene, on the grid of information gain. `scores` are the strict ones, if they are known."""
    case, options, record = logged.case, logged.options, logged.record
    episode = rebuild(case, options, record.replies, record.log)
    turns = explored_turns(episode)
    evidence = evidence_in(turn.turn for turn in turns)
    worlds = consistent_worlds(knowledge_from(episode.brief, evidence, case.scene.extent))
    scores = scores or logged.scores(STRICT)
    known = _knowledge(turns)
    return SceneInsight(
        questions=tuple(_question_insights(logged, scores, worlds)),
        turns=_turn_insights(logged, turns, known, scores.maps.turns[0] if scores.maps else ()),
        final_ceiling=_final_ceiling(case, turns, known),
        exact=worlds.exact,
    )


def _question_insights(logged: ScoredCase, scores: SceneScores, worlds: ConsistentWorlds) -> Iterator[QuestionInsight]:
    """Every answer to a question for which the best one can be told."""
    best = {question.id: best_answer(question_content(question), worlds) for question in logged.case.questions}
    replies = logged.record.replies
    asked = [
        (call, question)
        for mode in logged.options.maps
        for call, question in question_calls(mode, logged.case.questions)
        if call in replies
    ]
    for (call, question), answer in zip(asked, scores.answers, strict=True):
        found = best[question.id]
        if found is not None:
            ceiling = 1.0 if answer.mode == _TRUE_MAP_GIVEN else found.expected
            yield QuestionInsight(call, question.kind, answer.mode, answer.score, answer.unread, ceiling, found.reply)


def _turn_insights(
    logged: ScoredCase, turns: Sequence[ExploredTurn], known: Sequence["_TurnKnowledge"], scores: Sequence[TurnScores]
) -> tuple[TurnInsight, ...]:
    """The map stated after each turn against what could be known then."""
    case, replies = logged.case, logged.record.replies
    yardstick = MapScale.of(case.scene)
    found: list[TurnInsight] = []
    before: StatedMap | None = None
    for turn, now, scored in zip_longest(turns, known, scores):
        call = elicit_call("explore", turn.number, "global")
        stated: StatedMap | None = None
        if call in replies:
            best = best_map(
                now.posterior, turn.turn.standing_on, turn.seen, ScoredNames((*turn.seen, AGENT), yardstick)
            )
            score = scored.update.overall if scored and scored.update else None
            said = plain_map(replies[call], case.scene, STRICT) or {}
            stated = judge_stated_map(call, said, before, turn, now.marginals, case.scene)
            stated = before = replace(stated, score=score, ceiling=best.expected)
        found.append(TurnInsight(turn.number, turn.gain, now.posterior.joint_entropy, now.marginals, stated))
    return tuple(found)


def _final_ceiling(case: Case, turns: Sequence[ExploredTurn], known: Sequence["_TurnKnowledge"]) -> float | None:
    """The correctness to expect of the best map after the last turn."""
    if not turns:
        return None
    last = turns[-1]
    counted = ScoredNames(tuple(thing.name for thing in case.scene.things), MapScale.of(case.scene))
    return best_map(known[-1].posterior, last.turn.standing_on, last.seen, counted).expected


@dataclass(frozen=True)
class _TurnKnowledge:
    posterior: Posterior
    marginals: Mapping[str, Mapping[Cell, float]]


def _knowledge(turns: Sequence[ExploredTurn]) -> list[_TurnKnowledge]:
    """What could be known after each turn; turns that told nothing share it."""
    found: list[_TurnKnowledge] = []
    for i, turn in enumerate(turns):
        if i and turn.belief is turns[i - 1].belief:
            found.append(found[-1])
        else:
            known = posterior(turn.belief)
            found.append(_TurnKnowledge(known, {name: known.marginal(name) for name in known.names}))
    return found
