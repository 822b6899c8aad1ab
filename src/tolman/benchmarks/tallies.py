"""Counts of identical values, and mean scores under both rule sets, by section and kind."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean

from tolman.benchmarks.compared import STATUSES, Compared, Status, Value
from tolman.rules import RuleSetName


@dataclass
class Count:
    """How many stored values came out the same, and what is to be said of the others."""

    by_status: Counter[Status] = field(default_factory=Counter[Status])

    def add(self, value: Compared) -> None:
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
class Scores:
    """Scores of one kind under both rule sets, and replies that could not be read."""

    values: dict[RuleSetName, list[float]] = field(default_factory=lambda: {"published": [], "strict": []})
    failures: dict[RuleSetName, int] = field(default_factory=lambda: {"published": 0, "strict": 0})

    def add(self, rules: RuleSetName, score: float | None, failures: int = 0) -> None:
        """Take in one score; None is not scored."""
        if score is not None:
            self.values[rules].append(score)
        self.failures[rules] += failures

    def mean(self, rules: RuleSetName) -> float | None:
        return fmean(self.values[rules]) if self.values[rules] else None


@dataclass
class Section:
    """Answers, maps, or whatever else was stored."""

    counts: dict[str, Count] = field(default_factory=dict[str, Count])
    scores: dict[str, Scores] = field(default_factory=dict[str, Scores])
    differences: list[Compared] = field(default_factory=list[Compared])
    """All values that are not identical."""

    def compare(self, value: Compared) -> None:
        self.counts.setdefault(value.metric, Count()).add(value)
        if value.status != "identical":
            self.differences.append(value)

    def score(self, kind: str, rules: RuleSetName, score: float | None, failures: int = 0) -> None:
        self.scores.setdefault(kind, Scores()).add(rules, score, failures)

    @property
    def all(self) -> Count:
        return Count(sum((count.by_status for count in self.counts.values()), Counter[Status]()))

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


def _difference(value: Compared) -> dict[str, object]:
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
