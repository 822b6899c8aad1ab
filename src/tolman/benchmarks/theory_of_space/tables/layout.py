"""How runs are named in every table, and in which section they stand."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.run_summary import RunSummary
from tolman.core.rules import RuleSetName
from tolman.harness.names import differences
from tolman.report.table import Column, Row, RowGroup, Table

RuleSetNames = tuple[RuleSetName, ...]
"""The rule sets to show, in order."""
_SHOWN_ELSEWHERE = {"mode", "world", "phases", "maps", "kinds", "rules"}
"""Options that can be seen from which tables there are, and where in them a run stands."""
PAPER_SETTINGS = {"rooms": 3, "things": 4} | {k: v for k, v in Options().as_dict().items() if k not in _SHOWN_ELSEWHERE}
"""Settings of the paper's main experiments."""


@dataclass(frozen=True)
class NamedRun:
    """A run in numbers, with its name and the part of a table it stands in."""

    name: str
    part: str
    figures: RunSummary
    done: str = ""
    """How many scenes were done."""

    @property
    def where(self) -> str:
        """World and mode, such as `text, active`."""
        return f"{self.figures.run.world}, {self.figures.run.mode}"


def name_runs(runs: Sequence[RunSummary]) -> list[NamedRun]:
    """Runs with the names they go by: the model, and what sets it apart from other runs of it."""
    alike: dict[tuple[str, str, str], list[RunSummary]] = {}
    for known in runs:
        alike.setdefault((known.run.world, known.run.mode, known.run.name), []).append(known)
    return [
        NamedRun(name, part_title(known.run.world, known.run.mode), known, scenes_done(known.run))
        for group in alike.values()
        for known, name in zip(group, _names(group), strict=True)
    ]


def part_title(world: World, mode: Mode) -> str:
    """The part of a table that holds the runs of a world and mode."""
    return f"{world.capitalize()} world, {mode}"


def _names(group: Sequence[RunSummary]) -> list[str]:
    return [
        f"{known.run.name}{f', {apart}' if apart else ''}"
        for known, apart in zip(group, _distinguishing_settings(group), strict=True)
    ]


def _distinguishing_settings(group: Sequence[RunSummary]) -> list[str]:
    """What sets runs of one name apart from each other, and from the way the paper did it."""
    settings = [{"model": known.run.model, **known.run.settings} for known in group]
    usual = {name: value for name, value in PAPER_SETTINGS.items() if name in settings[0]}
    return differences([{**settings[0], **usual}, *settings])[1:]


def scenes_done(run: TheoryOfSpaceRun) -> str:
    """How many scenes there are of a run."""
    done = f"{len(run.cases)}" if len(run.cases) == run.planned else f"{len(run.cases)} of {run.planned}"
    return f"{done} scene{'s' * (run.planned != 1)}"


def run_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    shown: Sequence[NamedRun],
    rows: Callable[[NamedRun], tuple[Row, ...]],
    notes: tuple[str, ...] = (),
    *,
    below: Iterable[RowGroup] = (),
) -> Iterator[Table]:
    """A table of runs, by world and mode. What nobody knows is left out, and so is a table without a run.

    Other entries may stand `below` the runs.
    """
    entries = (RowGroup(one.name, rows(one), one.done, section=one.part, where=one.where) for one in shown)
    table = Table(name, title, "run", tuple(columns), (*entries, *below), notes).trimmed()
    if table.measured:
        yield table
