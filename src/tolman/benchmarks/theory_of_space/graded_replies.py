"""Every reply of a scene with what became of it: which turns, maps, points and answers could not be parsed, and why."""

import re
from collections.abc import Iterator, Mapping

from tolman.ask import grade
from tolman.belief.find_json import said_json
from tolman.belief.map_dimensions import Failure
from tolman.belief.map_scores import MapScore
from tolman.belief.read_map import NoMap, read_global_map
from tolman.belief.read_points import read_points
from tolman.belief.unexplored import Points
from tolman.benchmarks.call import Call
from tolman.benchmarks.graded_reply import GradedReply, graded_reply
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.explore.actions import Actions, Phase
from tolman.explore.grammar import RefusalKind, read_actions
from tolman.reading import Unread
from tolman.rules import STRICT
from tolman.world import AGENT

Calls = Mapping[str, Call]
_PHASES: tuple[Phase, ...] = ("explore", "revise")
_REVISED = re.compile(r"revise/\d+/global/\d+")


def graded_replies(logged: ScoredCase, scores: SceneScores) -> Iterator[GradedReply]:
    """All replies of a scene: turns, maps, points, answers. `scores` are those of the scene under the strict rules."""
    calls = {call.name: call for call in logged.record.calls}
    turns = {phase: [*_turns(logged, calls, phase)] for phase in _PHASES}
    for phase in _PHASES:
        yield from turns[phase]
    passive = logged.options.mode == "passive"
    read = [number for number, turn in enumerate(turns["explore"], start=1) if turn.reason is None]
    ended = len(turns["explore"]) + 1  # the turn without a reply that ends an exploration at its budget
    numbers = [*range(1, len(logged.record.log) + 1)] if passive else [*read, ended]
    yield from _probes(logged, calls, scores, numbers)
    for name in filter(_REVISED.fullmatch, calls):
        yield _map(logged, name, calls[name], None, failed=False)
    yield from _answers(logged, calls)


def _turns(logged: ScoredCase, calls: Calls, phase: Phase) -> Iterator[GradedReply]:
    number = 1
    while (call := calls.get(name := turn_call(phase, number))) is not None:
        asked = read_actions(call.reply, logged.options.episode.rules, phase)
        kind = None if isinstance(asked, Actions) else asked.kind
        reason = None if kind is None else Unread.NO_ANSWER if kind is RefusalKind.NO_ACTIONS else Unread.BAD_TURN
        yield graded_reply(logged.case.id, name, call, "turns", None, reason)
        number += 1


def _probes(logged: ScoredCase, calls: Calls, scores: SceneScores, numbers: list[int]) -> Iterator[GradedReply]:
    if scores.maps is None:
        return
    for repeat, (turns, points) in enumerate(zip(scores.maps.turns, scores.maps.points, strict=True), start=1):
        for number, turn, point in zip(numbers, turns, points, strict=False):
            scored: dict[Failure, MapScore | None] = {"global": turn.update, "local": turn.local}
            for probe, score in scored.items():
                name = probe_call("explore", number, probe, repeat)
                if name in calls:
                    yield _map(logged, name, calls[name], score, failed=probe in turn.failures)
            name = probe_call("explore", number, "points", repeat)
            if name in calls:
                yield _points(logged, name, calls[name], point)


def _map(logged: ScoredCase, name: str, call: Call, score: MapScore | None, *, failed: bool) -> GradedReply:
    found = read_global_map(call.reply, (*logged.case.scene.names, AGENT), STRICT)
    reason = found.code if isinstance(found, NoMap) else Unread.UNKNOWN_NAME if failed else None
    overall = None if score is None else score.overall
    return graded_reply(logged.case.id, name, call, "maps", overall, reason, repaired=_repaired(call.reply))


def _points(logged: ScoredCase, name: str, call: Call, score: float | None) -> GradedReply:
    found = read_points(call.reply, Points((), frozenset()), STRICT)
    reason = found.code if isinstance(found, NoMap) else None
    return graded_reply(logged.case.id, name, call, "points", score, reason, repaired=_repaired(call.reply))


def _repaired(reply: str) -> bool:
    said = said_json(reply)
    return not isinstance(said, Unread) and said.repaired


def _answers(logged: ScoredCase, calls: Calls) -> Iterator[GradedReply]:
    for mode in logged.options.maps:
        for name, question in question_calls(mode, logged.case.questions):
            if (call := calls.get(name)) is not None:
                graded = grade(question, call.reply, STRICT)
                yield graded_reply(logged.case.id, name, call, "answers", graded.score, graded.reason)
