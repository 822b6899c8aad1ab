"""Runs as the report shows them: names, colours and shapes for every figure, and the pages of their episodes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

import altair as alt

from tolman.benchmarks.theory_of_space.columns import Columns, columns
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN, MeasuredColumns, RunSummary
from tolman.core.seeds import digest
from tolman.report.site.figures import SERIES, SHAPES
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Row, RowGroup, Table, heading

NAME_LENGTH = 60
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class ReportedRun:
    """A run in the report."""

    shown: NamedRun
    name: str
    """Of the model; no two runs of one world and mode share it."""
    label: str
    """The name, with world and mode where the report has several: no two runs share it."""
    colour: str
    shape: str
    folder: str
    """Of its episodes, in the site."""
    insights: tuple[SceneInsight, ...]
    """What an ideal observer makes of each finished scene, in the order of `run.cases`."""

    @property
    def run(self) -> TheoryOfSpaceRun:
        return self.shown.figures.run

    @property
    def where(self) -> str:
        """World and mode, such as `text, active`."""
        return self.shown.where

    @property
    def strict(self) -> MeasuredColumns:
        return self.shown.figures.measured["strict"]

    def interval(self, column: str) -> Interval:
        """A column of scores under the strict rules."""
        return self.strict.interval(column)


def list_runs(runs: Sequence[RunSummary], insights: Mapping[int, Sequence[SceneInsight]]) -> list[ReportedRun]:
    """The runs in the order in which they are shown; `insights` by the place of the run in `runs`, from 0."""
    shown = name_runs(runs)
    places = {id(known): place for place, known in enumerate(runs)}
    several = len({one.part for one in shown}) > 1
    names = _distinct(shown)
    looks = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return [
        ReportedRun(
            shown=replace(one, name=name),
            name=name,
            label=f"{name} ({one.figures.run.world}, {one.figures.run.mode})" if several else name,
            colour=SERIES[looks[name] % len(SERIES)],
            shape=SHAPES[(looks[name] + looks[name] // len(SERIES)) % len(SHAPES)],
            folder=run_folder(one.figures.run),
            insights=tuple(insights[places[id(one.figures)]]),
        )
        for one, name in zip(shown, names, strict=True)
    ]


def _distinct(shown: Sequence[NamedRun]) -> list[str]:
    """Names cut to a length that figures can bear; those of one part that are then alike are counted through."""
    seen: Counter[tuple[str, str]] = Counter()
    names: list[str] = []
    for one in shown:
        short = one.name if len(one.name) <= NAME_LENGTH else one.name[: NAME_LENGTH - 1].rstrip() + "…"
        seen[one.part, short] += 1
        count = seen[one.part, short]
        names.append(short if count == 1 else f"{short} ({count})")
    return names


def run_folder(run: TheoryOfSpaceRun) -> str:
    """A folder's name, whatever the model is called: a few plain letters of it, the mode, and a digest."""
    plain = re.sub(r"[^a-z0-9]+", "-", run.name.lower()).strip("-")[:32].strip("-")
    known = digest([run.model, {name: str(value) for name, value in sorted(run.settings.items())}])[:8]
    return f"{plain or 'run'}-{run.mode}-{known}"


def scene_files(run: TheoryOfSpaceRun) -> list[str]:
    """Names of the pages of a run's finished scenes, in order. A scene that was lived through again has a number."""
    seen: Counter[str] = Counter()
    files: list[str] = []
    for case in run.cases:
        plain = case.id if _PLAIN.fullmatch(case.id) else digest(case.id)[:12]
        seen[plain.lower()] += 1
        again = seen[plain.lower()]
        files.append(f"scene-{plain}.html" if again == 1 else f"scene-{plain}.{again}.html")
    return files


def by_part(runs: Iterable[ReportedRun]) -> Iterator[tuple[str, list[ReportedRun]]]:
    """Runs of one world and mode, under its title: each part has a panel of its own."""
    for title, found in groupby(runs, key=lambda one: one.shown.part):
        yield title, list(found)


def colours(runs: Sequence[ReportedRun]) -> alt.Color:
    """Colour by the field `run`, which holds names."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.colour for one in runs])
    return alt.Color("run:N", sort=None, scale=scale, legend=_legend(runs))


def shapes(runs: Sequence[ReportedRun]) -> alt.Shape:
    """Shape by the field `run`: told apart without colour too."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.shape for one in runs])
    return alt.Shape("run:N", sort=None, scale=scale, legend=_legend(runs))


def _legend(runs: Sequence[ReportedRun]) -> alt.Legend:
    """A name may have several lines."""
    longest = max(len(line) for one in runs for line in one.name.split("\n"))
    lines = "split(datum.label, '\\n')"
    return alt.Legend(title=None, columns=1 if longest > 24 else 2, symbolOpacity=1, labelExpr=lines)


EPISODE_COLUMNS = (
    heading("run", words=True),
    heading("world, mode", words=True),
    heading("answers, %"),
    heading("ceiling, %"),
    heading("cost"),
    heading("information gain, %"),
    heading("last map, %"),
    heading("changes found, F1"),
    heading("unread replies"),
)
_NOTE = "ceiling: expected score of the best answers that what was seen allows. Strict scores."


def episode_table(runs: Sequence[ReportedRun]) -> Table:
    """All finished scenes of all runs, in order."""
    entries = tuple(entry for one in runs for entry in _episode_entries(one))
    return Table("episodes", "All episodes", "scene", EPISODE_COLUMNS, entries, (_NOTE,), ("run", "world, mode"))


def _episode_entries(one: ReportedRun) -> Iterator[RowGroup]:
    files = scene_files(one.run)
    for case, insight, file in zip(one.run.cases, one.insights, files, strict=True):
        numbers = columns(case.scores["strict"])
        cells = (
            Cell(one.name),
            Cell(one.where),
            _percent_cell(numbers, ANSWERS),
            _ceiling_cell(insight),
            _number(numbers, "explore/cost"),
            _percent_cell(numbers, GAIN),
            _percent_cell(numbers, CORRECTNESS),
            _percent_cell(numbers, "revise/f1"),
            Cell(str(_unparseable_replies(case))),
        )
        yield RowGroup(case.id[:40], (Row(cells),), href=f"episodes/{one.folder}/{file}")


def _percent_cell(numbers: Columns, column: str) -> Cell:
    return Cell(f"{100 * fmean(numbers[column]):.1f}") if column in numbers else Cell()


def _number(numbers: Columns, column: str) -> Cell:
    return Cell(f"{fmean(numbers[column]):.0f}") if column in numbers else Cell()


def _ceiling_cell(insight: SceneInsight) -> Cell:
    plainly: list[QuestionInsight] = [question for question in insight.questions if question.mode == "none"]
    return Cell(f"{100 * fmean(question.ceiling for question in plainly):.1f}") if plainly else Cell()


def _unparseable_replies(case: ScoredScene) -> int:
    """Turns, maps and answers in which nothing could be found."""
    scores = case.scores["strict"]
    turns = (scores.exploration.unread, scores.revision.unread if scores.revision else 0)
    maps = sum(summary.failures for summary in scores.maps.summaries) if scores.maps else 0
    return sum(turns) + maps + sum(answer.unread for answer in scores.answers)


def pages_by_scene(one: ReportedRun) -> Mapping[str, str]:
    """Addresses by id of the scene; of one that was lived through repeatedly, the last."""
    files = scene_files(one.run)
    return {case.id: f"episodes/{one.folder}/{file}" for case, file in zip(one.run.cases, files, strict=True)}
