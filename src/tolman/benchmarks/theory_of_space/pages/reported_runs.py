"""Runs in the report: their names, colours and shapes in figures, and the pages of their episodes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

import altair as alt

from tolman.benchmarks.theory_of_space.columns import NODES_COLUMN, Columns, columns
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN, MeasuredColumns, RunSummary
from tolman.core.seeds import digest
from tolman.report.site.figures import GREY, colour_scale, series_style, shape_scale, short_names
from tolman.report.statistics import Interval
from tolman.report.table import Cell, RowGroup, Table, heading, one_row

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class ReportedRun:
    """A run in the report."""

    named: NamedRun
    name: str
    """Unique among the runs of one world and mode."""
    label: str
    """The name, with world and mode if the report has several: unique among all runs."""
    colour: str
    shape: str
    folder: str
    """Folder of its episode pages in the site."""
    insights: tuple[SceneInsight, ...]
    """The ideal observer's results for each finished scene, in the order of `run.cases`."""

    @property
    def run(self) -> TheoryOfSpaceRun:
        return self.named.summary.run

    @property
    def where(self) -> str:
        """World and mode, such as `text, active`."""
        return self.named.where

    @property
    def strict(self) -> MeasuredColumns:
        return self.named.summary.measured["strict"]

    def interval(self, column: str) -> Interval:
        """A column of scores under the strict rules."""
        return self.strict.interval(column)


def list_runs(runs: Sequence[RunSummary], insights: Mapping[int, Sequence[SceneInsight]]) -> list[ReportedRun]:
    """The runs in the order of the tables; `insights` by index of the run in `runs`."""
    named_runs = name_runs(runs)
    indices = {id(summary): index for index, summary in enumerate(runs)}
    several_sections = len({named_run.section for named_run in named_runs}) > 1
    names = short_names((named_run.section, named_run.name) for named_run in named_runs)
    palette_index = {name: index for index, name in enumerate(dict.fromkeys(names))}
    return [
        ReportedRun(
            named=replace(named_run, name=name),
            name=name,
            label=f"{name} ({named_run.summary.run.world}, {named_run.summary.run.mode})" if several_sections else name,
            colour=series_style(palette_index[name])[0],
            shape=series_style(palette_index[name])[1],
            folder=run_folder(named_run.summary.run),
            insights=tuple(insights[indices[id(named_run.summary)]]),
        )
        for named_run, name in zip(named_runs, names, strict=True)
    ]


def run_folder(run: TheoryOfSpaceRun) -> str:
    """A safe folder name: letters of the model's name, the mode, and a digest of model and settings."""
    plain = re.sub(r"[^a-z0-9]+", "-", run.name.lower()).strip("-")[:32].strip("-")
    settings = digest([run.model, {name: str(value) for name, value in sorted(run.settings.items())}])[:8]
    return f"{plain or 'run'}-{run.mode}-{settings}"


def scene_files(run: TheoryOfSpaceRun) -> list[str]:
    """Names of the pages of a run's finished scenes, in order; repeated scenes are numbered."""
    seen: Counter[str] = Counter()
    files: list[str] = []
    for case in run.cases:
        plain = case.id if _PLAIN.fullmatch(case.id) else digest(case.id)[:12]
        seen[plain.lower()] += 1
        count = seen[plain.lower()]
        files.append(f"scene-{plain}.html" if count == 1 else f"scene-{plain}.{count}.html")
    return files


def by_section(runs: Iterable[ReportedRun]) -> Iterator[tuple[str, list[ReportedRun]]]:
    """Runs grouped by section (world and mode), with its title."""
    for title, found in groupby(runs, key=lambda reported: reported.named.section):
        yield title, list(found)


def reported_explorers(runs: Sequence[ReportedRun]) -> Iterator[ReportedRun]:
    """Active runs, and once each explorer whose log passive runs read."""
    seen: set[object] = set()
    for reported in runs:
        explorer = reported.run.options.passive_explorer
        curve = (reported.run.world, explorer, reported.named.summary.curve)
        if reported.run.mode == "active":
            yield reported
        elif curve not in seen:
            seen.add(curve)
            yield replace(
                reported, name=f"log of the {explorer}", label=f"log of the {explorer}, {reported.label}", colour=GREY
            )


