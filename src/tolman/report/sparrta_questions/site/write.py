"""The page of models that were asked about pictures, from runs to files."""

import json
from collections.abc import Sequence
from pathlib import Path

from tolman.report.site import write_page
from tolman.report.site.page import write_figures
from tolman.report.site.place import Place
from tolman.report.sparrta_questions.plain import as_dict
from tolman.report.sparrta_questions.question_figures import question_figures
from tolman.report.sparrta_questions.question_logs import Run
from tolman.report.sparrta_questions.site.looks import shown_runs
from tolman.report.sparrta_questions.site.questions_page import questions_page
from tolman.report.sparrta_questions.site.sample_cards import sample_cards
from tolman.report.track import Track


def write_pages(runs: Sequence[Run], out: Path, place: Place, command: str, track: Track) -> Path:
    """Write everything into an open folder, the page at its place; `command` is what to type to make it again."""
    known = question_figures(runs)
    (out / place.numbers).write_text(json.dumps(as_dict(known)) + "\n", encoding="utf-8")
    shown = shown_runs(known)
    page = questions_page(shown, sample_cards(shown, out, track), command, place)
    write_page(page, out / place.page)
    write_figures(page, out, track)
    return out / place.page
