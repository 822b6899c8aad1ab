"""Answers apart from everything else that a log holds: enough to count them in any way."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tolman.benchmarks.sparrta.relations import Relation, Viewpoint
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS
from tolman.report.sparrta_questions.question_logs import FinishedPicture


@dataclass(frozen=True, slots=True)
class Answered:
    """One question and what was said to it."""

    picture: str
    environment: str
    triple: int
    viewpoint: Viewpoint
    answer: Relation
    said: Relation | None

    @property
    def right(self) -> bool:
        return self.said == self.answer

    @property
    def triple_name(self) -> str:
        return f"{self.environment} {self.triple}".replace("_", " ")


def answered(cases: Iterable[FinishedPicture]) -> Iterator[Answered]:
    """All answers of some pictures."""
    for case in cases:
        about = case.logged.case
        for answer in case.answers:
            asked = answer.question
            yield Answered(case.id, about.environment, about.triple, asked.viewpoint, asked.answer, answer.said)


def place_of(environment: str) -> tuple[int, str]:
    """Where an environment stands among others: in the paper's order, unknown ones last."""
    known = list(ENVIRONMENTS)
    return (known.index(environment) if environment in known else len(known)), environment
