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
from tolman.benchmarks.theory_of_space.scores import SceneScores, plain_map
from tolman.core.geometry import Cell
from tolman.core.rules import STRICT
from tolman.explore.cheapest import Regret, regret
from tolman.explore.episode import Episode
from tolman.ideal.best_map import BestMap, ScoredNames
from tolman.ideal.generative import DRAWS
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.observer import DEFAULT_OBSERVER, Observer, ObserverName, observer_of
from tolman.ideal.question_content import question_content
from tolman.ideal.scene_prior import ScenePrior, prior_of
from tolman.sense import Observation
from tolman.world import AGENT, Scene

PositionVerdict = Literal["right", "unlucky", "impossible"]
"""`unlucky`: wrong, but consistent with the evidence. `impossible`: contradicts the evidence."""


@dataclass(frozen=True)
class QuestionInsight:
    """One answer under the strict rules, against the expected score of an ideal observer with the same evidence.

    `score`, `exploration`, `reasoning` and `format_errors` add up to 1.
    """

    call: str
    """Name of the call, such as `ask/none/direction/2`."""
    kind: str
    mode: MapMode
    score: float
    unparseable: bool
    """Whether no answer was found in the reply."""
    ceiling: float
    """Expected score of the best reply."""
    best: str
    """The reply with that expected score."""
    error: float = 0.0
    """Standard error of the ceiling, where it is estimated from draws."""

    @property
    def exploration(self) -> float:
        """Points lost because the evidence does not determine the answer."""
        return 1.0 - self.ceiling

    @property
    def format_errors(self) -> float:
        """Points lost because no answer could be parsed."""
        return self.ceiling if self.unparseable else 0.0

    @property
    def reasoning(self) -> float:
        """Points lost although the evidence was sufficient; below 0 for a lucky guess."""
        return 0.0 if self.unparseable else self.ceiling - self.score


@dataclass(frozen=True)
class StatedPosition:
    """Where a stated map puts one thing or door, in cells east and north of the start, compared with the evidence."""

    name: str
    position: Point
    verdict: PositionVerdict
    chance: float
    """Probability of the nearest cell given the evidence; for `relations`, uniform for a name without evidence."""


@dataclass(frozen=True)
class OverwrittenBelief:
    """A position that was right in the previous map and is wrong or missing in this one."""

    name: str
    before: Point
    after: Point | None
    verdict: PositionVerdict | None
    """Of the new position; None where the name is missing."""
    in_view: bool
    """Whether the thing was in view in this turn, so that the new observation was misread."""


@dataclass(frozen=True)
class StatedMap:
    """One stated global map, compared with the evidence at that turn."""

    call: str
    """Name of the call, such as `explore/3/global/1`."""
    positions: tuple[StatedPosition, ...]
    """Without the agent; empty where the reply held no map."""
    overwritten: tuple[OverwrittenBelief, ...]
    score: float | None = None
    """Strict overall score over everything seen so far and the agent."""
    ceiling: float | None = None
    """Expected score of the best map."""


@dataclass(frozen=True)
class TurnInsight:
    """The ideal observer's knowledge after one turn of the exploration."""

    number: int
    """Of the reply, from 1, as in the names of calls; unparseable replies count."""
    gain: float
    """Information gain so far."""
    entropy: float
    """Joint entropy of all positions in bits, given the relations told, as in information gain."""
    marginals: Mapping[str, Mapping[Cell, float]]
    """Probability of each position given the relations told, for names with evidence; cells as in `StatedPosition`."""
    stated: StatedMap | None
    """The map stated after this turn (the first of repeated ones)."""


