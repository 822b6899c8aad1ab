"""The report on models that were asked about pictures: tables, figures, and some of the questions."""

from tolman.benchmarks.sparrta.questions.pages.page import write_pages

__all__ = ["write_pages"]