def colours(runs: Sequence[ReportedRun]) -> alt.Color:
    """Colour by the field `run`, which holds names of runs."""
    names, shown = [reported.name for reported in runs], [reported.colour for reported in runs]
    return colour_scale("run", names, shown, _legend(runs))


def shapes(runs: Sequence[ReportedRun]) -> alt.Shape:
    """Shape by the field `run`, so that runs differ without colour too."""
    names, shown = [reported.name for reported in runs], [reported.shape for reported in runs]
    return shape_scale("run", names, shown, _legend(runs))


def _legend(runs: Sequence[ReportedRun]) -> alt.Legend:
    """A legend whose labels may have several lines."""
    longest = max(len(line) for reported in runs for line in reported.name.split("\n"))
    lines = "split(datum.label, '\\n')"
    return alt.Legend(title=None, columns=1 if longest > 24 else 2, symbolOpacity=1, labelExpr=lines)


EPISODE_COLUMNS = (
    heading("run", words=True),
    heading("world, mode", words=True),
    heading("answers, %"),
    heading("ceiling, %"),
    heading("cost"),
    heading("node coverage, %"),
    heading("information gain, %"),
    heading("rooms in order", words=True),
    heading("last map, %"),
    heading("changes found, F1"),
    heading("unparseable replies"),
)
_NOTE = (
    "ceiling: expected score of the best answers, given what was seen. rooms in order: rooms that were looked at, "
    "again if they were left in between. Strict scores."
)


def episode_table(runs: Sequence[ReportedRun]) -> Table:
    """All finished scenes of all runs."""
    entries = tuple(entry for reported in runs for entry in _episode_entries(reported))
    return Table("episodes", "All episodes", "scene", EPISODE_COLUMNS, entries, (_NOTE,), ("run", "world, mode"))


def _episode_entries(reported: ReportedRun) -> Iterator[RowGroup]:
    files = scene_files(reported.run)
    for case, insight, file in zip(reported.run.cases, reported.insights, files, strict=True):
        numbers = columns(case.scores["strict"])
        cells = (
            Cell(reported.name),
            Cell(reported.where),
            _percent_cell(numbers, ANSWERS),
            _ceiling_cell(insight),
            _number(numbers, "explore/cost"),
            _percent_cell(numbers, NODES_COLUMN.key),
            _percent_cell(numbers, GAIN),
            Cell(" ".join(map(str, case.scores["strict"].exploration.patterns.rooms))),
            _percent_cell(numbers, CORRECTNESS),
            _percent_cell(numbers, "revise/f1"),
            Cell(str(_unparseable_replies(case))),
        )
        yield one_row(case.id[:40], cells, href=f"episodes/{reported.folder}/{file}")


def _percent_cell(numbers: Columns, column: str) -> Cell:
    return Cell(f"{100 * fmean(numbers[column]):.1f}") if column in numbers else Cell()


def _number(numbers: Columns, column: str) -> Cell:
    return Cell(f"{fmean(numbers[column]):.0f}") if column in numbers else Cell()


def _ceiling_cell(insight: SceneInsight) -> Cell:
    without_map: list[QuestionInsight] = [question for question in insight.questions if question.mode == "none"]
    return Cell(f"{100 * fmean(question.ceiling for question in without_map):.1f}") if without_map else Cell()


def _unparseable_replies(case: ScoredScene) -> int:
    """Number of unparseable turns, maps and answers."""
    scores = case.scores["strict"]
    turns = (scores.exploration.unparseable, scores.revision.unparseable if scores.revision else 0)
    maps = sum(summary.failures for summary in scores.maps.summaries) if scores.maps else 0
    return sum(turns) + maps + sum(answer.unparseable for answer in scores.answers)


def pages_by_scene(reported: ReportedRun) -> Mapping[str, str]:
    """Addresses of pages by id of the scene; the last one of repeated scenes."""
    files = scene_files(reported.run)
    return {case.id: f"episodes/{reported.folder}/{file}" for case, file in zip(reported.run.cases, files, strict=True)}
