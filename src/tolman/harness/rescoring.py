"""Stored values of released data against recomputed ones: how many are identical, and means under both rule sets."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal

from tolman.core.rules import RuleSetName

Value = float | str | frozenset[str] | tuple[float | None, ...] | None
Status = Literal["identical", "explained", "can't be checked", "different"]
STATUSES: tuple[Status, ...] = ("identical", "explained", "can't be checked", "different")
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
                kind: {
                    "published": scores.mean("published"),
                    "strict": scores.mean("strict"),
                    "format_failures": scores.failures,
                }
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
