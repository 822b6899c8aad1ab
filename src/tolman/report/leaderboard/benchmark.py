"""What a benchmark adds to the leaderboard: how its runs become entries, and how its entries are checked."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from tolman import __version__
from tolman.core.errors import SettingsError, TolmanError, UnknownNameError
from tolman.core.limits import board_seconds
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import RuleSetName
from tolman.harness.names import differences, printable
from tolman.harness.options import OptionsClass
from tolman.harness.registry import BENCHMARKS, load
from tolman.harness.runs import ModelRun
from tolman.report.leaderboard.entry_file import FORMAT, ClaimedMean, EntryHeader, EntryRefused, Summary, field_of
from tolman.report.statistics import Interval, ScoreColumns
from tolman.report.table import Cell, Column, Style, heading, known_or_none, percent


@dataclass(frozen=True)
class EntryAbout:
    """What people are told about an entry."""

    name: str = ""
    contact: str = ""
    link: str = ""
    note: str = ""


def entry_header(benchmark: str, run: ModelRun[Any, Any], about: EntryAbout) -> dict[str, Any]:
    """The fields of `EntryHeader` for a run."""
    told = {**asdict(about), "name": about.name or run.name}
    return {"format": FORMAT, "tolman": __version__, "benchmark": benchmark, "model": run.name, **told}


class StillSealed(EntryRefused):
    """The cases of an entry are secret, and can't be made yet."""


def claimed_summary(measured: Mapping[RuleSetName, ScoreColumns]) -> Summary:
    """The means and intervals of a run, as an entry claims them."""
    return {
        rules: {
            column: ClaimedMean(mean=found.mean, low=known_or_none(found.low), high=known_or_none(found.high))
            for column, found in columns.intervals.items()
            if not math.isnan(found.mean)
        }
        for rules, columns in measured.items()
    }


@dataclass(frozen=True)
class VerifiedEntry:
    """An entry whose numbers are its own, without its replies."""

    entry: EntryHeader
    """What it says about itself."""
    options: Any
    """Of its benchmark."""
    cases: Mapping[str, str]
    """Digests of its cases, by id: of all that is asked, and of what is right."""
    measured: Mapping[RuleSetName, ScoreColumns]
    """Recomputed."""
    league: str
    """Digest of the cases and options; entries of one league are compared."""
    title: str
    """Of its league."""
    order: tuple[str, ...]
    """Where its league stands among others of the benchmark."""
    ranked_by: str
    """The column of the strict rules by which entries are ranked."""
    from_seeds: bool = True
    """Whether anyone can make its cases again; if not, they are only what the entry says they are."""
    apart: str = ""
    """How it was run otherwise than usual, such as `think yes`."""


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column of the board: its name among scores, its titles, the rule set, and how its numbers are written."""

    name: str
    group: str
    title: str
    rules: RuleSetName = "strict"
    style: Style = percent

    @property
    def heading(self) -> Column:
        return heading(self.title.replace(" ", "\n"), self.group)

    def known(self, values: Mapping[str, float]) -> Cell:
        """A number without an interval, of this rule set."""
        value = values.get(self.name) if self.rules == "strict" else None
        return Cell() if value is None else self.style(Interval(value, value, value))

    def cell(self, verified: VerifiedEntry) -> Cell:
        return self.style(verified.measured[self.rules].interval(self.name))


R = TypeVar("R", bound=ModelRun[Any, Any])
E = TypeVar("E", bound=EntryHeader)


class BenchmarkLeaderboard(ABC, Generic[R, E]):
    """The leaderboard of one benchmark. `R` is a run in logs, `E` an entry."""

    name: ClassVar[str]
    """Of the benchmark."""
    title: ClassVar[str]
    columns: ClassVar[tuple[BoardColumn, ...]]
    notes: ClassVar[tuple[str, ...]]
    """Below its tables."""
    checked: ClassVar[tuple[str, ...]]
    """What is checked, in words for the page."""
    references: ClassVar[Mapping[str, Mapping[str, float]]] = {}
    """Rows to compare with: strict scores by column."""

    # ---- a run becomes an entry ----

    @abstractmethod
    def read_runs(self, paths: Sequence[Path], tell: Tell, track: Track) -> Sequence[R]: ...

    @abstractmethod
    def label(self, run: R) -> str:
        """What tells a run from others of its model, as part of a file's name."""

    @abstractmethod
    def summary(self, run: R) -> str:
        """A run in a few words."""

    @abstractmethod
    def entry(self, run: R, about: EntryAbout, companions: Sequence[object] = ()) -> E:
        """The entry of a run. A `SettingsError` says what to do about one that can't be submitted."""

    # ---- an entry is checked ----

    @abstractmethod
    def parse(self, values: object) -> E:
        """The entry that some JSON holds."""

    @abstractmethod
    def verify(self, entry: E, companions: Sequence[object] = (), track: Track = untracked) -> VerifiedEntry:
        """Check an entry; `EntryRefused` names the first thing that differs, and how many do."""

    def prepare(self) -> None:
        """Make what every check needs, before the time of one is taken."""

    def seconds(self, size: int, entry: E) -> float:
        """CPU seconds that the check of an entry of `size` bytes may take."""
        del entry
        return board_seconds(size)

    def companion(self, values: object) -> object | None:
        """What a file beside entries holds that their check needs; None where it is no such file."""
        del values
        return None