@dataclass(frozen=True)
class SceneInsight:
    """The ideal observer's results for one scene."""

    questions: tuple[QuestionInsight, ...]
    turns: tuple[TurnInsight, ...]
    """Parsed turns of the exploration, in order."""
    final_ceiling: float | None
    """Expected correctness of the best map of the whole scene at the end of the exploration."""
    final_lost: float | None
    """At most this much is expected more of any other map; None where no bound is known."""
    exact: bool
    """Whether all probabilities are exact, none estimated by sampling."""
    observer: ObserverName = "relations"
    """Whose ceilings these are: `relations` where `generative` was asked for and is not applicable."""
    regret: Regret | None = None
    """Of the exploration, against the cheapest one; None in scenes of many rooms."""


def judge_stated_map(
    call: str, stated: PoseMap, before: StatedMap | None, turn: ExploredTurn, observer: Observer, scene: Scene
) -> StatedMap:
    """Verdicts on the map stated after a turn, given the evidence then and the previous map; not scored yet."""
    positions = tuple(_judged_position(name, at, scene, observer) for name, (at, _) in stated.items() if name in scene)
    return StatedMap(call, positions, _overwritten(positions, before, turn))


def _judged_position(name: str, at: Point, scene: Scene, observer: Observer) -> StatedPosition:
    cell = _nearest(at)
    chance = observer.chance(name, cell)
    if cell == scene.from_start(name):
        return StatedPosition(name, at, "right", chance)
    return StatedPosition(name, at, "unlucky" if chance > 0 else "impossible", chance)


def _nearest(at: Point) -> Cell:
    """The cell that holds a point."""
    return math.floor(at[0] + 0.5), math.floor(at[1] + 0.5)


def _overwritten(
    positions: tuple[StatedPosition, ...], before: StatedMap | None, turn: ExploredTurn
) -> tuple[OverwrittenBelief, ...]:
    """Positions right in the previous map and not in this one; none where the reply holds no map."""
    if before is None or not positions:
        return ()
    now = {position.name: position for position in positions}
    in_view = turn.turn.feedback.names if isinstance(turn.turn.feedback, Observation) else ()
    lost: list[OverwrittenBelief] = []
    for old in before.positions:
        new = now.get(old.name)
        if old.verdict == "right" and (new is None or new.verdict != "right"):
            position, verdict = (None, None) if new is None else (new.position, new.verdict)
            lost.append(OverwrittenBelief(old.name, old.position, position, verdict, old.name in in_view))
    return tuple(lost)


_TRUE_MAP_MODE: MapMode = "true"
"""With the true map in the prompt the ceiling is 1, whatever was explored."""


def scene_insight(
    logged: ScoredCase, scores: SceneScores | None = None, observer: ObserverName | None = None
) -> SceneInsight:
    """Compare a recorded scene with an ideal observer.

    A stated position is impossible if that observer excludes it: for `relations` if it contradicts what was told, for
    `generative` also if the generator would not have chosen it. Where none is named, ceilings are those of
    `DEFAULT_OBSERVER`, and positions are judged by `relations`, as no prompt tells how things are placed. `scores` are
    the strict ones, computed if not given.
    """
    case, options, record = logged.case, logged.options, logged.record
    episode = rebuild(case, options, record.replies, record.log)
    turns = explored_turns(episode)
    scores = scores or logged.scores(STRICT)
    observers = _Observers(observer, episode, turns, prior_of(case.scene))
    final = observers.after(len(turns) - 1)
    best = _final_map(case, turns, final)
    return SceneInsight(
        questions=tuple(_question_insights(logged, scores, final)),
        turns=_turn_insights(logged, turns, observers, scores.maps.turns[0] if scores.maps else ()),
        final_ceiling=None if best is None else best.expected,
        final_lost=None if best is None else best.lost,
        exact=final.exact,
        observer=final.name,
        regret=regret(episode),
    )


MAP_DRAWS = 512
"""Scenes drawn to judge a map stated before the end; after the last turn, `DRAWS`."""


