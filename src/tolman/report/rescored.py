"""Stored values of released data against recomputed ones: how many are identical, means under both rule sets, and
their tables.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Literal, get_args

from rich.text import Text

from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.harness.names import printable
from tolman.report.table import Better, Cell, Column, Table, integer, number, one_row, point_estimate

Value = float | str | frozenset[str] | tuple[float | None, ...] | None
Status = Literal["identical", "explained", "can't be checked", "different"]
STATUSES: tuple[Status, ...] = get_args(Status)
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a stored value rightly differs from ours, or why it can't be checked; `test` names what shows this."""

    name: str
    why: str
    test: str


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One value as the authors stored it, and as it is computed here."""

    metric: str
    place: str
    """Where in the run: a turn, a thing, the mean."""
    ours: Value
    stored: Value
    explained: Reason | None = None
    """A cause of the difference that reproduces the stored value to the digit."""
    uncheckable: Reason | None = None
    """Why the released files no longer hold what the value was computed from."""
    run: str = ""
    turn: int | None = None
    """Number of the reply that it is about, from 1 in each phase."""

    @property
    def identical(self) -> bool:
        """Equal to within 1e-9."""
        ours, stored = _numbers(self.ours), _numbers(self.stored)
        if ours is None or stored is None:
            return self.ours == self.stored
        return len(ours) == len(stored) and all(map(_close, ours, stored))

    @property
    def status(self) -> Status:
        if self.uncheckable is not None:
            return "can't be checked"
        if self.identical:
            return "identical"
        return "different" if self.explained is None else "explained"

    @property
    def reason(self) -> Reason | None:
        """The reason for a status that has one."""
        return self.uncheckable or (None if self.identical else self.explained)

    @property
    def gap(self) -> float:
        """The largest difference between two numbers of the value; 1 where one side has no number."""
        ours, stored = _numbers(self.ours), _numbers(self.stored)
        if ours is None or stored is None or len(ours) != len(stored):
            return 0.0 if self.identical else 1.0
        return max(map(_gap, ours, stored), default=0.0)


def _numbers(value: Value) -> tuple[float | None, ...] | None:
    if isinstance(value, int | float):
        return (value,)
    return value if isinstance(value, tuple) else None


def _gap(a: float | None, b: float | None) -> float:
    return float(a is not b) if a is None or b is None else abs(a - b)


def _close(a: float | None, b: float | None) -> bool:
    return a is b is None or (a is not None and b is not None and abs(a - b) <= TOLERANCE)


@dataclass
class StatusCount:
    """The number of stored values by status."""

    by_status: Counter[Status] = field(default_factory=Counter[Status])

    def add(self, value: ComparedValue) -> None:
        self.by_status[value.status] += 1

    @property
    def identical(self) -> int:
        return self.by_status["identical"]

    @property
    def different(self) -> int:
        return self.by_status["different"]

    @property
    def total(self) -> int:
        return self.by_status.total()

    def as_dict(self) -> dict[str, int]:
        """Plain values, ready for JSON."""
        return {**{status: self.by_status[status] for status in STATUSES}, "total": self.total}


@dataclass
class BothScores:
    """Scores of one kind under both rule sets, and the number of unparseable replies."""

    values: dict[RuleSetName, list[float]] = field(default_factory=lambda: {"published": [], "strict": []})
    failures: dict[RuleSetName, int] = field(default_factory=lambda: {"published": 0, "strict": 0})

    def add(self, rules: RuleSetName, score: float | None, failures: int = 0) -> None:
        """Add one score; None is not scored."""
        if score is not None:
            self.values[rules].append(score)
        self.failures[rules] += failures

    def mean(self, rules: RuleSetName) -> float | None:
        return fmean(self.values[rules]) if self.values[rules] else None


@dataclass
class RescoredSection:
    """Comparisons and scores of one kind of stored data: answers, maps and others."""

    counts: dict[str, StatusCount] = field(default_factory=dict[str, StatusCount])
    scores: dict[str, BothScores] = field(default_factory=dict[str, BothScores])
    differences: list[ComparedValue] = field(default_factory=list[ComparedValue])
    """All values that are not identical."""

    def compare(self, value: ComparedValue) -> None:
        self.counts.setdefault(value.metric, StatusCount()).add(value)
        if value.status != "identical":
            self.differences.append(value)

    def score(self, kind: str, rules: RuleSetName, score: float | None, failures: int = 0) -> None:
        self.scores.setdefault(kind, BothScores()).add(rules, score, failures)

    @property
    def all(self) -> StatusCount:
        return StatusCount(sum((count.by_status for count in self.counts.values()), Counter[Status]()))

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            **self.all.as_dict(),
            "by_kind": {kind: count.as_dict() for kind, count in self.counts.items()},
            "scores": {
                kind: {**{rules: scores.mean(rules) for rules in scores.values}, "format_failures": scores.failures}
                for kind, scores in self.scores.items()
            },
            "differences": [_difference(value) for value in self.differences],
        }


def _difference(value: ComparedValue) -> dict[str, object]:
    reason = value.reason
    return {
        "status": value.status,
        "run": value.run,
        "turn": value.turn,
        "metric": value.metric,
        "place": value.place,
        "ours": _plain(value.ours),
        "stored": _plain(value.stored),
        **({} if reason is None else {"reason": reason.name, "shown_by": reason.test}),
    }


def _plain(value: Value) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


_WORST, _RUNS = 5, 4
Sections = tuple[tuple[str, RescoredSection], ...]
"""Sections by title."""
_VALUES = Column("values", "values", definition="Values that the released files hold.")
_STATUSES: tuple[tuple[Status, str, Better, str], ...] = (
    ("identical", "identi-\ncal", "higher", "Computed here as stored, to within 1e-9."),
    (
        "explained",
        "ex-\nplained",
        "",
        "Computed differently here, for a named reason that reproduces the stored value to the digit.",
    ),
    (
        "can't be checked",
        "can't be\nchecked",
        "",
        "The released files no longer hold what the value was computed from.",
    ),
    ("different", "differ-\nent", "lower", "Computed differently here, without an explanation."),
)
"""With a narrow title, which way is better, and what it means."""
_STATUS_COLUMNS: dict[Status, Column] = {
    status: Column(status, status, "of which", short, better=better, definition=definition)
    for status, short, better, definition in _STATUSES
}


def differences(sections: Sections) -> Iterator[Text]:
    """Why values differ, and where they differ most; `--json` writes all of them."""
    reasons = Counter((value.status, value.reason) for _, section in sections for value in section.differences)
    for (status, reason), count in reasons.items():
        if reason is not None:
            told = f"{reason.name} ({reason.why}; shown by {reason.test})"
            yield Text(f"{count} {'are ' if status == 'explained' else ''}{status}: {told}")
    for title, section in sections:
        for status in ("different", "explained"):
            worst = sorted((v for v in section.differences if v.status == status), key=lambda v: -v.gap)
            if worst:
                runs = Counter(value.run for value in worst).most_common()
                where = ", ".join(f"{run} ({count})" for run, count in runs[:_RUNS]) + (" ..." if runs[_RUNS:] else "")
                style = "bold red" if status == "different" else "bold"
                more = printable(f", most in {where}; the worst:")
                yield Text.assemble((f"{title}: {len(worst)} {status}", style), more)
                yield from (Text(printable(f"  {_line(value)}")) for value in worst[:_WORST])


def _line(value: ComparedValue) -> str:
    place = f"{value.run}, {value.metric}, {value.place}".removeprefix(", ")
    return f"{place}: ours {_value_text(value.ours)}, stored {_value_text(value.stored)}"


def _value_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_value_text, value)) + ")"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def identity_table(title: str, sections: Sections) -> Table:
    """The number of stored values by status, for each section and kind."""
    entries = tuple(
        one_row(printable(kind), _identity_cells(count), section=name)
        for name, section in sections
        for kind, count in (("all", section.all), *section.counts.items())
    )
    return Table("identity", title, "value", (_VALUES, *_STATUS_COLUMNS.values()), entries, compact=True)


def _identity_cells(count: StatusCount) -> tuple[Cell, ...]:
    counts = {status: _count(count.by_status[status]) for status in _STATUS_COLUMNS}
    counts["different"] = replace(counts["different"], tone="bad")
    return integer(count.total), *counts.values()


def _count(value: int) -> Cell:
    """A count; blank for 0, so that others stand out."""
    return integer(value) if value else replace(integer(value), text="")


_SCORED_BY = {"strict": "corrected scoring", "published": "the scoring of the authors' released code"}
Missing = Literal["unparseable", "undefined"]
_MISSING_MEANS: dict[Missing, str] = {
    "unparseable": "Replies that could not be parsed",
    "undefined": "Values that are not defined, as there was nothing to compare, and are not in the mean,",
}
SectionAndName = Callable[[str], tuple[str, str]]
"""Splits a kind into the section of the table that it is in, and its name there."""


def mean_scores_table(
    title: str,
    section: RescoredSection,
    missing: Missing,
    first: str = "kind",
    split: SectionAndName = lambda kind: ("", kind),
) -> Table:
    """Mean scores under both rule sets by kind, and how many replies or values are `missing`."""
    entries = tuple(
        one_row(printable(name), _mean_cells(scores), section=printable(part))
        for kind, scores in section.scores.items()
        for part, name in (split(kind),)
    )
    columns = (*map(_mean_column, RULE_SETS), *(_missing_column(rules, missing) for rules in RULE_SETS))
    name = f"scores-{title.lower().replace(' ', '-')}"
    return Table(name, f"{title}: mean scores", first, columns, entries, compact=True)


def _mean_column(rules: RuleSetName) -> Column:
    definition = f"Mean over all of a kind under {_SCORED_BY[rules]}: from 0 to 1, costs in actions."
    return Column(f"mean/{rules}", rules, "mean score", style=number(3), definition=definition)


def _missing_column(rules: RuleSetName, missing: Missing) -> Column:
    definition = f"{_MISSING_MEANS[missing]} under {_SCORED_BY[rules]}."
    return Column(f"{missing}/{rules}", rules, missing, style=number(0), better="lower", definition=definition)


def _mean_cells(scores: BothScores) -> tuple[Cell, ...]:
    means = (number(3)(point_estimate(scores.mean(rules))) for rules in RULE_SETS)
    return *means, *(integer(scores.failures[rules]) for rules in RULE_SETS)
