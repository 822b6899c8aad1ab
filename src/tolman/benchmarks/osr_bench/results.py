"""Runs of OSR-Bench as tables, numbers and pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tolman.benchmarks.osr_bench.pages.page import ABOUT, TITLE, write_pages
from tolman.benchmarks.osr_bench.released.rescore import is_osr, rescore_osr, rescored_osr_as_dict, rescored_osr_tables
from tolman.benchmarks.osr_bench.runs import (
    TASK,
    Run,
    RunScores,
    condition_title,
    evaluated_models,
    read_runs,
    run_scores,
)
from tolman.benchmarks.osr_bench.scores import ANSWER_COLUMNS, COLUMNS, F1, score_columns
from tolman.benchmarks.osr_bench.tables.export import as_dict, replies_of, report_tables
from tolman.benchmarks.osr_bench.tables.references import reference_rows
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

HEADLINES = (
    *(replace(column, group=TITLE) for column in ANSWER_COLUMNS),
    replace(COLUMNS[F1], title="map F1", group=TITLE),
)


@dataclass(frozen=True)
class RoomResults(BenchmarkResults):
    """Runs of models that were shown panoramas."""

    found: tuple[Run, ...]

    @cached_property
    def scored(self) -> list[RunScores]:
        """The scores of the runs, with intervals."""
        return [run_scores(run) for run in self.found]

    def show(self, request: TableRequest, track: Track) -> ShownTables:
        """All tables; failures if requested."""
        compared, paper = request.references != "none", request.references == "all"
        rows = reference_rows(self.found, baselines=compared, published=paper)
        scored = [one for _ in track([self], "intervals") for one in self.scored]
        shown = ShownTables(list(report_tables(scored, request.rules, rows)), as_dict(scored, rows))
        return add_failures(shown, replies_of(evaluated_models(scored))) if request.failures else shown

    def write_pages(self, request: PageRequest) -> Path:
        return write_pages(self.found, request)

    def headlines(self) -> Sequence[Headline]:
        """The first condition of each model: standard questions, own map first."""
        first = {scored.run.name: scored for scored in reversed(self.scored)}
        return [
            Headline(name, {column.key: column.style(scores.interval(column.key)) for column in HEADLINES})
            for name, scored in first.items()
            for scores in (scored.measured["strict"],)
        ]

    def scores(self) -> Iterator[CaseScores]:
        for model in evaluated_models(self.scored):
            for condition, scored in model.conditions.items():
                name = f"{model.name}: {condition_title(condition).lower()}"
                for rules in RULE_SETS:
                    for case in scored.run.cases:
                        values = score_columns(case.scores[rules])
                        yield CaseScores(scored.run.name, name, rules, case.id, case.epoch, values)


class RoomReader(ResultReader):
    """Reads logs of OSR-Bench."""

    name, key, task = "osr-bench", "osr_bench", TASK
    title, about = TITLE, ABOUT
    headline_columns = HEADLINES

    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> RoomResults:
        del scores
        runs = read_runs(paths, tell, track, jobs)
        scenes = {case.id for run in runs for case in run.cases}
        return RoomResults(tuple(dict.fromkeys(run.name for run in runs)), len(runs), len(scenes), tuple(runs))


RESULTS = RoomReader()


class ReleasedScenes(ReleasedReader):
    """The authors' scenes and results, in any of the layouts in which they are published."""

    def recognises(self, path: Path) -> bool:
        return is_osr(path)

    def rescore(self, path: Path, advance: Callable[[], None]) -> ShownTables:
        outcome = rescore_osr(path, advance)
        return ShownTables(list(rescored_osr_tables(outcome)), rescored_osr_as_dict(outcome))


RELEASED = ReleasedScenes()
