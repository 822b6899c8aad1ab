"""Every reply of a scene with what became of it: which maps and answers could not be parsed, and why."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.graded_reply import GradedReply, graded_reply
from tolman.benchmarks.osr_bench.answer_reading import find_answer
from tolman.benchmarks.osr_bench.map_reading import find_map
from tolman.benchmarks.osr_bench.osr_record import LoggedCase, map_call, question_call
from tolman.benchmarks.osr_bench.osr_scores import OsrScores
from tolman.reading import Unread


def graded_replies(logged: LoggedCase, scores: Sequence[OsrScores]) -> Iterator[GradedReply]:
    """All replies of a scene, for each turn of the camera. `scores` are those under the strict rules."""
    calls = {call.name: call for call in logged.record.calls}
    for turn in scores:
        if turn.map is not None:
            call = calls.get(map_call(turn.turn))
            found = Unread.MISSING if call is None else find_map(call.reply)
            reason = found if isinstance(found, Unread) else None if turn.map.read else Unread.UNKNOWN_NAME
            repaired = not isinstance(found, Unread) and found.repaired
            yield graded_reply(
                logged.case.id, map_call(turn.turn), call, "maps", turn.map.f1, reason, repaired=repaired
            )
        for answer in turn.answers:
            name = question_call(turn.turn, answer.question)
            said = Unread.MISSING if answer.reply is None else find_answer(answer.question, answer.reply)
            reason = said if isinstance(said, Unread) else None
            yield graded_reply(logged.case.id, name, calls.get(name), "answers", answer.score, reason)
