"""A reference row: numbers to compare runs with, from a baseline or from a paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.core.rules import RuleSetName
from tolman.report.statistics import UNKNOWN, Interval, pooled_interval


@dataclass(frozen=True, slots=True)
class RowSetting:
    """The setting in which the numbers of a row were measured."""

    world: World
    mode: Mode
    rooms: int | None = None
    """Rooms per scene; None if scenes differ."""
    explorer: str = ""
    """Agent whose log a passive model read."""


@dataclass(frozen=True)
class ReferenceRow:
    """Numbers to compare runs with under one rule set, by column."""

    name: str
    source: str
    """Description of where the numbers come from."""
    setting: RowSetting
    values: Mapping[str, Interval]
    """Shares from 0 to 1, costs not scaled; the bounds are NaN where no interval is known."""
    rules: RuleSetName
    scenes: int | None = None
    """Number of scenes, if known."""
    same_scenes: bool = False
    """Whether the row was measured on the scenes and questions of the runs in the table."""
    notes: tuple[str, ...] = field(default=())
    """Caveats: what is inferred, or may not be comparable."""

    def interval(self, column: str) -> Interval:
        return self.values.get(column, UNKNOWN)


def pooled_columns(scenes: Iterable[Mapping[str, Sequence[float]]]) -> dict[str, Interval]:
    """Mean and interval of each column over scenes."""
    columns: dict[str, list[Sequence[float]]] = {}
    for scene in scenes:
        for column, values in scene.items():
            columns.setdefault(column, []).append(values)
    return {column: pooled_interval(values) for column, values in columns.items()}


def setting_of(cases: Sequence[Case], world: World, mode: Mode, explorer: str = "") -> RowSetting:
    """The setting of a set of cases."""
    rooms = {len(case.scene.rooms) for case in cases}
    return RowSetting(world, mode, rooms.pop() if len(rooms) == 1 else None, explorer)
