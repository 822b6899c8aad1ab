"""Scores of one picture: what was said from each viewpoint, and whether it is right. What can't be read is wrong."""

from dataclasses import dataclass

from tolman.benchmarks.sparrta.answer_reading import read_relation
from tolman.benchmarks.sparrta.question import RelationQuestion
from tolman.benchmarks.sparrta.relations import Relation
from tolman.benchmarks.sparrta.sparrta_record import LoggedCase


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer."""

    question: RelationQuestion
    reply: str | None
    """None where none came."""
    said: Relation | None
    """None where the reply names no relation, or several."""

    @property
    def right(self) -> bool:
        return self.said == self.question.answer


def score_case(logged: LoggedCase) -> tuple[ScoredAnswer, ...]:
    """The answers to all questions of a case, in their order."""
    replies = logged.record.replies
    return tuple(_scored(question, replies.get(question.viewpoint)) for question in logged.case.questions)


def _scored(question: RelationQuestion, reply: str | None) -> ScoredAnswer:
    return ScoredAnswer(question, reply, None if reply is None else read_relation(question, reply))
