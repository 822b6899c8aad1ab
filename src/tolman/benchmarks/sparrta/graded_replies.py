"""Every reply about a picture with what became of it: which could not be parsed, and why."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.graded_reply import GradedReply, graded_reply
from tolman.benchmarks.sparrta.answer_reading import find_relation
from tolman.benchmarks.sparrta.sparrta_record import LoggedCase
from tolman.benchmarks.sparrta.sparrta_scores import ScoredAnswer
from tolman.reading import Unread


def graded_replies(logged: LoggedCase, answers: Sequence[ScoredAnswer]) -> Iterator[GradedReply]:
    """The replies to all questions about a picture."""
    calls = {call.name: call for call in logged.record.calls}
    for answer in answers:
        name = answer.question.viewpoint
        said = Unread.MISSING if answer.reply is None else find_relation(answer.question, answer.reply)
        reason = said if isinstance(said, Unread) else None
        yield graded_reply(logged.case.id, name, calls.get(name), "answers", float(answer.right), reason)
