"""A reference row: numbers to compare runs with, from a baseline or from a paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.core.rules import RuleSetName
from tolman.report.statistics import UNKNOWN, Interval, pooled_interval


@dataclass(frozen=True, slots=True)
class RowSetting:
    """How the numbers of a row came about."""

    world: World
    mode: Mode
    rooms: int | None = None
    """Rooms of each scene, where all have as many."""
    explorer: str = ""
    """Whose log a passive model read."""


@dataclass(frozen=True)
class ReferenceRow:
    """Numbers of someone else under one rule set, by the names that `columns` gives them."""

    name: str
    source: str
    """Where the numbers come from, in words."""
    setting: RowSetting
    values: Mapping[str, Interval]
    """Shares from 0 to 1, costs as they are; the ends are NaN where no interval is known."""
    rules: RuleSetName
    scenes: int | None = None
    """Of how many scenes they are, where that is known."""
    same_scenes: bool = False
    """Whether these are the scenes and questions of the runs it is shown with."""
    notes: tuple[str, ...] = field(default=())
    """What is inferred, or may not be comparable."""

    def interval(self, column: str) -> Interval:
        return self.values.get(column, UNKNOWN)


def pooled_columns(scenes: Iterable[Mapping[str, Sequence[float]]]) -> dict[str, Interval]:
    """Each column over some scenes."""
    columns: dict[str, list[Sequence[float]]] = {}
    for scene in scenes:
        for column, values in scene.items():
            columns.setdefault(column, []).append(values)
    return {column: pooled_interval(values) for column, values in columns.items()}


def setting_of(cases: Sequence[Case], world: World, mode: Mode, explorer: str = "") -> RowSetting:
    """The setting of some cases."""
    rooms = {len(case.scene.rooms) for case in cases}
    return RowSetting(world, mode, rooms.pop() if len(rooms) == 1 else None, explorer)
