"""The report on Theory of Space: which tables and which figures stand on which tab."""

from tolman.report.theory_of_space.site.write import write_pages

__all__ = ["write_pages"]
