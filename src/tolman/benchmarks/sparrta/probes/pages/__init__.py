"""The report on probes of SpaRRTa: which tables and which figures stand on which tab."""

from tolman.benchmarks.sparrta.probes.pages.page import write_pages

__all__ = ["write_pages"]
