"""Rows to set beside some runs: guesses on their own questions, and the paper's numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.question import ASKED, AskedSet
from tolman.report.osr_bench.baselines import baseline_rows
from tolman.report.osr_bench.osr_logs import Run
from tolman.report.osr_bench.published_rows import published_rows
from tolman.report.osr_bench.reference_row import ReferenceRow


def reference_rows(runs: Sequence[Run], *, baselines: bool = True, published: bool = True) -> list[ReferenceRow]:
    """All rows for each set of questions that the runs were asked: guesses, then the paper's."""
    return list(_rows(runs, baselines=baselines, published=published))


def _rows(runs: Sequence[Run], *, baselines: bool, published: bool) -> Iterator[ReferenceRow]:
    asked_sets: tuple[AskedSet, ...] = ("standard", "negative")
    for asked in sorted(asked_sets, key=ASKED.index):
        of_set = [run for run in runs if run.way.asked == asked]
        if of_set and baselines:
            yield from baseline_rows(common_cases(of_set), asked)
        if of_set and published:
            yield from published_rows(asked)


def common_cases(runs: Sequence[Run]) -> list[OsrCase]:
    """The cases that are the same in all runs, questions and all; all cases where there are none such."""
    cases = [{_content(case.logged.case): case.logged.case for case in run.cases} for run in runs if run.cases]
    everything = {content: case for of_run in cases for content, case in of_run.items()}
    shared = [case for content, case in everything.items() if all(content in of_run for of_run in cases)]
    return shared or list(everything.values())


def _content(case: OsrCase) -> OsrCase:
    """What is asked about which room; where its picture lies does not matter."""
    return replace(case, picture="")
