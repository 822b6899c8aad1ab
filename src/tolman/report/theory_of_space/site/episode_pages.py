"""Addresses of the pages of single episodes, and the table that lists them all."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from tolman.benchmarks.theory_of_space.columns import Columns, columns
from tolman.benchmarks.theory_of_space.insight import QuestionInsight, SceneInsight
from tolman.report.table import Cell, Entry, Row, Table, heading
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN
from tolman.report.theory_of_space.logs import FinishedScene
from tolman.report.theory_of_space.site.listed import Listed, scene_files

HEADS = (
    heading("run", words=True),
    heading("world, mode", words=True),
    heading("answers, %"),
    heading("ceiling, %"),
    heading("cost"),
    heading("information gain, %"),
    heading("last map, %"),
    heading("changes found, F1"),
    heading("unread replies"),
)
_NOTE = "ceiling: expected score of the best answers that what was seen allows. Strict scores."


def episode_table(runs: Sequence[Listed]) -> Table:
    """All finished scenes of all runs, in order."""
    entries = tuple(entry for one in runs for entry in _entries(one))
    return Table("episodes", "All episodes", "scene", HEADS, entries, (_NOTE,), ("run", "world, mode"))


def _entries(one: Listed) -> Iterator[Entry]:
    files = scene_files(one.run)
    for case, insight, file in zip(one.run.cases, one.insights, files, strict=True):
        numbers = columns(case.scores["strict"])
        cells = (
            Cell(one.name),
            Cell(one.where),
            _percent(numbers, ANSWERS),
            _ceiling(insight),
            _plain(numbers, "explore/cost"),
            _percent(numbers, GAIN),
            _percent(numbers, CORRECTNESS),
            _percent(numbers, "revise/f1"),
            Cell(str(_unread(case))),
        )
        yield Entry(case.id[:40], (Row(cells),), href=f"episodes/{one.folder}/{file}")


def _percent(numbers: Columns, column: str) -> Cell:
    return Cell(f"{100 * fmean(numbers[column]):.1f}") if column in numbers else Cell()


def _plain(numbers: Columns, column: str) -> Cell:
    return Cell(f"{fmean(numbers[column]):.0f}") if column in numbers else Cell()


def _ceiling(insight: SceneInsight) -> Cell:
    plainly: list[QuestionInsight] = [question for question in insight.questions if question.mode == "none"]
    return Cell(f"{100 * fmean(question.ceiling for question in plainly):.1f}") if plainly else Cell()


def _unread(case: FinishedScene) -> int:
    """Turns, maps and answers in which nothing could be found."""
    scores = case.scores["strict"]
    turns = (scores.exploration.unread, scores.revision.unread if scores.revision else 0)
    maps = sum(summary.failures for summary in scores.maps.summaries) if scores.maps else 0
    return sum(turns) + maps + sum(answer.unread for answer in scores.answers)


def pages_by_scene(one: Listed) -> Mapping[str, str]:
    """Addresses by id of the scene; of one that was lived through repeatedly, the last."""
    files = scene_files(one.run)
    return {case.id: f"episodes/{one.folder}/{file}" for case, file in zip(one.run.cases, files, strict=True)}
