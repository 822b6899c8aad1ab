"""The page: which tables and which figures stand on which tab."""

from collections.abc import Callable, Iterable, Sequence

from tolman import __version__
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.cards import Cards
from tolman.report.site.place import Place
from tolman.report.site.settings_tables import SetUp, settings_tables
from tolman.report.sparrta_questions.accuracy_tables import accuracy_tables
from tolman.report.sparrta_questions.confusion_tables import confusion_tables
from tolman.report.sparrta_questions.question_figures import QuestionFigures, viewpoints_of
from tolman.report.sparrta_questions.run_tables import cost_tables, reliability_tables
from tolman.report.sparrta_questions.site.accuracy_figure import accuracy_figure
from tolman.report.sparrta_questions.site.confusion_figure import confusion_figure
from tolman.report.sparrta_questions.site.terms import TERMS

TITLE = "SpaRRTa: questions"
ABOUT = "Where is one thing to another, seen from the camera or from a person in the picture? Vision-language models."
_ABOUT = (
    "Each picture shows a source, a target and a person out of doors. A model is asked where the target is in relation "
    "to the source: front, back, left or right, as seen from the camera and as seen from the person. The answer from "
    "the camera can be read off the picture; for that from the person one has to take their place."
)


def questions_page(
    runs: Sequence[QuestionFigures], cards: Callable[[Sequence[QuestionFigures]], Cards], command: str, place: Place
) -> Page:
    """All tabs."""
    tables = attempted("Right answers", lambda of: list(accuracy_tables(of)), runs)
    main, others = tables[:1], tables[1:]
    figure = attempted("Right answers by viewpoint", accuracy_figure, runs)
    tabs = (
        _tab("overview", "Overview", [Text((_ABOUT, counted(runs))), *main, *figure]),
        *[_tab("environments", "By environment", others)] * bool(others),
        _tab("confusions", "Confusions", attempted("Confusions", _confusions, runs)),
        _tab("questions", "Questions", attempted("Some of the questions", cards, runs)),
        _about(runs, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)


def _confusions(runs: Sequence[QuestionFigures]) -> list[Block]:
    views = viewpoints_of(runs)
    tables = list(confusion_tables(runs))
    figures = [confusion_figure(runs, view, table) for view, table in zip(views, tables, strict=False)]
    return [*figures, *tables[len(views) :]]


def _about(runs: Sequence[QuestionFigures], command: str, numbers: str) -> Tab:
    def tables(runs: Sequence[QuestionFigures]) -> list[Block]:
        return [*reliability_tables(runs), *cost_tables(runs)]

    how = attempted("Reliability and price", tables, runs)
    set_ups = [SetUp(run.name, "", dict(run.run.settings)) for run in runs]
    files = ((numbers, "every number of this report and every answer. Each figure has a link that saves it as SVG."),)
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *how, *settings_tables(set_ups), again])


def counted(runs: Sequence[QuestionFigures]) -> str:
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
