"""Counts of identical values, and mean scores under both rule sets, by section and kind."""

from dataclasses import dataclass, field
from statistics import fmean

from tolman.benchmarks.compared import Compared
from tolman.rules import RuleSetName

_SHOWN = 20


@dataclass
class Count:
    """How many stored values came out the same. `lost` ones could not be checked and are in neither number."""

    identical: int = 0
    total: int = 0
    lost: int = 0

    def add(self, value: Compared) -> None:
        if value.lost:
            self.lost += 1
        else:
            self.total += 1
            self.identical += value.identical


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
    """The first few values that came out otherwise."""

    def compare(self, value: Compared) -> None:
        self.counts.setdefault(value.metric, Count()).add(value)
        if not value.lost and not value.identical and len(self.differences) < _SHOWN:
            self.differences.append(value)

    def score(self, kind: str, rules: RuleSetName, score: float | None, failures: int = 0) -> None:
        self.scores.setdefault(kind, Scores()).add(rules, score, failures)

    @property
    def all(self) -> Count:
        counts = self.counts.values()
        return Count(*(sum(getattr(c, part) for c in counts) for part in ("identical", "total", "lost")))

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        whole = self.all
        return {
            "identical": whole.identical,
            "total": whole.total,
            "lost": whole.lost,
            "by_kind": {kind: vars(count) for kind, count in self.counts.items()},
            "scores": {
                kind: {
                    "published": scores.mean("published"),
                    "strict": scores.mean("strict"),
                    "format_failures": scores.failures,
                }
                for kind, scores in self.scores.items()
            },
            "differences": [f"{d.metric}, {d.place}: ours {d.ours}, stored {d.stored}" for d in self.differences],
        }
