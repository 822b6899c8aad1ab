"""The report on probes of SpaRRTa: which tables and which figures stand on which tab."""

from tolman.report.sparrta.site.write import write_pages

__all__ = ["write_pages"]
