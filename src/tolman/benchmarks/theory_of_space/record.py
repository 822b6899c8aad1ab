"""The record of one scene: every reply by the name of its call, and which replies could be parsed.

All scores and tables come from it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tolman.ask import grade
from tolman.belief.map_dimensions import FailedMap
from tolman.belief.map_parsing import NoMap, read_global_map, stated_json
from tolman.belief.map_scores import MapScore
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.benchmarks.theory_of_space.case import Case, case_from_dict, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.scores import SceneScores, score_scene
from tolman.core.errors import ReplayError, TolmanError
from tolman.core.reading import ParseFailure
from tolman.core.rules import STRICT, Rules
from tolman.explore.actions import Actions, Phase
from tolman.explore.grammar import FormatFailureKind, read_actions
from tolman.harness.calls import Call, GradedReply, graded_reply
from tolman.world import AGENT

FORMAT: Literal["tolman.theory_of_space/1"] = "tolman.theory_of_space/1"
STORE_KEY = "tolman"
"""Where a log keeps the record, in the store of a sample."""


class _FrozenModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SceneRecord(_FrozenModel):
    """What a model said in one scene."""

    format: Literal["tolman.theory_of_space/1"] = FORMAT
    log: list[str] = []
    """Actions of the explorer whose log a passive model read."""
    calls: list[Call] = []

    @property
    def replies(self) -> dict[str, str]:
        return {call.name: call.reply for call in self.calls}


class ScoredCase:
    """A record with the case and options that it belongs to."""

    def __init__(self, case: Case, options: Options, record: SceneRecord) -> None:
        self.case, self.options, self.record = case, options, record

    def scores(self, rules: Rules) -> SceneScores:
        """The scores of the record under a rule set."""
        return score_scene(self.case, self.options, self.record.replies, self.record.log, rules)


def read_record(metadata: Mapping[str, object], stored: object) -> ScoredCase:
    """The record of a logged sample, from its metadata and what its store holds under `STORE_KEY`.

    Both are kept as JSON text: Inspect copies and compares what is nested, over and over.
    """
    try:
        record = SceneRecord.model_validate_json(stored) if isinstance(stored, str) else SceneRecord()
        case = case_from_dict(json.loads(str(metadata["case"])))
        options = Options(**{name: _tuple(value) for name, value in _mapping(metadata["options"]).items()})  # pyright: ignore[reportArgumentType]
    except (ValueError, KeyError, TypeError, TolmanError) as error:
        raise ReplayError(f"this sample holds no {FORMAT} record: {' '.join(str(error).split())}") from None
    return ScoredCase(case, options, record)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, not {type(value).__name__}")
    return value  # pyright: ignore[reportUnknownVariableType]


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


CallsByName = Mapping[str, Call]
_PHASES: tuple[Phase, ...] = ("explore", "revise")
_REVISED = re.compile(r"revise/\d+/global/\d+")


def graded_replies(logged: ScoredCase, scores: SceneScores) -> Iterator[GradedReply]:
    """All replies of a scene: turns, maps, points, answers. `scores` are those of the scene under the strict rules."""
    calls = {call.name: call for call in logged.record.calls}
    turns = {phase: [*_graded_turns(logged, calls, phase)] for phase in _PHASES}
    for phase in _PHASES:
        yield from turns[phase]
    passive = logged.options.mode == "passive"
    read = [number for number, turn in enumerate(turns["explore"], start=1) if turn.reason is None]
    ended = len(turns["explore"]) + 1  # the turn without a reply that ends an exploration at its budget
    numbers = [*range(1, len(logged.record.log) + 1)] if passive else [*read, ended]
    yield from _elicited(logged, calls, scores, numbers)
    for name in filter(_REVISED.fullmatch, calls):
        yield _graded_map(logged, name, calls[name], None, failed=False)
    yield from _graded_answers(logged, calls)


def _graded_turns(logged: ScoredCase, calls: CallsByName, phase: Phase) -> Iterator[GradedReply]:
    number = 1
    while (call := calls.get(name := turn_call(phase, number))) is not None:
        asked = read_actions(call.reply, logged.options.episode.rules, phase)
        kind = None if isinstance(asked, Actions) else asked.kind
        reason = (
            None
            if kind is None
            else ParseFailure.NO_ANSWER
            if kind is FormatFailureKind.NO_ACTIONS
            else ParseFailure.BAD_TURN
        )
        yield graded_reply(logged.case.id, name, call, "turns", None, reason)
        number += 1


def _elicited(logged: ScoredCase, calls: CallsByName, scores: SceneScores, numbers: list[int]) -> Iterator[GradedReply]:
    if scores.maps is None:
        return
    for repeat, (turns, points) in enumerate(zip(scores.maps.turns, scores.maps.points, strict=True), start=1):
        for number, turn, point in zip(numbers, turns, points, strict=False):
            scored: dict[FailedMap, MapScore | None] = {"global": turn.update, "local": turn.local}
            for probe, score in scored.items():
                name = elicit_call("explore", number, probe, repeat)
                if name in calls:
                    yield _graded_map(logged, name, calls[name], score, failed=probe in turn.failures)
            name = elicit_call("explore", number, "points", repeat)
            if name in calls:
                yield _graded_points(logged, name, calls[name], point)


def _graded_map(logged: ScoredCase, name: str, call: Call, score: MapScore | None, *, failed: bool) -> GradedReply:
    found = read_global_map(call.reply, (*logged.case.scene.names, AGENT), STRICT)
    reason = found.code if isinstance(found, NoMap) else ParseFailure.UNKNOWN_NAME if failed else None
    overall = None if score is None else score.overall
    return graded_reply(logged.case.id, name, call, "maps", overall, reason, repaired=_repaired(call.reply))


def _graded_points(logged: ScoredCase, name: str, call: Call, score: float | None) -> GradedReply:
    found = read_unexplored_points(call.reply, CandidatePoints((), frozenset()), STRICT)
    reason = found.code if isinstance(found, NoMap) else None
    return graded_reply(logged.case.id, name, call, "points", score, reason, repaired=_repaired(call.reply))


def _repaired(reply: str) -> bool:
    said = stated_json(reply)
    return not isinstance(said, ParseFailure) and said.repaired


def _graded_answers(logged: ScoredCase, calls: CallsByName) -> Iterator[GradedReply]:
    for mode in logged.options.maps:
        for name, question in question_calls(mode, logged.case.questions):
            if (call := calls.get(name)) is not None:
                graded = grade(question, call.reply, STRICT)
                yield graded_reply(logged.case.id, name, call, "answers", graded.score, graded.reason)
