"""The tables of Theory of Space, from logs and nothing else."""

from tolman.report.theory_of_space.figures import Figures, figures
from tolman.report.theory_of_space.logs import Run, read_runs
from tolman.report.theory_of_space.plain import as_dict
from tolman.report.theory_of_space.tables import tables

__all__ = ["Figures", "Run", "as_dict", "figures", "read_runs", "tables"]
