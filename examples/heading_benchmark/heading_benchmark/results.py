"""Its runs as a table, as numbers and as a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heading_benchmark.case import RECORDS, LoggedCase, Options
from heading_benchmark.task import score
from tolman.core.parallel import Tell, Track
from tolman.harness.logs import LogFile, logs_of
from tolman.harness.runs import FinishedCase, ModelRun, collect_runs
from tolman.report.results import (
    BenchmarkResults,
    CaseScores,
    Headline,
    PageRequest,
    ResultReader,
    ShownTables,
    TableRequest,
)
from tolman.report.site import Page, Tab, Text, write_page
from tolman.report.statistics import pooled_interval, values_by_case
from tolman.report.table import Cell, Column, Row, RowGroup, Table

TITLE = "Headings"
ACCURACY = Column("accuracy", "right", TITLE, better="higher", definition="Share of headings named right.")


@dataclass(frozen=True)
class HeadingLog(LogFile):
    """One log, of which only the header has been read."""

    options: Options


class ScoredCase(FinishedCase[LoggedCase, float]):
    """One case with its score."""


def scored_case(metadata: Mapping[str, object], stored: object) -> ScoredCase:
    """The case that a log holds, scored."""
    logged = RECORDS.read(metadata, stored)
    return ScoredCase(logged, score(logged))


@dataclass(frozen=True)
class HeadingResults(BenchmarkResults):
    """Runs of models."""

    found: tuple[ModelRun[Options, ScoredCase], ...]

    def accuracy(self, run: ModelRun[Options, ScoredCase]) -> Cell:
        """Share of right answers, with its interval over cases; a case may have been run several times."""
        values = values_by_case((case.id, {ACCURACY.key: (case.scores,)}) for case in run.cases)
        return ACCURACY.style(pooled_interval(values.get(ACCURACY.key, {}).values()))

    def table(self) -> Table:
        """One row for each run."""
        rows = tuple(RowGroup(run.name, (Row((self.accuracy(run),)),)) for run in self.found)
        return Table("headings", "Headings named right, %", "model", (ACCURACY,), rows)

    def show(self, request: TableRequest, track: Track) -> ShownTables:
        del request, track
        return ShownTables([self.table()], {run.name: [case.scores for case in run.cases] for run in self.found})

    def write_pages(self, request: PageRequest) -> Path:
        tab = Tab("results", "Results", (Text(("Which way does one face after some turns?",)), self.table()))
        return write_page(Page(TITLE, RESULTS.about, (tab,), request.place.cover), request.out, request.place)

    def headlines(self) -> Sequence[Headline]:
        return [Headline(run.name, {ACCURACY.key: self.accuracy(run)}) for run in self.found]

    def scores(self) -> Iterator[CaseScores]:
        for run in self.found:
            for case in run.cases:
                yield CaseScores(run.name, run.name, "both", case.id, case.epoch, {ACCURACY.key: (case.scores,)})


class HeadingReader(ResultReader):
    """Reads its logs."""

    name = key = task = "headings"
    title = TITLE
    about = "Which way does one face after some turns?"
    words = ("run", "case")
    headline_columns = (ACCURACY,)

    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> HeadingResults:
        del scores
        read = RECORDS.read_options
        logs = logs_of(self.task, TITLE, paths, tell, lambda path, header, o: HeadingLog(path, header, read(o)))
        runs = collect_runs(logs, scored_case, ModelRun[Options, ScoredCase], tell, track, jobs)
        cases = {case.id for run in runs for case in run.cases}
        return HeadingResults(tuple(dict.fromkeys(run.name for run in runs)), len(runs), len(cases), tuple(runs))


RESULTS = HeadingReader()
