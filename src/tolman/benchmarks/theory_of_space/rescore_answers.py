"""Grade the answers of a released run again, under both rule sets."""

from collections.abc import Iterator
from dataclasses import dataclass

from tolman.ask import Grade, grade
from tolman.benchmarks.compared import Compared
from tolman.benchmarks.theory_of_space.released_questions import released_question
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.replay import scene_of
from tolman.rules import PUBLISHED, STRICT


@dataclass(frozen=True, slots=True)
class RescoredAnswer:
    """One answer: the score that was stored, and our grades. `mode` tells which map, if any, went with the question."""

    kind: str
    mode: str
    question_id: str
    stored: float
    published: Grade
    strict: Grade

    @property
    def compared(self) -> Compared:
        return Compared(self.kind, f"{self.mode} {self.question_id}", self.published.score, self.stored)


def rescore_answers(run: ReleasedRun) -> Iterator[RescoredAnswer]:
    """All answers of a run to questions of the nine kinds and their picture variants, in all modes."""
    scene = scene_of(run)
    for mode in run.evaluation_modes:
        for answer in run.answers(mode):
            question = released_question(answer.task, answer.question, scene)
            if question is not None:
                yield RescoredAnswer(
                    kind=question.kind,
                    mode=mode,
                    question_id=answer.question_id,
                    stored=answer.score,
                    published=grade(question, answer.reply, PUBLISHED),
                    strict=grade(question, answer.reply, STRICT),
                )
