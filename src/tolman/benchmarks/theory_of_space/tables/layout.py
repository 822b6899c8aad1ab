"""Layout of tables: reference rows, names of runs, and sections by world and mode."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.run_summary import RunSummary
from tolman.core.grouping import grouped
from tolman.harness.names import distinguishing_settings
from tolman.harness.options import recorded
from tolman.report.baselines import ReferenceRow as AnyReferenceRow
from tolman.report.table import Column, Row, RowGroup, Table


@dataclass(frozen=True, slots=True)
class RowSetting:
    """The setting in which the numbers of a row were measured."""

    world: World
    mode: Mode
    rooms: int | None = None
    """Rooms per scene; None if scenes differ."""
    explorer: str = ""
    """Agent whose log a passive model read."""


@dataclass(frozen=True, kw_only=True)
class ReferenceRow(AnyReferenceRow):
    """Numbers to compare runs with, and the setting in which they were measured."""

    setting: RowSetting


def setting_of(cases: Sequence[Case], world: World, mode: Mode, explorer: str = "") -> RowSetting:
    """The setting of a set of cases."""
    rooms = {len(case.scene.rooms) for case in cases}
    return RowSetting(world, mode, rooms.pop() if len(rooms) == 1 else None, explorer)


_SHOWN_ELSEWHERE = {"mode", "world", "phases", "maps", "kinds", "rules"}
"""Options that sections and the choice of tables show, and names of runs need not."""
PAPER_SETTINGS = {"rooms": 3, "things": 4} | {
    name: value for name, value in recorded(Options().for_rooms(3)).items() if name not in _SHOWN_ELSEWHERE
}
"""Settings of the paper's main experiments."""


@dataclass(frozen=True)
class NamedRun:
    """The summary of a run with its name and its section in tables."""

    name: str
    section: str
    summary: RunSummary
    done: str = ""
    """Number of finished scenes, as printed."""

    @property
    def where(self) -> str:
        """World and mode, such as `text, active`."""
        return f"{self.summary.run.world}, {self.summary.run.mode}"


def name_runs(runs: Sequence[RunSummary]) -> list[NamedRun]:
    """Runs with distinct names: the model, and the settings that differ between its runs."""
    by_name = grouped(runs, lambda summary: (summary.run.world, summary.run.mode, summary.run.name))
    return [
        NamedRun(name, section_title(summary.run.world, summary.run.mode), summary, scenes_done(summary.run))
        for group in by_name.values()
        for summary, name in zip(group, _names(group), strict=True)
    ]


def explorers_of(runs: Iterable[NamedRun]) -> list[NamedRun]:
    """Those who explored: active runs, and once each scripted explorer whose log passive runs read."""
    seen: set[object] = set()
    kept: list[NamedRun] = []
    for named in runs:
        run = named.summary.run
        explorer = (run.world, run.options.passive_explorer, named.summary.curve)
        if run.mode == "active":
            kept.append(named)
        elif explorer not in seen:
            seen.add(explorer)
            name = f"{run.options.passive_explorer}, whose log was read"
            kept.append(NamedRun(name, named.section, named.summary, named.done))
    return kept


def section_title(world: World, mode: Mode) -> str:
    """Title of the section of runs of one world and mode."""
    return f"{world.capitalize()} world, {mode}"


def _names(group: Sequence[RunSummary]) -> list[str]:
    """The model, and the settings that differ between its runs, or from the paper's."""
    settings = [
        ("", {"model": summary.run.model, **_without_default_budgets(summary.run.settings)}) for summary in group
    ]
    separate = distinguishing_settings(settings, PAPER_SETTINGS)
    return [", ".join(filter(None, (summary.run.name, words))) for summary, words in zip(group, separate, strict=True)]


def _without_default_budgets(settings: Mapping[str, object]) -> dict[str, object]:
    """Settings with the published turn budgets where a budget is the default for the number of rooms."""
    rooms = settings.get("rooms")
    defaults = recorded(Options().for_rooms(rooms if isinstance(rooms, int) else 3))
    budgets = ("budget", "revise_budget")
    usual = {name: PAPER_SETTINGS[name] for name in budgets if settings.get(name) in (None, defaults[name])}
    return {**settings, **usual}


def scenes_done(run: TheoryOfSpaceRun) -> str:
    """Number of finished scenes of a run, as printed."""
    return run.done()


def run_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    runs: Sequence[NamedRun],
    rows: Callable[[NamedRun], tuple[Row, ...]],
    notes: tuple[str, ...] = (),
    *,
    below: Iterable[RowGroup] = (),
) -> Iterator[Table]:
    """A table of runs in sections by world and mode, without empty columns; nothing if no run has a value.

    Reference entries stand `below` the runs.
    """
    entries = (
        RowGroup(named.name, rows(named), named.done, section=named.section, where=named.where) for named in runs
    )
    table = Table(name, title, "run", tuple(columns), (*entries, *below), notes).trimmed()
    if table.measured:
        yield table
