"""The tables of OSR-Bench, from logs and nothing else."""

from tolman.benchmarks.osr_bench.runs import Run, RunScores, read_runs, run_scores
from tolman.benchmarks.osr_bench.tables.export import as_dict, report_tables

__all__ = ["Run", "RunScores", "as_dict", "read_runs", "report_tables", "run_scores"]
