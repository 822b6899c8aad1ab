"""The page of OSR-Bench: which tables and figures are on which tab, and writing it with the pages of all scenes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.pages.figures import (
    ReportedModel,
    accuracy_figure,
    distribution_figures,
    map_figure,
    reported_models,
    scene_files,
)
from tolman.benchmarks.osr_bench.pages.scenes import write_scenes
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import EvaluatedModel, Run, evaluated_models, run_scores
from tolman.benchmarks.osr_bench.scores import F1, INVENTED_CLASSES
from tolman.benchmarks.osr_bench.tables.export import (
    as_dict,
    cost_tables,
    reliability_tables,
)
from tolman.benchmarks.osr_bench.tables.references import common_cases, reference_rows
from tolman.benchmarks.osr_bench.tables.score_tables import (
    ReferenceRow,
    answer_tables,
    gain_tables,
    judge_tables,
    map_tables,
    rotation_tables,
)
from tolman.core.rules import RULE_SETS
from tolman.harness.names import counted
from tolman.harness.origins import RunOrigin
from tolman.harness.runs import runs_sentence
from tolman.report.results import PageRequest
from tolman.report.site import Block, Figure, Page, Tab, Text, write_page
from tolman.report.site.page import (
    LeftOut,
    Place,
    RunSettings,
    about_tab,
    attempt,
    attempt_each,
    attempted,
    shown_tab,
    write_numbers,
)
from tolman.report.statistics import few_scenes_notes
from tolman.report.table import Cell, RowGroup, Table, heading, one_row

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


def scene_table(reported: Sequence[ReportedModel]) -> Table:
    """All finished scenes of all models."""
    entries = tuple(entry for one in reported for entry in _entries(one))
    return Table("scenes", "All scenes", "scene", _HEADS, entries, (_NOTE,), ("model",))


def _entries(one: ReportedModel) -> Iterator[RowGroup]:
    for scene, file in scene_files(one).items():
        truth = next(
            case.logged.case.truth for scored in one.model.runs for case in scored.run.cases if case.id == scene
        )
        cells = (
            Cell(one.name),
            Cell(str(len(truth.classes))),
            Cell(str(sum(truth.counts.values()))),
            *(_answer_cell(one, scene, asked, mode) for asked in _SETS for mode in _MODES),
            _map_cell(one, scene, "standard", F1),
            _map_cell(one, scene, "negative", INVENTED_CLASSES),
        )
        yield one_row(scene[:60], cells, href=f"episodes/{one.folder}/{file}")


def _answer_cell(one: ReportedModel, scene: str, asked: AskedSet, mode: str) -> Cell:
    scores = [
        score
        for condition, scored in one.model.conditions.items()
        if (condition.asked, condition.mode) == (asked, mode)
        for column, by_scene in scored.measured["strict"].values.items()
        if column.startswith("ask/")
        for score in by_scene.get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()


def _map_cell(one: ReportedModel, scene: str, asked: AskedSet, column: str) -> Cell:
    scores = [
        score
        for condition, scored in one.model.conditions.items()
        if condition.asked == asked
        for score in scored.measured["strict"].values.get(column, {}).get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()


TITLE = "OSR-Bench"
ABOUT = "How well models build a map from one panorama and answer questions, without hallucinating objects."
_ABOUT = (
    "A model sees one 360-degree panorama from the middle of a room. It may state a map of the room on a grid, then "
    "answers questions of counting, relative distance and relative direction. Negative questions also name objects "
    "that are absent."
)


def report_page(
    reported: Sequence[ReportedModel], references: Sequence[ReferenceRow], command: str, place: Place
) -> Page:
    """All tabs."""
    tabs = (
        _overview(reported, references),
        _answers(reported, references),
        _maps(reported, references),
        _questions(reported),
        shown_tab("scenes", "Scenes", attempted("Scenes", scene_table, reported)),
        _about(reported, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)


def _overview(reported: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    blocks: list[Block] = [
        Text((_ABOUT, run_summary(reported))),
        *attempted("Answers", _main_answers, reported),
        *attempted("Accuracy by map condition", lambda of: accuracy_figure(of, "standard", references), reported),
        *attempted("Maps", _main_maps, reported),
    ]
    return shown_tab("overview", "Overview", blocks)


def _main_answers(reported: Sequence[ReportedModel]) -> list[Table]:
    models = [one.model for one in reported]
    rough = few_scenes_notes(scored.run.distinct for one in models for scored in one.runs)
    return [_renamed(replace(each, notes=(*each.notes, *rough))) for each in answer_tables(models, RULE_SETS)][:1]


def _main_maps(reported: Sequence[ReportedModel]) -> list[Table]:
    return [_renamed(each) for each in map_tables([one.model for one in reported], RULE_SETS)][:1]


def _renamed(table: Table) -> Table:
    """A copy under another name: names are anchors, and this table is also on another tab."""
    return replace(table, name=f"main-{table.name}")


def _answers(reported: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    def tables(reported: Sequence[ReportedModel]) -> list[Table]:
        return list(answer_tables([one.model for one in reported], RULE_SETS, references))

    def other(reported: Sequence[ReportedModel]) -> list[Table]:
        models = [one.model for one in reported]
        return [
            *gain_tables(models, RULE_SETS),
            *rotation_tables(models, RULE_SETS),
            *judge_tables(models, RULE_SETS),
        ]

    blocks: list[Block] = [
        *attempted("Answers", tables, reported),
        *attempted("Answers, negative", lambda of: accuracy_figure(of, "negative", references), reported),
        *attempted("Gain from a map, consistency, judge", other, reported),
    ]
    return shown_tab("answers", "Answers", blocks)


def _maps(reported: Sequence[ReportedModel], references: Sequence[ReferenceRow]) -> Tab:
    def tables(reported: Sequence[ReportedModel]) -> list[Table]:
        return list(map_tables([one.model for one in reported], RULE_SETS, references))

    found = attempted("Stated maps", tables, reported)
    figure = attempted("Stated maps, and their mirror images", map_figure, reported)
    return shown_tab("maps", "Maps", [*figure, *found] if found else [Text(("No maps were asked for.",))])


def _questions(reported: Sequence[ReportedModel]) -> Tab:
    about = "Classes in the scenes of these runs, and their correct answers. A constant answer scores its own bar."
    return shown_tab("questions", "Questions", [Text((about,)), *attempted("Questions", _distributions, reported)])


def _distributions(reported: Sequence[ReportedModel]) -> list[Figure]:
    runs = [scored.run for one in reported for scored in one.model.runs]
    cases: dict[AskedSet, list[Case]] = {}
    for asked in _SETS:
        if of_set := [run for run in runs if run.condition.asked == asked]:
            cases[asked] = common_cases(of_set)
    return list(distribution_figures(cases))


def _origins(model: EvaluatedModel) -> tuple[RunOrigin, ...]:
    return tuple(origin for scored in model.runs for origin in scored.run.origins)


def _about(reported: Sequence[ReportedModel], command: str, numbers: str) -> Tab:
    def tables(reported: Sequence[ReportedModel]) -> list[Table]:
        models = [one.model for one in reported]
        return [*reliability_tables(models, RULE_SETS), *cost_tables(models)]

    how = attempted("Reliability and price", tables, reported)
    set_ups = [RunSettings(one.name, "", one.model.settings, _origins(one.model)) for one in reported]
    about = (numbers, "every number of this report, by scene")
    return about_tab(("tolman.benchmarks.osr_bench", "terms"), how, set_ups, command, about)


def run_summary(reported: Sequence[ReportedModel]) -> str:
    """A sentence on what was run."""
    runs = [scored.run for one in reported for scored in one.model.runs]
    scenes, replies = len({case.id for run in runs for case in run.cases}), sum(len(run.calls) for run in runs)
    seen = f"{counted(scenes, 'scene')}, with {counted(replies, 'reply', 'replies')}"
    return runs_sentence(runs, seen, "scene")


def write_pages(runs: Sequence[Run], request: PageRequest) -> Path:
    """Write all pages of the report into an existing folder; returns the main page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    scored, left_out = attempt_each(run_scores, track(runs, "intervals"), lambda run: run.name)
    found = attempt("reference rows", lambda: reference_rows(runs))
    references = [] if isinstance(found, LeftOut) else found
    if isinstance(found, LeftOut):
        tell(f"{TITLE}: there are no {found}")
    write_numbers(
        out / place.numbers,
        lambda of: {**as_dict(of, references), **request.numbers},
        scored,
        lambda of: of.run.name,
        tell,
    )
    reported = reported_models(evaluated_models(scored))
    write_scenes(reported, out, f"{place.page}#scenes", track, request.jobs)
    page = replace(report_page(reported, references, request.command, place), left_out=left_out)
    return write_page(page.with_tabs(request.tabs), out, place, tell, track)
