"""The page of OSR-Bench: which tables and which figures stand on which tab."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tolman import __version__
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.osr_bench.answer_tables import answer_tables, gain_tables
from tolman.report.osr_bench.map_tables import map_tables
from tolman.report.osr_bench.osr_figures import RULES
from tolman.report.osr_bench.osr_tables import FEW, ROUGH
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.references import common_cases
from tolman.report.osr_bench.run_tables import cost_tables, reliability_tables
from tolman.report.osr_bench.shown import Shown
from tolman.report.osr_bench.site.accuracy_figure import accuracy_figure
from tolman.report.osr_bench.site.distributions import distribution_figures
from tolman.report.osr_bench.site.map_figure import map_figure
from tolman.report.osr_bench.site.scene_table import scene_table
from tolman.report.osr_bench.site.terms import TERMS
from tolman.report.osr_bench.turn_tables import judge_tables, turn_tables
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.place import Place
from tolman.report.site.settings_tables import SetUp, settings_tables
from tolman.report.table import Table

TITLE = "OSR-Bench"
ABOUT = "How well models turn one panorama into a map, and answer from it, without inventing what is not there."
_ABOUT = (
    "A model sees one picture all around from the middle of a room. It may state a map of the room on a grid, then "
    "answers how many things there are, what is closest to what, and what lies in which direction. Negative questions "
    "also name things that are not there."
)
_SETS: tuple[AskedSet, ...] = ("standard", "negative")


def osr_page(shown: Sequence[Shown], references: Sequence[ReferenceRow], command: str, place: Place) -> Page:
    """All tabs."""
    tabs = (
        _overview(shown, references),
        _answers(shown, references),
        _maps(shown, references),
        _questions(shown),
        _tab("scenes", "Scenes", attempted("Scenes", scene_table, shown)),
        _about(shown, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)


def _overview(shown: Sequence[Shown], references: Sequence[ReferenceRow]) -> Tab:
    blocks: list[Block] = [
        Text((_ABOUT, counted(shown))),
        *attempted("Answers", _main_answers, shown),
        *attempted("Answers by the map in hand", lambda of: accuracy_figure(of, "standard", references), shown),
        *attempted("Maps", _main_maps, shown),
    ]
    return _tab("overview", "Overview", blocks)


def _main_answers(shown: Sequence[Shown]) -> list[Table]:
    subjects = [one.subject for one in shown]
    rough = [ROUGH] * any(0 < len(known.run.cases) < FEW for one in subjects for known in one.runs)
    return [_renamed(replace(each, notes=(*each.notes, *rough))) for each in answer_tables(subjects, RULES)][:1]


def _main_maps(shown: Sequence[Shown]) -> list[Table]:
    return [_renamed(each) for each in map_tables([one.subject for one in shown], RULES)][:1]


def _renamed(table: Table) -> Table:
    """An address may name a table once only; this one stands again on another tab."""
    return replace(table, name=f"main-{table.name}")


def _answers(shown: Sequence[Shown], references: Sequence[ReferenceRow]) -> Tab:
    def tables(shown: Sequence[Shown]) -> list[Table]:
        return list(answer_tables([one.subject for one in shown], RULES, references))

    def other(shown: Sequence[Shown]) -> list[Table]:
        subjects = [one.subject for one in shown]
        return [*gain_tables(subjects, RULES), *turn_tables(subjects, RULES), *judge_tables(subjects, RULES)]

    blocks: list[Block] = [
        *attempted("Answers", tables, shown),
        *attempted("Answers, negative", lambda of: accuracy_figure(of, "negative", references), shown),
        *attempted("What a map adds, consistency, a judge", other, shown),
    ]
    return _tab("answers", "Answers", blocks)


def _maps(shown: Sequence[Shown], references: Sequence[ReferenceRow]) -> Tab:
    def tables(shown: Sequence[Shown]) -> list[Table]:
        return list(map_tables([one.subject for one in shown], RULES, references))

    found = attempted("Stated maps", tables, shown)
    figure = attempted("Stated maps, and their mirror images", map_figure, shown)
    return _tab("maps", "Maps", [*figure, *found] if found else [Text(("No maps were asked for.",))])


def _questions(shown: Sequence[Shown]) -> Tab:
    about = "What the scenes of these runs hold, and which answers are right. To say the same always scores one bar."
    return _tab("questions", "Questions", [Text((about,)), *attempted("Questions", _distributions, shown)])


def _distributions(shown: Sequence[Shown]) -> list[Figure]:
    runs = [known.run for one in shown for known in one.subject.runs]
    cases: dict[AskedSet, list[OsrCase]] = {}
    for asked in _SETS:
        if of_set := [run for run in runs if run.way.asked == asked]:
            cases[asked] = common_cases(of_set)
    return list(distribution_figures(cases))


def _about(shown: Sequence[Shown], command: str, numbers: str) -> Tab:
    def tables(shown: Sequence[Shown]) -> list[Table]:
        subjects = [one.subject for one in shown]
        return [*reliability_tables(subjects, RULES), *cost_tables(subjects)]

    how = attempted("Reliability and price", tables, shown)
    set_ups = [SetUp(one.name, "", one.subject.settings) for one in shown]
    files = ((numbers, "every number of this report, by scene. Each figure has a link that saves it as SVG."),)
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *how, *settings_tables(set_ups), again])


def counted(shown: Sequence[Shown]) -> str:
    """What was run, in a sentence."""
    runs = [known.run for one in shown for known in one.subject.runs]
    models, scenes = len({run.model for run in runs}), len({case.id for run in runs for case in run.cases})
    replies = sum(len(case.logged.record.calls) for run in runs for case in run.cases)
    lost = sum(len(run.failed) + run.not_done for run in runs)
    missing = f" {_count(lost, 'scene')} failed or {'was' if lost == 1 else 'were'} not done." if lost else ""
    return (
        f"This report is on {_count(models, 'model')} in {_count(len(runs), 'run')} and {_count(scenes, 'scene')}, "
        f"with {_count(replies, 'reply', 'replies')}, all read from logs.{missing}"
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _tab(name: str, title: str, blocks: Iterable[Block]) -> Tab:
    """A tab with the figures that have anything to show."""
    return Tab(name, title, tuple(block for block in blocks if not isinstance(block, Figure) or block.panels))
