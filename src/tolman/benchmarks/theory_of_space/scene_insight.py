"""An ideal observer's view of a record: what could be known after each turn, and the best answer to each question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import Yardstick
from tolman.belief.posterior import Posterior, posterior
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.evidence import hold_against
from tolman.benchmarks.theory_of_space.explored import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.insight import QuestionInsight, SceneInsight, StatedMap, TurnInsight
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.benchmarks.theory_of_space.rebuild import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.benchmarks.theory_of_space.stated_maps import plain_map
from tolman.geometry import Cell
from tolman.ideal.answer import best_answer
from tolman.ideal.best_map import Scored, best_map
from tolman.ideal.knowledge import evidence_in, learn
from tolman.ideal.told import told_by
from tolman.ideal.worlds import Worlds, worlds_of
from tolman.rules import STRICT
from tolman.world import AGENT

_IN_HAND: MapMode = "true"
"""With the true map in hand nothing is unknown, whatever was explored."""


def scene_insight(logged: ScoredCase, scores: SceneScores | None = None) -> SceneInsight:
    """Everything about one scene, on the grid of information gain. `scores` are the strict ones, if they are known."""
    case, options, record = logged.case, logged.options, logged.record
    episode = rebuild(case, options, record.replies, record.log)
    turns = explored_turns(episode)
    evidence = evidence_in(turn.turn for turn in turns)
    worlds = worlds_of(learn(episode.brief, evidence, case.scene.extent))
    scores = scores or logged.scores(STRICT)
    known = _knowledge(turns)
    return SceneInsight(
        questions=tuple(_questions(logged, scores, worlds)),
        turns=_turns(logged, turns, known, scores.maps.turns[0] if scores.maps else ()),
        final_ceiling=_final_ceiling(case, turns, known),
        exact=worlds.exact,
    )


def _questions(logged: ScoredCase, scores: SceneScores, worlds: Worlds) -> Iterator[QuestionInsight]:
    """Every answer to a question for which the best one can be told."""
    best = {question.id: best_answer(told_by(question), worlds) for question in logged.case.questions}
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
            ceiling = 1.0 if answer.mode == _IN_HAND else found.expected
            yield QuestionInsight(call, question.kind, answer.mode, answer.score, answer.unread, ceiling, found.reply)


def _turns(
    logged: ScoredCase, turns: Sequence[ExploredTurn], known: Sequence["_Known"], scores: Sequence[TurnScores]
) -> tuple[TurnInsight, ...]:
    """The map stated after each turn against what could be known then."""
    case, replies = logged.case, logged.record.replies
    yardstick = Yardstick.of(case.scene)
    found: list[TurnInsight] = []
    before: StatedMap | None = None
    for turn, now, scored in zip_longest(turns, known, scores):
        call = probe_call("explore", turn.number, "global")
        stated: StatedMap | None = None
        if call in replies:
            best = best_map(now.posterior, turn.turn.standing_on, turn.seen, Scored((*turn.seen, AGENT), yardstick))
            score = scored.update.overall if scored and scored.update else None
            said = plain_map(replies[call], case.scene, STRICT) or {}
            stated = hold_against(call, said, before, turn, now.marginals, case.scene)
            stated = before = replace(stated, score=score, ceiling=best.expected)
        found.append(TurnInsight(turn.number, turn.gain, now.posterior.joint_entropy, now.marginals, stated))
    return tuple(found)


def _final_ceiling(case: Case, turns: Sequence[ExploredTurn], known: Sequence["_Known"]) -> float | None:
    """The correctness to expect of the best map after the last turn."""
    if not turns:
        return None
    last = turns[-1]
    counted = Scored(tuple(thing.name for thing in case.scene.things), Yardstick.of(case.scene))
    return best_map(known[-1].posterior, last.turn.standing_on, last.seen, counted).expected


@dataclass(frozen=True)
class _Known:
    posterior: Posterior
    marginals: Mapping[str, Mapping[Cell, float]]


def _knowledge(turns: Sequence[ExploredTurn]) -> list[_Known]:
    """What could be known after each turn; turns that told nothing share it."""
    found: list[_Known] = []
    for i, turn in enumerate(turns):
        if i and turn.belief is turns[i - 1].belief:
            found.append(found[-1])
        else:
            known = posterior(turn.belief)
            found.append(_Known(known, {name: known.marginal(name) for name in known.names}))
    return found
