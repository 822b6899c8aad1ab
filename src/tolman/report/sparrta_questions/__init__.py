"""The tables of models that were asked about pictures of SpaRRTa, from logs and nothing else."""

from tolman.report.sparrta_questions.plain import as_dict
from tolman.report.sparrta_questions.question_figures import QuestionFigures, question_figures
from tolman.report.sparrta_questions.question_logs import Run, read_runs
from tolman.report.sparrta_questions.question_tables import question_tables

__all__ = ["QuestionFigures", "Run", "as_dict", "question_figures", "question_tables", "read_runs"]
