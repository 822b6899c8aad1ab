"""The report on OSR-Bench: which tables and which figures stand on which tab, and a page for each scene."""

from tolman.benchmarks.osr_bench.pages.page import write_pages

__all__ = ["write_pages"]
