"""Tables of logs, a benchmark after the other."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from tolman.benchmarks.osr_bench import tables as osr_bench
from tolman.benchmarks.osr_bench.runs import evaluated_models
from tolman.benchmarks.osr_bench.tables.references import reference_rows as osr_references
from tolman.benchmarks.osr_bench.tables.reliability import replies_of as osr_replies
from tolman.benchmarks.sparrta import questions as sparrta_questions
from tolman.benchmarks.sparrta.questions.reliability import replies_of as sparrta_replies
from tolman.benchmarks.theory_of_space import tables as theory_of_space
from tolman.benchmarks.theory_of_space.tables.attribution import ceiling_tables, insights_of
from tolman.benchmarks.theory_of_space.tables.layout import name_runs
from tolman.benchmarks.theory_of_space.tables.references import reference_rows
from tolman.benchmarks.theory_of_space.tables.run_tables import replies_of as theory_of_space_replies
from tolman.cli.logs_by_benchmark import logs_by_benchmark
from tolman.cli.show.tables import Tables, Wanted
from tolman.harness.logs import Tell
from tolman.harness.runs import Track
from tolman.report.replies import RepliesOf, as_dict, failure_tables
from tolman.report.table import Table


def add_log_tables(found: Tables, paths: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> None:
    """Add tables and numbers of each benchmark that there are logs of."""
    logs = logs_by_benchmark(paths, tell)
    if logs.theory_of_space:
        found.add(_theory_of_space(found, logs.theory_of_space, wanted, tell, track))
    if logs.osr_bench:
        found.add(_osr_bench(found, logs.osr_bench, wanted, tell, track))
    if logs.sparrta:
        found.add(_sparrta(found, logs.sparrta, wanted, tell, track))


def _theory_of_space(
    found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track
) -> Iterator[Text | Table]:
    runs = theory_of_space.read_runs(logs, tell, track)
    every = wanted.references == "all"
    rows = reference_rows(runs, baselines=wanted.references != "none", scripted=every, published=every, track=track)
    known = [theory_of_space.summarise_run(run) for run in runs]
    found.numbers["theory_of_space"] = theory_of_space.as_dict(known, rows)
    yield from theory_of_space.tables(known, wanted.rules, rows)
    if wanted.ceilings:
        yield from ceiling_tables(name_runs(known), insights_of(runs, track))
    if wanted.failures:
        yield from _failures(found, "theory_of_space", theory_of_space_replies(name_runs(known)))


def _osr_bench(found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> Iterator[Text | Table]:
    runs = osr_bench.read_runs(logs, tell, track)
    rows = osr_references(runs, baselines=wanted.references != "none", published=wanted.references == "all")
    known = [osr_bench.run_scores(run) for run in track(runs, "intervals")]
    found.numbers["osr_bench"] = osr_bench.as_dict(known, rows)
    yield from osr_bench.report_tables(known, wanted.rules, rows)
    if wanted.failures:
        yield from _failures(found, "osr_bench", osr_replies(evaluated_models(known)))


def _sparrta(found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> Iterator[Text | Table]:
    known = sparrta_questions.run_answers(sparrta_questions.read_runs(logs, tell, track))
    found.numbers["sparrta"] = sparrta_questions.as_dict(known)
    yield from sparrta_questions.report_tables(known, references=wanted.references != "none")
    if wanted.failures:
        yield from _failures(found, "sparrta", sparrta_replies(known))


def _failures(found: Tables, benchmark: str, every: Sequence[RepliesOf]) -> Iterator[Table]:
    found.numbers[benchmark]["failures"] = as_dict(every)
    yield from failure_tables(every)
