"""Runs of Theory of Space as tables, numbers and pages, and rescoring of the authors' released runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tolman.benchmarks.theory_of_space.columns import CHANGES_FOUND_COLUMN, COST_COLUMN, GAIN_COLUMN, columns
from tolman.benchmarks.theory_of_space.pages.write import ABOUT, TITLE, write_pages
from tolman.benchmarks.theory_of_space.released.rescore import RescoredRuns, rescored_tables
from tolman.benchmarks.theory_of_space.released.run_files import find_runs
from tolman.benchmarks.theory_of_space.runs import TASK, TheoryOfSpaceRun, read_runs
from tolman.benchmarks.theory_of_space.tables import tables
from tolman.benchmarks.theory_of_space.tables.attribution import ceiling_tables, insights_of
from tolman.benchmarks.theory_of_space.tables.export import as_dict
from tolman.benchmarks.theory_of_space.tables.layout import name_runs
from tolman.benchmarks.theory_of_space.tables.references import reference_rows
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, RunSummary, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_tables import replies_of
from tolman.benchmarks.theory_of_space.uncertainty.measured import condition_runs
from tolman.benchmarks.theory_of_space.uncertainty.tables import condition_tables, name_condition_runs
from tolman.core.parallel import Tell, Track
from tolman.core.rules import RULE_SETS
from tolman.report.replies import add_failures
from tolman.report.results import (
    BenchmarkResults,
    CaseScores,
    Headline,
    PageRequest,
    ReleasedReader,
    ResultReader,
    ShownTables,
    TableRequest,
)
from tolman.report.table import Column

HEADLINES = (
    Column(ANSWERS, "answers", TITLE, better="higher", definition="Mean score of answers to all kinds of question."),
    replace(COST_COLUMN, group=TITLE),
    replace(GAIN_COLUMN, group=TITLE),
    Column(CORRECTNESS, "last map", TITLE, better="higher", definition="Correctness of the last map stated."),
    replace(CHANGES_FOUND_COLUMN, title="changes found", group=TITLE),
)


@dataclass(frozen=True)
class SpaceResults(BenchmarkResults):
    """Active and passive runs of Theory of Space."""

    model_runs: tuple[TheoryOfSpaceRun, ...]

    @cached_property
    def published_runs(self) -> tuple[TheoryOfSpaceRun, ...]:
        """The runs of the published task; those in task conditions have tables of their own."""
        return tuple(run for run in self.model_runs if not run.options.condition)

    @cached_property
    def summaries(self) -> list[RunSummary]:
        """All numbers of the published runs."""
        return [summarise_run(run) for run in self.published_runs]

    def show(self, request: TableRequest, track: Track) -> ShownTables:
        """All tables of the paper; ceilings and failures on request."""
        every = request.references == "all"
        conditions = condition_runs(self.model_runs, track)
        rows = reference_rows(
            self.published_runs, baselines=request.references != "none", scripted=every, published=every, track=track
        )
        summaries = self.summaries
        parts = list(tables(summaries, request.rules, rows)) if summaries or not conditions else []
        if request.ceilings:
            parts += ceiling_tables(name_runs(summaries), insights_of(self.published_runs, track, request.observer))
        shown = ShownTables([*parts, *condition_tables(conditions)], as_dict(summaries, rows, conditions))
        return add_failures(shown, replies_of(name_runs(summaries))) if request.failures else shown

    def write_pages(self, request: PageRequest) -> Path:
        return write_pages(self.model_runs, request)

    def headlines(self) -> Sequence[Headline]:
        """One row per model, from its first condition: text before vision, active before passive."""
        first = {run.name: run for run in reversed(self.published_runs)}
        measured = {
            summary.run.name: summary.measured["strict"]
            for summary in self.summaries
            if first[summary.run.name] is summary.run
        }
        return [
            Headline(name, {column.key: column.style(scores.interval(column.key)) for column in HEADLINES})
            for name, scores in measured.items()
        ]

    def scores(self) -> Iterator[CaseScores]:
        for named in name_runs(self.summaries):
            run = named.summary.run
            for rules in RULE_SETS:
                for case in run.cases:
                    values = columns(case.scores[rules])
                    yield CaseScores(run.name, f"{named.name}, {named.where}", rules, case.id, case.epoch, values)
        for named in name_condition_runs(condition_runs(self.model_runs)):
            run, where = named.run.run, f"{named.name}, {named.run.condition}, {named.run.run.mode}"
            for case, scene in zip(run.cases, named.run.scenes, strict=True):
                yield CaseScores(run.name, where, "strict", case.id, case.epoch, scene.columns)


class SpaceReader(ResultReader):
    """Reads logs of Theory of Space."""

    name, key, task = "theory-of-space", "theory_of_space", TASK
    title, about = TITLE, ABOUT
    headline_columns = HEADLINES

    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> SpaceResults:
        del scores
        runs = read_runs(paths, tell, track, jobs)
        scenes = {case.logged.case.scene.digest for run in runs for case in run.cases}
        return SpaceResults(tuple(dict.fromkeys(run.name for run in runs)), len(runs), len(scenes), tuple(runs))


RESULTS = SpaceReader()


class ReleasedRuns(ReleasedReader):
    """The authors' released experiments, as a folder or an archive."""

    def recognises(self, path: Path) -> bool:
        return path.exists()

    def rescore(self, path: Path, advance: Callable[[], None]) -> ShownTables:
        outcome = RescoredRuns()
        for run in find_runs(path):
            outcome.add(run)
            advance()
        return ShownTables(list(rescored_tables(outcome)), outcome.as_dict())


RELEASED = ReleasedRuns()
