"""The record of one scene: every reply by the name of its call, and which replies could be parsed.

All scores and tables are computed from it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from tolman.ask import Question
from tolman.ask.abstention import grade_decision
from tolman.ask.odds import slots_of
from tolman.ask.odds_parsing import read_odds
from tolman.ask.settling import read_letter
from tolman.belief.map_dimensions import FailedMap
from tolman.belief.map_parsing import NoMap, read_global_map, stated_json
from tolman.belief.map_scores import MapScore
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.belief.visible_facings import AlikeView
from tolman.benchmarks.theory_of_space.case import Case, case_from_dict, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.scores import SceneScores, grade_reply, score_scene
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import OFFERED
from tolman.core.reading import ParseFailure
from tolman.core.rules import STRICT, Rules
from tolman.explore.actions import Actions, Phase
from tolman.explore.grammar import FormatFailureKind, read_actions
from tolman.harness.records import Call, CaseRecord, GradedReply, LoggedCase, RecordFormat, graded_reply
from tolman.world import AGENT

FORMAT: Literal["tolman.theory_of_space/1"] = "tolman.theory_of_space/1"


class SceneRecord(CaseRecord):
    """The replies of a model in one scene."""

    format: Literal["tolman.theory_of_space/1"] = FORMAT
    log: list[str] = Field(default=[])
    """Actions of the explorer whose log a passive model read."""
    alike: dict[str, list[AlikeView]] | None = None
    """In the vision world, the views of each thing that look the same; absent in logs of earlier versions."""


class ScoredCase(LoggedCase[Case, Options, SceneRecord]):
    """A record with its case and options."""

    def scores(self, rules: Rules) -> SceneScores:
        """The scores of the record under a rule set."""
        return score_scene(self.case, self.options, self.record.replies, self.record.log, rules, self.record.alike)


RECORDS = RecordFormat(FORMAT, SceneRecord, Options, case_from_dict)


def read_record(metadata: Mapping[str, object], stored: object) -> ScoredCase:
    """The record of a logged sample, from its metadata and its store."""
    logged = RECORDS.read(metadata, stored)
    return ScoredCase(logged.case, logged.options, logged.record)


CallsByName = Mapping[str, Call]
_PHASES: tuple[Phase, ...] = ("explore", "revise")
_REVISION_MAP_CALL = re.compile(r"revise/\d+/global/\d+")


def graded_replies(logged: ScoredCase, scores: SceneScores) -> Iterator[GradedReply]:
    """All replies of a scene, graded: turns, maps, points, answers. `scores` are the strict scores of the scene."""
    calls = {call.name: call for call in logged.record.calls}
    turns = {phase: [*_graded_turns(logged, calls, phase)] for phase in _PHASES}
    for phase in _PHASES:
        yield from turns[phase]
    passive = logged.options.mode == "passive"
    read = [number for number, turn in enumerate(turns["explore"], start=1) if turn.reason is None]
    ended = len(turns["explore"]) + 1  # the turn without a reply when the budget is exhausted
    numbers = [*range(1, len(logged.record.log) + 1)] if passive else [*read, ended]
    yield from _graded_elicitations(logged, calls, scores, numbers)
    for name in filter(_REVISION_MAP_CALL.fullmatch, calls):
        yield _graded_map(logged, calls[name], None, failed=False)
    yield from _graded_answers(logged, calls)


def _graded_turns(logged: ScoredCase, calls: CallsByName, phase: Phase) -> Iterator[GradedReply]:
    number = 1
    while (call := calls.get(name := turn_call(phase, number))) is not None:
        asked = read_actions(call.reply, logged.options.episode.rules, phase)
        reason: ParseFailure | None = None
        if not isinstance(asked, Actions):
            silent = asked.kind is FormatFailureKind.NO_ACTIONS
            reason = ParseFailure.NO_ANSWER if silent else ParseFailure.BAD_TURN
        yield graded_reply(logged.case.id, name, call, "turns", None, reason)
        number += 1


def _graded_elicitations(
    logged: ScoredCase, calls: CallsByName, scores: SceneScores, numbers: list[int]
) -> Iterator[GradedReply]:
    if scores.maps is None:
        return
    for repeat, (turns, points) in enumerate(zip(scores.maps.turns, scores.maps.points, strict=True), start=1):
        for number, turn, point in zip(numbers, turns, points, strict=False):
            scored: dict[FailedMap, MapScore | None] = {"global": turn.update, "local": turn.local}
            for kind, score in scored.items():
                if (call := calls.get(elicit_call("explore", number, kind, repeat))) is not None:
                    yield _graded_map(logged, call, score, failed=kind in turn.failures)
            if (call := calls.get(elicit_call("explore", number, "points", repeat))) is not None:
                yield _graded_points(logged, call, point)


def _graded_map(logged: ScoredCase, call: Call, score: MapScore | None, *, failed: bool) -> GradedReply:
    found = read_global_map(call.reply, (*logged.case.scene.names, AGENT), STRICT)
    reason = found.code if isinstance(found, NoMap) else ParseFailure.UNKNOWN_NAME if failed else None
    overall = None if score is None else score.overall
    return graded_reply(logged.case.id, call.name, call, "maps", overall, reason, repaired=_repaired(call.reply))


def _graded_points(logged: ScoredCase, call: Call, score: float | None) -> GradedReply:
    found = read_unexplored_points(call.reply, CandidatePoints((), frozenset()), STRICT)
    reason = found.code if isinstance(found, NoMap) else None
    return graded_reply(logged.case.id, call.name, call, "points", score, reason, repaired=_repaired(call.reply))


def _repaired(reply: str) -> bool:
    stated = stated_json(reply)
    return not isinstance(stated, ParseFailure) and stated.repaired


def _graded_answers(logged: ScoredCase, calls: CallsByName) -> Iterator[GradedReply]:
    for mode in logged.options.maps:
        for name, question in question_calls(mode, logged.case.questions):
            if (call := calls.get(name)) is not None:
                score, reason = _graded_answer(logged, question, call.reply)
                yield graded_reply(logged.case.id, name, call, "answers", score, reason)


def _graded_answer(logged: ScoredCase, question: Question, reply: str) -> tuple[float | None, ParseFailure | None]:
    """The strict score of a reply to a question, in the task condition of the run, and why there is none."""
    if logged.options.settle:
        letter = read_letter(reply, OFFERED)
        return None, letter if isinstance(letter, ParseFailure) else None
    if logged.options.odds:
        said = read_odds(reply, slots_of(question))
        return None, said if isinstance(said, ParseFailure) else None
    if logged.options.abstain:
        decided = grade_decision(question, reply)
        return decided.score, decided.reason
    graded = grade_reply(question, reply, logged.options, STRICT)
    return graded.score, graded.reason
