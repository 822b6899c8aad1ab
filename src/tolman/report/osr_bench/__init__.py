"""The tables of OSR-Bench, from logs and nothing else."""

from tolman.report.osr_bench.osr_figures import OsrFigures, osr_figures
from tolman.report.osr_bench.osr_logs import Run, read_runs
from tolman.report.osr_bench.osr_tables import osr_tables
from tolman.report.osr_bench.plain import as_dict

__all__ = ["OsrFigures", "Run", "as_dict", "osr_figures", "osr_tables", "read_runs"]
