"""The report on Theory of Space as pages: tabs of tables and figures."""

from tolman.benchmarks.theory_of_space.pages.write import write_pages

__all__ = ["write_pages"]
