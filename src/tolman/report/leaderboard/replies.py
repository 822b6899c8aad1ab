"""Entries of benchmarks whose cases are asked about in single calls: they hold the replies, and nothing that is true.

The board makes every case anew from what it is made from, and scores the replies again.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar, cast

from pydantic import Field, JsonValue

from tolman.core.errors import SettingsError, TolmanError
from tolman.core.limits import BOARD_SCENES
from tolman.core.parallel import Track, untracked
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.core.seeds import digest
from tolman.harness.names import printable
from tolman.harness.options import OptionsClass, recorded
from tolman.harness.records import Call, CaseRecord, LoggedCase
from tolman.harness.runs import ModelRun
from tolman.report.leaderboard.benchmark import (
    BenchmarkLeaderboard,
    BoardColumn,
    EntryAbout,
    VerifiedEntry,
    check_complete,
    checked_options,
    claimed_summary,
    entry_header,
    generation_of,
    unusual_settings,
)
from tolman.report.leaderboard.entry_file import (
    LONGEST_REPLY,
    MOST_CALLS,
    EntryHeader,
    EntryRefused,
    Hex,
    Line,
    StrictModel,
    Summary,
    parse_entry,
    refuse_faults,
    summary_differences,
)
from tolman.report.statistics import ScoreColumns
from tolman.report.table import Column

CallName = Annotated[str, Field(max_length=200)]
Reply = Annotated[str, Field(max_length=LONGEST_REPLY)]
Origin = Annotated[dict[Line, int | Line], Field(max_length=8)]
"""What a case is made from, such as its seed."""


class EntryCase(StrictModel):
    """What a model said about one case."""

    id: Line
    made_from: Origin
    digest: Hex
    """Of the whole case, with all that is right."""
    replies: Annotated[dict[CallName, Reply], Field(max_length=MOST_CALLS)]
    """By call."""


class RepliesEntry(EntryHeader):
    """A whole run. Nothing in it is believed."""

    options: dict[str, JsonValue]
    selection: dict[str, JsonValue]
    """Options of the selection that cases depend on, beside what each is made from."""
    generation: dict[str, JsonValue]
    """Temperature and the like, as the log has them."""
    cases: list[EntryCase] = Field(min_length=1, max_length=BOARD_SCENES)
    summary: Summary


C = TypeVar("C")
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
R = TypeVar("R", bound=ModelRun[Any, Any])

RANK_COLUMN = "answers"
"""The mean over the headline columns of answers, each of the same weight."""


def board_columns(
    headlines: Sequence[Column], rules: Sequence[RuleSetName] = RULE_SETS, title: str = "mean"
) -> tuple[BoardColumn, ...]:
    """The column that ranks, under these rule sets, and the headline columns of a benchmark."""
    ranks = (BoardColumn(RANK_COLUMN, f"Answers, {title}", each if len(rules) > 1 else "all", each) for each in rules)
    return (*ranks, *(BoardColumn(each.key, each.group, each.title, style=each.style) for each in headlines))


def origin_values(told: EntryCase, kinds: Mapping[str, type]) -> dict[str, Any]:
    """What a case is made from, if it has these names and types."""
    origin = told.made_from
    if {name: type(value) for name, value in origin.items()} != dict(kinds):
        raise EntryRefused(f"{printable(told.id)[:60]} should be made from {', '.join(kinds)}, and from nothing else")
    return dict(origin)


class RepliesLeaderboard(BenchmarkLeaderboard[R, RepliesEntry], Generic[R, C, O]):
    """The leaderboard of such a benchmark. `C` is a case, `O` its options."""

    unit: ClassVar[str] = "scene"
    options_class: type[O]
    record_class: type[CaseRecord]
    selection_defaults: ClassVar[Mapping[str, object]] = {}
    """Options of the selection that an entry holds, with what is usual."""
    asked: ClassVar[tuple[str, ...]]
    """Options that make another league."""
    most: ClassVar[Mapping[str, int]] = {}
    """Of options of numbers."""
    unshown: ClassVar[tuple[str, ...]] = ()
    """Options that are not told even where they are unusual, since cases tell of them."""

    @abstractmethod
    def origins(self, run: R) -> Sequence[Mapping[str, int | str]]:
        """What each case of a run is made from; a `SettingsError` where that can't be told."""

    def selection(self, run: R) -> Mapping[str, object]:
        """The options of the selection that cases depend on."""
        del run
        return {}

    @abstractmethod
    def make_cases(self, told: Sequence[EntryCase], selection: Mapping[str, object], options: O) -> Sequence[C]:
        """The cases in this order, as the task would make them from what they are said to be made from."""

    @abstractmethod
    def case_to_dict(self, case: C) -> Mapping[str, object]:
        """All that is asked in a case, and what is right."""

    @abstractmethod
    def calls(self, case: C, options: O) -> Sequence[str]:
        """The calls that the protocol makes."""

    @abstractmethod
    def measure(
        self, logged: Sequence[LoggedCase[C, O, Any]], options: O, track: Track
    ) -> Mapping[RuleSetName, ScoreColumns]:
        """All columns under both rule sets, with `RANK_COLUMN`."""

    @abstractmethod
    def league_title(self, cases: Sequence[C], options: O) -> str: ...

    # ---- a run becomes an entry ----

    def summary(self, run: R) -> str:
        return f"{len(run.cases)} {self.unit}s, {self.label(run)}"

    def entry(self, run: R, about: EntryAbout, companions: Sequence[object] = ()) -> RepliesEntry:
        """The entry of a run."""
        if companions:
            raise SettingsError(f"{self.title} has no sealed splits")
        check_complete(run, self.unit)
        logged = [cast("LoggedCase[C, O, Any]", done.logged) for done in run.cases]
        try:
            return RepliesEntry(
                **entry_header(self.name, run, about),
                options=cast("Any", self._told_options(run.options)),
                selection=cast("Any", dict(self.selection(run))),
                generation=cast("Any", generation_of(run)),
                cases=[
                    self._entry_case(done.id, origin, one)
                    for done, one, origin in zip(run.cases, logged, self.origins(run), strict=True)
                ],
                summary=claimed_summary(self.measure(logged, run.options, untracked)),
            )
        except ValueError as error:
            raise SettingsError(f"this can't be an entry: {' '.join(str(error).split())[:300]}") from None

    def _entry_case(self, name: str, origin: Mapping[str, int | str], logged: LoggedCase[C, O, Any]) -> EntryCase:
        return EntryCase(
            id=name, made_from=dict(origin), digest=self._digest(logged.case), replies=logged.record.replies
        )

    def _told_options(self, options: O) -> dict[str, object]:
        """What it was run with; of a folder of models, its name only."""
        told = recorded(options)
        return {**told, "assets": Path(str(told["assets"])).name or "folder"} if "assets" in told else told

    def _digest(self, case: C) -> str:
        return digest(self.case_to_dict(case))

    # ---- an entry is checked ----

    def parse(self, values: object) -> RepliesEntry:
        return parse_entry(RepliesEntry, values)

    def verify(self, entry: RepliesEntry, companions: Sequence[object] = (), track: Track = untracked) -> VerifiedEntry:
        """Make every case anew, compare the calls with those of the protocol, and score the replies again."""
        del companions
        options = checked_options(self.options_class, cast("Mapping[str, object]", entry.options), self.most)
        cases = self._made(entry, options)
        faults = [
            f"{self.unit} {told.id}, {fault}"
            for told, case in zip(entry.cases, cases, strict=True)
            for fault in self._call_faults(told, case, options)
        ]
        refuse_faults(entry, faults)
        logged = [self._logged(told, case, options) for told, case in zip(entry.cases, cases, strict=True)]
        measured = self.measure(logged, options, track)
        refuse_faults(entry, list(summary_differences(entry.summary, claimed_summary(measured))))
        digests = {told.id: told.digest for told in entry.cases}
        chosen = {name: value for name, value in recorded(options).items() if name in self.asked}
        return VerifiedEntry(
            entry=entry.model_copy(update={"cases": []}),
            options=options,
            cases=digests,
            measured=measured,
            league=digest([self.name, chosen, sorted(digests.items())]),
            title=self.league_title(cases, options),
            order=tuple(str(chosen[name]) for name in self.asked),
            ranked_by=RANK_COLUMN,
            apart=self._apart(entry, options),
        )

    def _made(self, entry: RepliesEntry, options: O) -> Sequence[C]:
        """The cases, each made anew, if they are those that the entry tells of."""
        if len({told.id for told in entry.cases}) != len(entry.cases):
            raise EntryRefused(f"a {self.unit} is there twice")
        for name in entry.selection.keys() ^ self.selection_defaults.keys():
            raise EntryRefused(f"its selection has, or lacks, {printable(name)[:60]!r}")
        try:
            cases = self.make_cases(entry.cases, cast("Mapping[str, object]", entry.selection), options)
        except EntryRefused:
            raise
        except TolmanError as error:
            raise EntryRefused(f"its {self.unit}s can't be made: {printable(str(error))[:200]}") from None
        for told, case in zip(entry.cases, cases, strict=True):
            if not self.is_told(told, case):
                raise EntryRefused(f"{self.unit} {told.id} is not the one that is made here from {_words(told)}")
        return cases

    def is_told(self, told: EntryCase, case: C) -> bool:
        """Whether a case is the one that an entry tells of."""
        return self.case_to_dict(case)["id"] == told.id and self._digest(case) == told.digest

    def _call_faults(self, told: EntryCase, case: C, options: O) -> Iterator[str]:
        asked = self.calls(case, options)
        for call in asked:
            if call not in told.replies:
                yield f"{call}: there is no reply"
        for call in told.replies:
            if call not in asked:
                yield f"{call}: a reply to a call that is never made"

    def _logged(self, told: EntryCase, case: C, options: O) -> LoggedCase[C, O, Any]:
        calls = [Call(name=name, reply=told.replies[name]) for name in self.calls(case, options)]
        return LoggedCase(case, options, self.record_class(calls=calls))

    def _apart(self, entry: RepliesEntry, options: O) -> str:
        shown = [name for name in recorded(options) if name not in {*self.asked, *self.unshown}]
        own, usual = ({name: recorded(of)[name] for name in shown} for of in (options, self.options_class()))
        return unusual_settings(
            {**own, **entry.selection, **entry.generation}, {**usual, **self.selection_defaults, "temperature": 0.0}
        )


def _words(told: EntryCase) -> str:
    return " ".join(f"{name} {value}" for name, value in told.made_from.items())[:100]
