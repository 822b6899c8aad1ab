"""The report on models that were asked about pictures: tables, figures, and some of the questions."""

from tolman.report.sparrta_questions.site.write import write_pages

__all__ = ["write_pages"]
