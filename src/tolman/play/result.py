"""The result of a person: their row, read from the logs they left, beside those of scripted explorers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tolman.play.playroom import Playroom
from tolman.play.reference import scripted_run
from tolman.report.theory_of_space import figures, read_runs
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN
from tolman.report.theory_of_space.logs import Run

REFERENCES = ("scout", "strategist")
COLUMNS = {
    "cost": "explore/cost",
    "information gain": GAIN,
    "answers": ANSWERS,
    "last map": CORRECTNESS,
    "changes found": "revise/f1",
}
_PERCENT = {"information gain", "answers", "last map", "changes found"}


@dataclass(frozen=True)
class Row:
    """One explorer: the name, and the mean of each column as it is shown."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """A table with one row for the person and some to compare with."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    scenes: int
    warnings: tuple[str, ...]
    """What was odd about the logs, one line each."""


def result(playroom: Playroom, name: str) -> Result:
    """The mean over scenes of what a person did, under the strict rules."""
    saved = [playroom.saved(name, scene) for scene in playroom.cases]
    logs = [playroom.logs(one) / one.log for one in saved]
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == playroom.model(name)]
    cases = list(playroom.cases.values())
    runs = [*own, *(scripted_run(agent, cases, playroom.options) for agent in REFERENCES)]
    return _table(runs, warnings)


def _table(runs: Sequence[Run], warnings: Sequence[str]) -> Result:
    """Columns that nobody has anything in are left out."""
    measured = [figures(run).measured["strict"] for run in runs]
    means = {head: [of.interval(column).mean for of in measured] for head, column in COLUMNS.items()}
    heads = tuple(head for head, values in means.items() if not all(map(math.isnan, values)))
    rows = tuple(
        Row(run.name, tuple(_shown(head, means[head][number]) for head in heads)) for number, run in enumerate(runs)
    )
    return Result(heads, rows, len(runs[0].cases), tuple(warnings))


def _shown(head: str, mean: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{100 * mean:.1f} %" if head in _PERCENT else f"{mean:.1f}"