AnyLeaderboard = BenchmarkLeaderboard[Any, Any]


def find_leaderboard(name: object) -> AnyLeaderboard:
    """The leaderboard of a benchmark."""
    known = [each.name for each in BENCHMARKS.values() if each.leaderboard]
    if name not in known:
        shown = printable(str(name))[:60]
        raise UnknownNameError(f"there is no leaderboard of the benchmark {shown!r}, but of {', '.join(known)}")
    return cast("AnyLeaderboard", load(BENCHMARKS[str(name)].leaderboard))


def all_leaderboards() -> list[AnyLeaderboard]:
    """Those of all benchmarks that have one."""
    return [find_leaderboard(each.name) for each in BENCHMARKS.values() if each.leaderboard]


def leaderboard_of(values: object) -> AnyLeaderboard:
    """The leaderboard that an entry belongs on."""
    try:
        return find_leaderboard(field_of(values, "benchmark"))
    except UnknownNameError as error:
        raise EntryRefused(str(error)) from None


# ---- what several benchmarks share ----

_GENERATION = (
    *("temperature", "top_p", "top_k", "max_tokens", "seed", "frequency_penalty", "presence_penalty"),
    *("reasoning_effort", "reasoning_tokens", "effort", "verbosity", "model_path"),
)


def generation_of(run: ModelRun[Any, Any]) -> dict[str, object]:
    """What the model was set to, as far as it is known to give nothing away; of a file of weights, its name only."""
    own = {name: run.settings[name] for name in _GENERATION if name in run.settings}
    return {name: Path(str(value)).name if name == "model_path" else value for name, value in own.items()}


def check_complete(run: ModelRun[Any, Any], unit: str = "scene") -> None:
    """Refuse a run that is not finished, or has a case twice."""
    done = len(run.cases)
    if done < run.planned:
        raise SettingsError(
            f"{run.name}: {done} of {run.planned} {unit}s are done; finish them with `tolman eval` first"
        )
    if getattr(run.options, "wordings", ""):
        raise SettingsError(f"{run.name} was run with --wordings; on a leaderboard all models get the same prompts")
    if len({case.id for case in run.cases}) != done:
        raise SettingsError(f"{run.name} went through a {unit} more than once; submit a run with one epoch")


O = TypeVar("O", bound=OptionsClass)  # noqa: E741


def checked_options(cls: type[O], values: Mapping[str, object], most: Mapping[str, int]) -> O:
    """Options as plain values tell of them; refused where one is unknown, of another type, or beyond all bounds."""
    kinds = get_type_hints(cls)
    known = {field.name for field in fields(cast("Any", cls))}
    found: dict[str, object] = {}
    for name, value in values.items():
        if name not in known:
            raise EntryRefused(f"there is no option {printable(name)[:60]!r}")
        try:
            found[name] = TypeAdapter(kinds[name]).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise EntryRefused(f"its option {name} is not one: {first['msg']}") from None
    try:
        options = cls(**cast("Any", found))
    except TolmanError as error:
        raise EntryRefused(f"its options can't be: {printable(str(error))}") from None
    if getattr(options, "wordings", ""):
        raise EntryRefused("it was run with --wordings; on a leaderboard all models get the same prompts")
    for name, limit in most.items():
        value = getattr(options, name)
        if value is not None and value > limit:
            raise EntryRefused(f"its option {name} is {value}, and {limit} is the most")
    return options


def unusual_settings(settings: Mapping[str, object], usual: Mapping[str, object]) -> str:
    """How an entry was run otherwise than usual, such as `budget 40`; empty where it was not."""
    return differences([{name: value for name, value in usual.items() if name in settings}, settings])[1]
