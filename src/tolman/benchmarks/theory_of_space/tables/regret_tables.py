"""How far explorations are from the cheapest one: cost, its proven lower bound, what is left to do, and regret."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from tolman.benchmarks.theory_of_space.columns import CHEAPEST_COLUMN, COST_COLUMN, LEFT_COLUMN, REGRET_COLUMN
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, explorers_of, run_table
from tolman.explore.cheapest import Regret
from tolman.report.statistics import joined_by_scene, mean_interval
from tolman.report.table import Cell, Column, Row, Table

_VALUES: tuple[tuple[Column, Callable[[Regret], int]], ...] = (
    (COST_COLUMN, lambda found: found.cost),
    (CHEAPEST_COLUMN, lambda found: found.best.lower),
    (LEFT_COLUMN, lambda found: found.left.upper),
    (REGRET_COLUMN, lambda found: found.value),
)
_COLUMNS = tuple(replace(column, group="") for column, _ in _VALUES)
_NOTES = (
    "Action cost per scene. cheapest: of any exploration after which every position is certain, the scene being known",
    "left: cheapest way to go on until then. regret: cost + left − cheapest, what was wasted; ending early is in left",
)


def regret_tables(runs: Sequence[NamedRun], insights: Mapping[int, Sequence[SceneInsight]]) -> Iterator[Table]:
    """The regret of runs, and of scripted explorers whose logs were read; `insights` by identity of the summary."""

    def rows(named: NamedRun) -> tuple[Row, ...]:
        found = [[] if one.regret is None else [one.regret] for one in insights[id(named.summary)]]
        scenes = [scene for scene in joined_by_scene(named.summary.run.case_ids, found) if scene]
        if not scenes:
            return (Row((Cell(),) * len(_VALUES)),)
        return (
            Row(
                tuple(
                    column.style(mean_interval([fmean(map(value, scene)) for scene in scenes]))
                    for column, value in _VALUES
                )
            ),
        )

    found = [one.regret for named in runs for one in insights[id(named.summary)] if one.regret is not None]
    open_ones = sum(not one.exact for one in found)
    unproven = f"in {open_ones} of {len(found)} scenes the bounds do not meet: regret is the largest that it can be"
    notes = (*_NOTES, *[unproven] * (open_ones > 0))
    yield from run_table("regret", "How far from the cheapest exploration", _COLUMNS, explorers_of(runs), rows, notes)
