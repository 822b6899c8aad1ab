"""The page of models that were asked about pictures, from runs to files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.site import write_page
from tolman.report.site.attempt import each
from tolman.report.site.page import write_numbers
from tolman.report.site.place import Place
from tolman.report.sparrta_questions.plain import as_dict
from tolman.report.sparrta_questions.question_figures import figures_of
from tolman.report.sparrta_questions.question_logs import Run
from tolman.report.sparrta_questions.run_names import run_names
from tolman.report.sparrta_questions.site.looks import shown_runs
from tolman.report.sparrta_questions.site.questions_page import questions_page
from tolman.report.sparrta_questions.site.sample_cards import sample_cards
from tolman.report.track import Track


def write_pages(runs: Sequence[Run], out: Path, place: Place, command: str, tell: Tell, track: Track) -> Path:
    """Write everything into an open folder, the page at its place; `command` is what to type to make it again."""
    named = zip(runs, run_names(runs), strict=True)
    known, left_out = each(lambda one: figures_of(*one), named, lambda one: one[1])
    write_numbers(out / place.numbers, as_dict, known, lambda one: one.name, tell)
    page = questions_page(shown_runs(known), lambda of: sample_cards(of, out, track), command, place)
    return write_page(replace(page, left_out=left_out), out, place, tell, track)
