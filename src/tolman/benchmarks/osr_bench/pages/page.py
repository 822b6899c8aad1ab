"""The page of OSR-Bench: which tables and figures are on which tab, and writing it with the pages of all scenes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from tolman import __version__
from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.pages.figures import accuracy_figure, distribution_figures, map_figure
from tolman.benchmarks.osr_bench.pages.scene import write_scenes
from tolman.benchmarks.osr_bench.pages.series import ReportedModel, reported_models, scene_files
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import RULE_SETS, Run, evaluated_models, run_scores
from tolman.benchmarks.osr_bench.scores import F1
from tolman.benchmarks.osr_bench.tables.answers import answer_tables, gain_tables, judge_tables, rotation_tables
from tolman.benchmarks.osr_bench.tables.export import FEW_SCENES, FEW_SCENES_NOTE, as_dict
from tolman.benchmarks.osr_bench.tables.layout import ReferenceRow
from tolman.benchmarks.osr_bench.tables.maps import map_tables
from tolman.benchmarks.osr_bench.tables.references import common_cases, reference_rows
from tolman.benchmarks.osr_bench.tables.reliability import cost_tables, reliability_tables
from tolman.harness.logs import Tell
from tolman.harness.runs import Track
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text, write_page
from tolman.report.site.page import LeftOut, Place, attempt, attempt_each, attempted, write_numbers
from tolman.report.site.settings_tables import RunSettings, settings_tables
from tolman.report.table import Cell, Row, RowGroup, Table, heading

TERMS = (
    (
        "strict",
        "Corrected scoring, without the defects of the authors' released code; one named switch for each.",
    ),
    ("published", "The same replies to the same questions, scored as the authors' released code does."),
    (
        "interval",
        "95 %, from a bootstrap over scenes, bias-corrected and accelerated (BCa): whole scenes are drawn again, since "
        "questions about one scene rise and fall together. Left out where all scenes agree or there are fewer than "
        "three.",
    ),
    (
        "own map, no map, true map",
        "The model states a map before it answers; it answers from the picture alone; or it is given the true map.",
    ),
    ("vanilla, think", "The answer alone is asked for, or thoughts before it, between tags."),
    (
        "standard, negative",
        "Questions about what is there; and questions that also name things which are common or would fit in, but are "
        "not there. To some the right answer is a sentence that says so.",
    ),
    (
        "precision, recall, F1",
        "Stated objects are paired with those of their class in the room so that distances add up to least, in the "
        "best of four rotations; a pair within 2 cells is found.",
    ),
    (
        "mirror F1",
        "The same for the mirror image of the map. Where it is higher, left and right are confused. The authors' own "
        "maps are mirror images of what the pictures show; unless told otherwise, these are not.",
    ),
    (
        "invented (CHAIR)",
        "Maps that hold any class that is not in the room, and the shares of stated classes and objects that are not.",
    ),
    ("read", "Maps in which a map could be found; others count as 15 cells off, and 0 everywhere else."),
    (
        "chance, constant",
        "What a guess is worth on the same questions; and the one answer to each kind of question that does best here, "
        "which nobody could know beforehand. Maps: everything that is named somewhere, or in the middle.",
    ),
)


_SETS: tuple[AskedSet, ...] = ("standard", "negative")
_MODES = {"none": "no map", "first": "own map", "true": "true map"}
_HEADS = (
    heading("model", words=True),
    heading("classes"),
    heading("objects"),
    *(heading(title, f"{asked.capitalize()} answers, %") for asked in _SETS for title in _MODES.values()),
    heading("F1, %", "Map"),
    heading("invented, %", "Map"),
)
_NOTE = (
    "All questions of a set together; strict scores, means over vanilla and think. F1 is of standard runs, the share "
    "of invented classes of negative ones."
)


def scene_table(shown: Sequence[ReportedModel]) -> Table:
    """All finished scenes of all models."""
    entries = tuple(entry for one in shown for entry in _entries(one))
    return Table("scenes", "All scenes", "scene", _HEADS, entries, (_NOTE,), ("model",))


def _entries(one: ReportedModel) -> Iterator[RowGroup]:
    for scene, file in scene_files(one).items():
        truth = next(
            case.logged.case.truth for known in one.subject.runs for case in known.run.cases if case.id == scene
        )
        cells = (
            Cell(one.name),
            Cell(str(len(truth.classes))),
            Cell(str(sum(truth.counts.values()))),
            *(_answer_cell(one, scene, asked, mode) for asked in _SETS for mode in _MODES),
            _map_cell(one, scene, "standard", F1),
            _map_cell(one, scene, "negative", "map/invented_classes"),
        )
        yield RowGroup(scene[:60], (Row(cells),), href=f"episodes/{one.folder}/{file}")


def _answer_cell(one: ReportedModel, scene: str, asked: AskedSet, mode: str) -> Cell:
    scores = [
        score
        for way, known in one.subject.ways.items()
        if (way.asked, way.mode) == (asked, mode)
        for column, by_scene in known.measured["strict"].values.items()
        if column.startswith("ask/")
        for score in by_scene.get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()


def _map_cell(one: ReportedModel, scene: str, asked: AskedSet, column: str) -> Cell:
    scores = [
        score
        for way, known in one.subject.ways.items()
        if way.asked == asked
        for score in known.measured["strict"].values.get(column, {}).get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()


TITLE = "OSR-Bench"
ABOUT = "How well models turn one panorama into a map, and answer from it, without inventing what is not there."
_ABOUT = (
    "A model sees one picture all around from the middle of a room. It may state a map of the room on a grid, then "
    "answers how many things there are, what is closest to what, and what lies in which direction. Negative questions "
    "also name things that are not there."
)


def report_page(shown: Sequence[ReportedModel], references: Sequence[ReferenceRow], command: str, place: Place) -> Page:
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


def _overview(shown: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    blocks: list[Block] = [
        Text((_ABOUT, run_summary(shown))),
        *attempted("Answers", _main_answers, shown),
        *attempted("Answers by the map in hand", lambda of: accuracy_figure(of, "standard", references), shown),
        *attempted("Maps", _main_maps, shown),
    ]
    return _tab("overview", "Overview", blocks)


def _main_answers(shown: Sequence[ReportedModel]) -> list[Table]:
    subjects = [one.subject for one in shown]
    rough = [FEW_SCENES_NOTE] * any(0 < len(known.run.cases) < FEW_SCENES for one in subjects for known in one.runs)
    return [_renamed(replace(each, notes=(*each.notes, *rough))) for each in answer_tables(subjects, RULE_SETS)][:1]


def _main_maps(shown: Sequence[ReportedModel]) -> list[Table]:
    return [_renamed(each) for each in map_tables([one.subject for one in shown], RULE_SETS)][:1]


def _renamed(table: Table) -> Table:
    """An address may name a table once only; this one stands again on another tab."""
    return replace(table, name=f"main-{table.name}")


def _answers(shown: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    def tables(shown: Sequence[ReportedModel]) -> list[Table]:
        return list(answer_tables([one.subject for one in shown], RULE_SETS, references))

    def other(shown: Sequence[ReportedModel]) -> list[Table]:
        subjects = [one.subject for one in shown]
        return [
            *gain_tables(subjects, RULE_SETS),
            *rotation_tables(subjects, RULE_SETS),
            *judge_tables(subjects, RULE_SETS),
        ]

    blocks: list[Block] = [
        *attempted("Answers", tables, shown),
        *attempted("Answers, negative", lambda of: accuracy_figure(of, "negative", references), shown),
        *attempted("What a map adds, consistency, a judge", other, shown),
    ]
    return _tab("answers", "Answers", blocks)


def _maps(shown: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    def tables(shown: Sequence[ReportedModel]) -> list[Table]:
        return list(map_tables([one.subject for one in shown], RULE_SETS, references))

    found = attempted("Stated maps", tables, shown)
    figure = attempted("Stated maps, and their mirror images", map_figure, shown)
    return _tab("maps", "Maps", [*figure, *found] if found else [Text(("No maps were asked for.",))])


def _questions(shown: Sequence[ReportedModel]) -> Tab:
    about = "What the scenes of these runs hold, and which answers are right. To say the same always scores one bar."
    return _tab("questions", "Questions", [Text((about,)), *attempted("Questions", _distributions, shown)])


def _distributions(shown: Sequence[ReportedModel]) -> list[Figure]:
    runs = [known.run for one in shown for known in one.subject.runs]
    cases: dict[AskedSet, list[Case]] = {}
    for asked in _SETS:
        if of_set := [run for run in runs if run.way.asked == asked]:
            cases[asked] = common_cases(of_set)
    return list(distribution_figures(cases))


def _about(shown: Sequence[ReportedModel], command: str, numbers: str) -> Tab:
    def tables(shown: Sequence[ReportedModel]) -> list[Table]:
        subjects = [one.subject for one in shown]
        return [*reliability_tables(subjects, RULE_SETS), *cost_tables(subjects)]

    how = attempted("Reliability and price", tables, shown)
    set_ups = [RunSettings(one.name, "", one.subject.settings) for one in shown]
    files = ((numbers, "every number of this report, by scene. Each figure has a link that saves it as SVG."),)
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *how, *settings_tables(set_ups), again])


def run_summary(shown: Sequence[ReportedModel]) -> str:
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


def write_pages(
    runs: Sequence[Run], out: Path, place: Place, command: str, tell: Tell, track: Track, jobs: int
) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    known, left_out = attempt_each(run_scores, track(runs, "intervals"), lambda run: run.name)
    found = attempt("rows to compare with", lambda: reference_rows(runs))
    references = [] if isinstance(found, LeftOut) else found
    if isinstance(found, LeftOut):
        tell(f"{TITLE}: there are no {found}")
    write_numbers(out / place.numbers, lambda of: as_dict(of, references), known, lambda of: of.run.name, tell)
    shown = reported_models(evaluated_models(known))
    write_scenes(shown, out, f"{place.page}#scenes", track, jobs)
    return write_page(
        replace(report_page(shown, references, command, place), left_out=left_out), out, place, tell, track
    )
