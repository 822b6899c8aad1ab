"""The page of vision-language models: which tables and figures are on which tab, and writing it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tolman import __version__
from tolman.benchmarks.sparrta.questions.accuracy import accuracy_tables, confusion_tables
from tolman.benchmarks.sparrta.questions.export import as_dict, cost_tables, reliability_tables
from tolman.benchmarks.sparrta.questions.pages.examples import example_cards
from tolman.benchmarks.sparrta.questions.pages.figures import accuracy_figure, confusion_figure, with_short_names
from tolman.benchmarks.sparrta.questions.runs import Run, RunAnswers, answers_of_run, run_names, viewpoints_of
from tolman.report.results import PageRequest
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text, write_page
from tolman.report.site.blocks import Cards
from tolman.report.site.page import Place, attempt_each, attempted, write_numbers
from tolman.report.site.settings_tables import RunSettings, settings_tables

TERMS = (
    (
        "front, back, left, right",
        "Where the target is relative to the source, along the line of sight from the viewer through the source. Front "
        "is beyond the source, back is on the viewer's side of it. As this is not the everyday meaning, each prompt "
        "defines the words.",
    ),
    (
        "camera, person",
        "The viewpoint: ego and allo in the paper. The direction that the person faces does not matter.",
    ),
    (
        "ambiguous",
        "If the target is within 15 degrees of a diagonal (or as the settings say), no question is asked.",
    ),
    ("right", "Share of questions answered correctly. Chance is 25 %."),
    (
        "balanced",
        "Balanced accuracy: the mean over the four relations of the share of questions answered correctly where that "
        "relation is true. A constant answer gets 25 %.",
    ),
    (
        "not read",
        "The reply names none of the four, or several, or a word that contradicts its letter. It counts as wrong.",
    ),
    (
        "interval",
        "95 %: Wilson's if each picture has one answer; else from a bootstrap over pictures.",
    ),
    ("chance, majority", "One of four relations; and the most frequent relation of a viewpoint, given always."),
    (
        "as from camera",
        "Of pictures whose correct answers differ between camera and person: the share where the camera's is given "
        "when the person's is asked for.",
    ),
)


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
        _tab("overview", "Overview", [Text((_ABOUT, run_summary(runs))), *main, *figure]),
        *[_tab("environments", "By environment", others)] * bool(others),
        _tab("confusions", "Confusions", attempted("Confusions", _confusions, runs)),
        _tab("questions", "Questions", attempted("Some of the questions", cards, runs)),
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
    set_ups = [RunSettings(run.name, "", dict(run.run.settings)) for run in runs]
    files = ((numbers, "every number of this report and every answer. Each figure has a link that saves it as SVG."),)
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *how, *settings_tables(set_ups), again])


def run_summary(runs: Sequence[RunAnswers]) -> str:
    """A sentence on what was run."""
    models, pictures = len({run.run.model for run in runs}), len({a.picture for run in runs for a in run.answers})
    replies = sum(len(run.answers) for run in runs)
    lost = sum(len(run.run.failed) + run.run.not_done for run in runs)
    missing = f" {_count(lost, 'picture')} failed or {'was' if lost == 1 else 'were'} not done." if lost else ""
    return (
        f"This page is on {_count(models, 'model')} in {_count(len(runs), 'run')} and {_count(pictures, 'picture')}, "
        f"with {_count(replies, 'answer')}, all read from logs.{missing}"
    )


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'s' * (number != 1)}"


def _tab(name: str, title: str, blocks: Iterable[Block]) -> Tab:
    """A tab with the figures that have anything to show."""
    return Tab(name, title, tuple(block for block in blocks if not isinstance(block, Figure) or block.panels))


def write_pages(runs: Sequence[Run], request: PageRequest) -> Path:
    """Write all pages of the report into an existing folder; returns the main page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    named = zip(runs, run_names(runs), strict=True)
    known, left_out = attempt_each(lambda one: answers_of_run(*one), named, lambda one: one[1])
    write_numbers(out / place.numbers, as_dict, known, lambda one: one.name, tell)
    page = report_page(with_short_names(known), lambda of: example_cards(of, out, track), request.command, place)
    return write_page(replace(page, left_out=left_out), out, place, tell, track)
