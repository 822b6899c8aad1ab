"""The tables of models that were asked about pictures of SpaRRTa, computed from logs alone."""

from tolman.benchmarks.sparrta.questions.export import as_dict, report_tables
from tolman.benchmarks.sparrta.questions.runs import Run, RunAnswers, read_runs, run_answers

__all__ = ["Run", "RunAnswers", "as_dict", "read_runs", "report_tables", "run_answers"]
