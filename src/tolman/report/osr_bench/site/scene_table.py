"""The table that lists every scene of every model, each with a page of its own."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.osr_bench.osr_columns import F1
from tolman.report.osr_bench.shown import Shown, scene_files
from tolman.report.table import Cell, Entry, Row, Table, heading

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


def scene_table(shown: Sequence[Shown]) -> Table:
    """All finished scenes of all models."""
    entries = tuple(entry for one in shown for entry in _entries(one))
    return Table("scenes", "All scenes", "scene", _HEADS, entries, (_NOTE,), ("model",))


def _entries(one: Shown) -> Iterator[Entry]:
    for scene, file in scene_files(one).items():
        truth = next(
            case.logged.case.truth for known in one.subject.runs for case in known.run.cases if case.id == scene
        )
        cells = (
            Cell(one.name),
            Cell(str(len(truth.classes))),
            Cell(str(sum(truth.counts.values()))),
            *(_answers(one, scene, asked, mode) for asked in _SETS for mode in _MODES),
            _map(one, scene, "standard", F1),
            _map(one, scene, "negative", "map/invented_classes"),
        )
        yield Entry(scene[:60], (Row(cells),), href=f"episodes/{one.folder}/{file}")


def _answers(one: Shown, scene: str, asked: AskedSet, mode: str) -> Cell:
    scores = [
        score
        for way, known in one.subject.ways.items()
        if (way.asked, way.mode) == (asked, mode)
        for column, by_scene in known.measured["strict"].values.items()
        if column.startswith("ask/")
        for score in by_scene.get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()


def _map(one: Shown, scene: str, asked: AskedSet, column: str) -> Cell:
    scores = [
        score
        for way, known in one.subject.ways.items()
        if way.asked == asked
        for score in known.measured["strict"].values.get(column, {}).get(scene, ())
    ]
    return Cell(f"{100 * fmean(scores):.1f}") if scores else Cell()
