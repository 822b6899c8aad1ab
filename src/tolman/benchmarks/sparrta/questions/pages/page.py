"""The page of vision-language models: which tables and figures are on which tab, and writing it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tolman import __version__
from tolman.benchmarks.sparrta.questions.accuracy import accuracy_tables, confusion_tables
from tolman.benchmarks.sparrta.questions.export import as_dict
from tolman.benchmarks.sparrta.questions.pages.examples import example_cards
from tolman.benchmarks.sparrta.questions.pages.figures import accuracy_figure, confusion_figure, with_short_names
from tolman.benchmarks.sparrta.questions.reliability import cost_tables, reliability_tables
from tolman.benchmarks.sparrta.questions.runs import Run, RunAnswers, answers_of_run, run_names, viewpoints_of
from tolman.harness.logs import Tell
from tolman.harness.runs import Track
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text, write_page
from tolman.report.site.blocks import Cards
from tolman.report.site.page import Place, attempt_each, attempted, write_numbers
from tolman.report.site.settings_tables import RunSettings, settings_tables

TERMS = (
    (
        "front, back, left, right",
        "Where the target is to the source for someone who stands at the source and looks on along the line of sight, "
        "away from the viewer. Front is beyond the source, back is on the viewer's side of it, which is not how the "
        "words are used every day; so each prompt says what they mean.",
    ),
    ("camera, person", "Whose line of sight counts: ego and allo in the paper. Which way the person faces does not."),
    (
        "ambiguous",
        "Where the target is within 15 degrees of a diagonal (or as the settings say), nothing is asked from there.",
    ),
    ("right", "Questions answered rightly, of all that were asked. Chance is 25 %."),
    (
        "balanced",
        "The mean over the four relations of how many questions are answered rightly where that relation is the true "
        "one: to say always the same word gets 25 %, however often it is true.",
    ),
    ("not read", "The reply names none of the four, or several, or a word against its letter. It counts as wrong."),
    (
        "interval",
        "95 %: Wilson's from one viewpoint, where each picture has one answer; else from drawing pictures again.",
    ),
    ("chance, majority", "Any of four words; and the word that is true most often from a viewpoint, said always."),
    (
        "as from camera",
        "Of pictures whose right answer is another from the person than from the camera: how often the camera's is "
        "given when the person's is asked for.",
    ),
)


TITLE = "SpaRRTa: questions"
ABOUT = "Where is one thing to another, seen from the camera or from a person in the picture? Vision-language models."
_ABOUT = (
    "Each picture shows a source, a target and a person out of doors. A model is asked where the target is in relation "
    "to the source: front, back, left or right, as seen from the camera and as seen from the person. The answer from "
    "the camera can be read off the picture; for that from the person one has to take their place."
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
    """What was run, in a sentence."""
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


def write_pages(runs: Sequence[Run], out: Path, place: Place, command: str, tell: Tell, track: Track) -> Path:
    """Write everything into an open folder, the page at its place; `command` is what to type to make it again."""
    named = zip(runs, run_names(runs), strict=True)
    known, left_out = attempt_each(lambda one: answers_of_run(*one), named, lambda one: one[1])
    write_numbers(out / place.numbers, as_dict, known, lambda one: one.name, tell)
    page = report_page(with_short_names(known), lambda of: example_cards(of, out, track), command, place)
    return write_page(replace(page, left_out=left_out), out, place, tell, track)