class _Observers:
    """The observer after each turn, computed when asked for; turns without new evidence share it."""

    def __init__(
        self, name: ObserverName | None, episode: Episode, turns: Sequence[ExploredTurn], prior: ScenePrior | None
    ) -> None:
        self._name: ObserverName = name or DEFAULT_OBSERVER
        self._judge: ObserverName = name or "relations"
        self._brief, self._prior, self._turns = episode.brief, prior, turns
        self._extent = (episode.before or episode.scene).extent
        self._found: dict[tuple[ObserverName, int], Observer] = {}

    def after(self, index: int) -> Observer:
        """The observer of ceilings after a turn, by index; before the first for -1."""
        return self._after(self._name, index)

    def judge_after(self, index: int) -> Observer:
        """The observer that judges stated positions after a turn, by index."""
        return self._after(self._judge, index)

    def _after(self, name: ObserverName, index: int) -> Observer:
        while 0 < index < len(self._turns) - 1 and self._turns[index].turn.feedback is None:
            index -= 1
        if (name, index) not in self._found:
            turns = [turn.turn for turn in self._turns[: index + 1]]
            knowledge = knowledge_from(self._brief, evidence_in(turns), self._extent)
            draws = DRAWS if index == len(self._turns) - 1 else MAP_DRAWS
            self._found[name, index] = observer_of(name, knowledge, turns, self._prior, draws=draws)
        return self._found[name, index]


def _question_insights(logged: ScoredCase, scores: SceneScores, observer: Observer) -> Iterator[QuestionInsight]:
    """All answers to questions for which the best reply can be computed."""
    best = {question.id: observer.best_answer(question_content(question)) for question in logged.case.questions}
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
            given = answer.mode == _TRUE_MAP_MODE
            ceiling, error = (1.0, 0.0) if given else (found.expected, found.error)
            yield QuestionInsight(
                call, question.kind, answer.mode, answer.score, answer.unparseable, ceiling, found.reply, error
            )


def _turn_insights(
    logged: ScoredCase,
    turns: Sequence[ExploredTurn],
    observers: _Observers,
    scores: Sequence[TurnScores],
) -> tuple[TurnInsight, ...]:
    """The map stated after each turn, compared with the evidence so far: its ceiling, and verdicts on its positions."""
    case, replies = logged.case, logged.record.replies
    scale = MapScale.of(case.scene)
    found: list[TurnInsight] = []
    before: StatedMap | None = None
    known = _turn_posteriors(turns)
    for index, (turn, now, scored) in enumerate(zip_longest(turns, known, scores)):
        call = elicit_call("explore", turn.number, "global")
        stated: StatedMap | None = None
        if call in replies:
            observer = observers.after(index)
            best = observer.best_map(turn.turn.standing_on, turn.seen, ScoredNames((*turn.seen, AGENT), scale))
            score = scored.update.overall if scored and scored.update else None
            places = plain_map(replies[call], case.scene, STRICT) or {}
            stated = judge_stated_map(call, places, before, turn, observers.judge_after(index), case.scene)
            stated = before = replace(stated, score=score, ceiling=best.expected)
        marginals = {name: now.marginal(name) for name in now.names}
        found.append(TurnInsight(turn.number, turn.gain, now.joint_entropy, marginals, stated))
    return tuple(found)


def _final_map(case: Case, turns: Sequence[ExploredTurn], observer: Observer) -> BestMap | None:
    """The best map of the whole scene after the last turn."""
    if not turns:
        return None
    last = turns[-1]
    counted = ScoredNames(tuple(thing.name for thing in case.scene.things), MapScale.of(case.scene))
    return observer.best_map(last.turn.standing_on, last.seen, counted)


def _turn_posteriors(turns: Sequence[ExploredTurn]) -> list[Posterior]:
    """What the relations told allow after each turn; turns without new evidence share it."""
    found: list[Posterior] = []
    for i, turn in enumerate(turns):
        same = i and turn.belief is turns[i - 1].belief
        found.append(found[-1] if same else posterior(turn.belief))
    return found
