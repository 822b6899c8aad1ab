"""The page of vision-language models: which tables and figures are on which tab, and writing it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tolman.benchmarks.sparrta.questions.accuracy import accuracy_tables, confusion_tables
from tolman.benchmarks.sparrta.questions.export import as_dict, cost_tables, reliability_tables
from tolman.benchmarks.sparrta.questions.pages.examples import example_cards
from tolman.benchmarks.sparrta.questions.pages.figures import accuracy_figure, confusion_figure, with_short_names
from tolman.benchmarks.sparrta.questions.runs import Run, RunAnswers, answers_of_run, run_names, viewpoints_of
from tolman.harness.names import counted
from tolman.harness.runs import runs_sentence
from tolman.report.results import PageRequest
from tolman.report.site import Block, Page, Tab, Text, write_page
from tolman.report.site.about_tab import RunSettings, about_tab
from tolman.report.site.blocks import Cards
from tolman.report.site.page import Place, attempt_each, attempted, shown_tab, write_numbers

TITLE = "SpaRRTa: questions"
ABOUT = "Where is A relative to B, from the camera or from a person in the picture? Vision-language models."
_ABOUT = (
    "Each picture shows a source, a target and a person out of doors. A model is asked where the target is in relation "
    "to the source: front, back, left or right, as seen from the camera and as seen from the person. The answer from "
    "the camera can be read off the picture; the answer from the person needs perspective taking."
)


def report_page(
    runs: Sequence[RunAnswers], cards: Callable[[Sequence[RunAnswers]], Cards], command: str, place: Place
) -> Page:
    """All tabs."""
    tables = attempted("Right answers", lambda of: list(accuracy_tables(of)), runs)
    main, others = tables[:1], tables[1:]
    figure = attempted("Right answers by viewpoint", accuracy_figure, runs)
    tabs = (
        shown_tab("overview", "Overview", [Text((_ABOUT, run_summary(runs))), *main, *figure]),
        *[shown_tab("environments", "By environment", others)] * bool(others),
        shown_tab("confusions", "Confusions", attempted("Confusions", _confusions, runs)),
        shown_tab("questions", "Questions", attempted("Some of the questions", cards, runs)),
        _about(runs, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)


def _confusions(runs: Sequence[RunAnswers]) -> list[Block]:
    views = viewpoints_of(runs)
    tables = list(confusion_tables(runs))
    figures = [confusion_figure(runs, view, table) for view, table in zip(views, tables, strict=False)]
    return [*figures, *tables[len(views) :]]


def _about(runs: Sequence[RunAnswers], command: str, numbers: str) -> Tab:
    def tables(runs: Sequence[RunAnswers]) -> list[Block]:
        return [*reliability_tables(runs), *cost_tables(runs)]

    how = attempted("Reliability and price", tables, runs)
    set_ups = [RunSettings(run.name, "", dict(run.run.settings), run.run.origins) for run in runs]
    about = (numbers, "every number of this report and every answer")
    return about_tab(("tolman.benchmarks.sparrta", "question_terms"), how, set_ups, command, about)


def run_summary(runs: Sequence[RunAnswers]) -> str:
    """A sentence on what was run."""
    pictures, answers = len({a.picture for run in runs for a in run.answers}), sum(len(run.answers) for run in runs)
    seen = f"{counted(pictures, 'picture')}, with {counted(answers, 'answer')}"
    return runs_sentence([run.run for run in runs], seen, "picture", "page")


def write_pages(runs: Sequence[Run], request: PageRequest) -> Path:
    """Write all pages of the report into an existing folder; returns the main page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    named = zip(runs, run_names(runs), strict=True)
    known, left_out = attempt_each(lambda one: answers_of_run(*one), named, lambda one: one[1])
    write_numbers(out / place.numbers, lambda of: {**as_dict(of), **request.numbers}, known, lambda one: one.name, tell)
    page = report_page(with_short_names(known), lambda of: example_cards(of, out, track), request.command, place)
    return write_page(replace(page, left_out=left_out).with_tabs(request.tabs), out, place, tell, track)
