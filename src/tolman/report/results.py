"""Results of a benchmark as tables, numbers and pages: the interface between benchmarks and reports."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, cast

from rich.text import Text

from tolman.core.errors import SettingsError
from tolman.core.parallel import Tell, Track
from tolman.core.rules import RULE_SETS, RuleSetNames
from tolman.harness.registry import BENCHMARKS, load
from tolman.ideal.observer import ObserverName
from tolman.report.site.page import Place, Tab
from tolman.report.table import Cell, Column, Table

References = Literal["none", "baselines", "all"]
"""Rows to compare with: none, strategies without knowledge, or also scripted models and the paper's own rows."""


@dataclass(frozen=True)
class TableRequest:
    """Which tables are to be shown."""

    rules: RuleSetNames = RULE_SETS
    references: References = "baselines"
    ceilings: bool = False
    """Also where points were lost: never observed, or observed and not understood."""
    failures: bool = False
    """Also why replies could not be parsed."""
    observer: ObserverName | None = None
    """The ideal observer of ceilings and verdicts; None for the default of each."""


@dataclass(frozen=True)
class ShownTables:
    """Tables with the lines between them, and all numbers as plain values."""

    parts: list[Text | Table]
    numbers: dict[str, object]


@dataclass(frozen=True)
class PageRequest:
    """Where the pages of a benchmark go, and what goes onto them."""

    out: Path
    """The folder of the report, as opened by `whole_folder`."""
    place: Place
    command: str
    """The command that reproduces the pages."""
    tell: Tell
    track: Track
    jobs: int
    """Processes; -1 for all cores."""
    scripted: bool = False
    """Add rows of scripted models on the same scenes, where a benchmark has such."""
    observer: ObserverName | None = None
    """The ideal observer of ceilings and verdicts; None for the default of each."""
    tabs: tuple[Tab, ...] = ()
    """Further tabs, before the last one."""
    numbers: Mapping[str, object] = field(default_factory=dict[str, object])
    """Further numbers for the file of all numbers."""


@dataclass(frozen=True)
class Headline:
    """The main numbers of one model, by key of their columns."""

    model: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class CaseScores:
    """All scores of one run of one case under one rule set."""

    model: str
    run: str
    """Name of the run in tables: the model, and what distinguishes the run from others."""
    rules: str
    case: str
    epoch: int
    """Which run of the case it is, from 1."""
    values: Mapping[str, tuple[float, ...]]
    """By key of the column: one value, or one for each question, in the same order in all epochs."""


@dataclass(frozen=True)
class BenchmarkResults(ABC):
    """All runs of one benchmark in some files."""

    models: tuple[str, ...]
    runs: int
    cases: int

    @abstractmethod
    def show(self, request: TableRequest, track: Track) -> ShownTables:
        """Tables for the terminal, and the numbers in them."""

    @abstractmethod
    def write_pages(self, request: PageRequest) -> Path:
        """Write all pages, the first one at its place."""

    def headlines(self) -> Sequence[Headline]:
        """The main numbers for the front page of a report on several benchmarks."""
        return ()

    def scores(self) -> Iterable[CaseScores]:
        """Scores of every finished case, for data frames and tables of repeats."""
        return ()


class ResultReader(ABC):
    """Reads the results of one benchmark."""

    name: ClassVar[str]
    """Name of its page, such as `osr-bench`."""
    key: ClassVar[str]
    """Key of its numbers in JSON, such as `osr_bench`."""
    title: ClassVar[str]
    about: ClassVar[str]
    """What is measured, in one line."""
    words: ClassVar[tuple[str, str]] = ("run", "scene")
    """What a run and a case are called there."""
    task: ClassVar[str] = ""
    """Prefix of its task names in logs; empty for a reader of folders."""
    headline_columns: ClassVar[tuple[Column, ...]] = ()
    repeat_columns: ClassVar[tuple[Column, ...]] = ()
    """Scores whose variance is split where cases were run several times; the headline columns without any."""

    @abstractmethod
    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> BenchmarkResults:
        """The results in some logs or folders; `jobs` is the number of processes, -1 for all cores.

        `scores` is a file of what encoders score in other benchmarks, for probes.
        """


@dataclass(frozen=True)
class Source:
    """Files of one benchmark, not yet read."""

    reader: ResultReader
    paths: list[Path] = field(default_factory=list[Path])


def find_sources(paths: Sequence[Path], tell: Tell) -> list[Source]:
    """Which paths hold results of which benchmark: folders that a reader claims, and logs by the name of their task.

    Logs of other tasks are ignored, and damaged ones reported.
    """
    folders, logged = _claimed(paths)
    if not logged and folders:
        return folders
    from tolman.harness.logs import find_logs, log_paths  # noqa: PLC0415 brings Inspect, which takes seconds

    opened = find_logs(logged, tell)
    readers = [reader for each in BENCHMARKS.values() if each.logs for reader in (_reader(each.logs),)]
    found = [Source(reader, [log.path for log in opened if log.task.startswith(reader.task)]) for reader in readers]
    if not any(source.paths for source in found):
        where, count = ", ".join(map(str, logged)), len(log_paths(logged))
        titles = [reader.title for reader in readers]
        raise SettingsError(
            f"{where}: none of the {count} logs there is a readable one of {', '.join(titles[:-1])} or {titles[-1]}"
        )
    return [source for source in found if source.paths] + folders


def _claimed(paths: Sequence[Path]) -> tuple[list[Source], list[Path]]:
    """Folders by reader, and all other paths. A reader is imported only if it has folders."""
    rest, found = list(paths), list[Source]()
    for each in BENCHMARKS.values():
        if each.folders:
            is_own = cast("Callable[[Path], bool]", load(each.is_folder))
            claimed = [path for path in rest if is_own(path)]
            rest = [path for path in rest if path not in claimed]
            found += [Source(_reader(each.folders), claimed)] * bool(claimed)
    return found, rest


def _reader(place: str) -> ResultReader:
    return cast("ResultReader", load(place))


class ReleasedReader(ABC):
    """Scores the authors' released data of one benchmark again."""

    @abstractmethod
    def recognises(self, path: Path) -> bool:
        """Whether a file or folder holds data of this benchmark."""

    @abstractmethod
    def rescore(self, path: Path, advance: Callable[[], None]) -> ShownTables:
        """Compare stored values with recomputed ones; `advance` is called after each part."""
