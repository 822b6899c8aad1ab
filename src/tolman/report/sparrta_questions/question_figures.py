"""A run in numbers: its answers, and what it took. And rows of those who never saw a picture."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.sparrta.relations import RELATIONS, VIEWPOINTS, Relation, Viewpoint
from tolman.report.intervals import Interval
from tolman.report.sparrta_questions.answered import Answered, answered, place_of
from tolman.report.sparrta_questions.question_logs import Run
from tolman.report.sparrta_questions.run_names import run_names

CHANCE = 1 / len(RELATIONS)
UNREAD = "not read"


@dataclass(frozen=True)
class QuestionFigures:
    """A run and its answers."""

    run: Run
    name: str
    """The model, and what sets it apart from others of its name."""
    answers: tuple[Answered, ...]

    def of(
        self, viewpoint: Viewpoint | None = None, environment: str = "", triple_name: str = ""
    ) -> tuple[Answered, ...]:
        """The answers from one viewpoint, in one environment, of one triple; or of all."""
        return tuple(
            answer
            for answer in self.answers
            if viewpoint in (None, answer.viewpoint)
            and environment in ("", answer.environment)
            and triple_name in ("", answer.triple_name)
        )


def question_figures(runs: Sequence[Run]) -> list[QuestionFigures]:
    """The runs in numbers, under names that tell them apart."""
    return [figures_of(run, name) for run, name in zip(runs, run_names(runs), strict=True)]


def figures_of(run: Run, name: str) -> QuestionFigures:
    """One run in numbers, under a name."""
    return QuestionFigures(run, name, tuple(answered(run.cases)))


def viewpoints_of(runs: Sequence[QuestionFigures]) -> tuple[Viewpoint, ...]:
    """From where anybody was asked."""
    known = {answer.viewpoint for run in runs for answer in run.answers}
    return tuple(viewpoint for viewpoint in VIEWPOINTS if viewpoint in known)


def environments_of(runs: Sequence[QuestionFigures]) -> list[str]:
    """Environments of the pictures, in the paper's order."""
    return sorted({answer.environment for run in runs for answer in run.answers}, key=place_of)


def triples_of(runs: Sequence[QuestionFigures]) -> dict[str, str]:
    """Names of the triples of the pictures, with what source and target are."""
    found = {
        (place_of(case.environment), case.triple): case
        for run in runs
        for case in (c.logged.case for c in run.run.cases)
    }
    return {
        case.triple_name.replace("_", " "): f"{case.source} and {case.target}"
        for _, case in sorted(found.items(), key=lambda item: item[0])
    }


def confusion(answers: Sequence[Answered]) -> Mapping[Relation, Mapping[str, int]]:
    """How often what was said, by what is right; `UNREAD` stands for replies that name no relation, or several."""
    counts = Counter((answer.answer, answer.said or UNREAD) for answer in answers)
    return {true: {said: counts[true, said] for said in (*RELATIONS, UNREAD)} for true in RELATIONS}


def majority(runs: Sequence[QuestionFigures]) -> QuestionFigures | None:
    """Who knows which word is right most often from each viewpoint, and says it of all pictures of the runs."""
    asked = {(answer.picture, answer.viewpoint): answer for run in runs for answer in run.answers}
    if not asked:
        return None
    words = {
        viewpoint: Counter(a.answer for a in asked.values() if a.viewpoint == viewpoint).most_common(1)[0][0]
        for viewpoint in viewpoints_of(runs)
    }
    said = tuple(replace(answer, said=words[answer.viewpoint]) for answer in asked.values())
    return QuestionFigures(runs[0].run, "majority", said)


def certain(value: float) -> Interval:
    """A number without an interval."""
    return Interval(value, float("nan"), float("nan"))
