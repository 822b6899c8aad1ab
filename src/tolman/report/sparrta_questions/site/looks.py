"""How runs look in figures: short names that differ, a colour and a shape that stay the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tolman.report.site.theme import SERIES, SHAPES
from tolman.report.sparrta_questions.question_figures import QuestionFigures

_LONGEST = 60


@dataclass(frozen=True)
class Look:
    """A run in a figure."""

    run: QuestionFigures
    colour: str
    shape: str

    @property
    def name(self) -> str:
        return self.run.name


def shown_runs(runs: Sequence[QuestionFigures]) -> list[QuestionFigures]:
    """The same runs under names short enough for figures; those that are alike once they are cut are numbered."""
    seen: Counter[str] = Counter()
    found: list[QuestionFigures] = []
    for run in runs:
        short = run.name if len(run.name) <= _LONGEST else run.name[: _LONGEST - 1].rstrip() + "…"
        seen[short] += 1
        found.append(replace(run, name=short if seen[short] == 1 else f"{short} ({seen[short]})"))
    return found


def looks(runs: Sequence[QuestionFigures]) -> list[Look]:
    """Colours and shapes, in the order of the runs."""
    return [
        Look(run, SERIES[place % len(SERIES)], SHAPES[(place + place // len(SERIES)) % len(SHAPES)])
        for place, run in enumerate(runs)
    ]
