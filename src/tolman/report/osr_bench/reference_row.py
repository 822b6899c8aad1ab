"""A row to compare with: what a guess is worth on the same questions, or what the paper reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.intervals import UNKNOWN, Interval
from tolman.rules import RuleSetName


@dataclass(frozen=True)
class ReferenceRow:
    """Numbers of someone else under one rule set."""

    name: str
    source: str
    """Where the numbers come from, in words."""
    asked: AskedSet
    think: bool | None
    """Whether thoughts were asked for; None where that makes no difference."""
    values: Mapping[str, Interval]
    """By `MODE/KIND` for answers with a map in hand, and by column for maps; the ends are NaN without an interval."""
    rules: RuleSetName
    scenes: int | None = None
    """Of how many scenes they are, where that is known."""
    same_scenes: bool = False
    """Whether these are the scenes and questions of the runs it is shown with."""
    notes: tuple[str, ...] = field(default=())
    """What is inferred, or may not be comparable."""

    def interval(self, column: str) -> Interval:
        return self.values.get(column, UNKNOWN)
