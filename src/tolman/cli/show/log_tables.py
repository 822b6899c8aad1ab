"""Tables of logs, a benchmark after the other."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from tolman.cli.show.tables import Tables, Wanted
from tolman.report import osr_bench, sparrta_questions, theory_of_space
from tolman.report.log_files import Tell
from tolman.report.logs_by_benchmark import logs_by_benchmark
from tolman.report.osr_bench.references import reference_rows as osr_references
from tolman.report.osr_bench.run_tables import replies_of as osr_replies
from tolman.report.osr_bench.subjects import subjects
from tolman.report.reply_tables import RepliesOf, as_dict, failure_tables
from tolman.report.sparrta_questions.run_tables import replies_of as sparrta_replies
from tolman.report.table import Table
from tolman.report.theory_of_space.ceiling_tables import ceiling_tables
from tolman.report.theory_of_space.insights import insights_of
from tolman.report.theory_of_space.layout import named
from tolman.report.theory_of_space.other_tables import replies_of as theory_of_space_replies
from tolman.report.theory_of_space.references import reference_rows
from tolman.report.track import Track


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
    known = [theory_of_space.figures(run) for run in runs]
    found.numbers["theory_of_space"] = theory_of_space.as_dict(known, rows)
    yield from theory_of_space.tables(known, wanted.rules, rows)
    if wanted.ceilings:
        yield from ceiling_tables(named(known), insights_of(runs, track))
    if wanted.failures:
        yield from _failures(found, "theory_of_space", theory_of_space_replies(named(known)))


def _osr_bench(found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> Iterator[Text | Table]:
    runs = osr_bench.read_runs(logs, tell, track)
    rows = osr_references(runs, baselines=wanted.references != "none", published=wanted.references == "all")
    known = [osr_bench.osr_figures(run) for run in track(runs, "intervals")]
    found.numbers["osr_bench"] = osr_bench.as_dict(known, rows)
    yield from osr_bench.osr_tables(known, wanted.rules, rows)
    if wanted.failures:
        yield from _failures(found, "osr_bench", osr_replies(subjects(known)))


def _sparrta(found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> Iterator[Text | Table]:
    known = sparrta_questions.question_figures(sparrta_questions.read_runs(logs, tell, track))
    found.numbers["sparrta"] = sparrta_questions.as_dict(known)
    yield from sparrta_questions.question_tables(known, references=wanted.references != "none")
    if wanted.failures:
        yield from _failures(found, "sparrta", sparrta_replies(known))


def _failures(found: Tables, benchmark: str, every: Sequence[RepliesOf]) -> Iterator[Table]:
    found.numbers[benchmark]["failures"] = as_dict(every)
    yield from failure_tables(every)
