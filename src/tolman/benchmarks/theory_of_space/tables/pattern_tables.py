"""Tables of exploration patterns: how runs, and the scripted explorers whose logs they read, look around."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.theory_of_space.exploration_patterns import OMISSION_COLUMNS, PATTERN_COLUMNS
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, explorers_of, run_table
from tolman.report.table import Column, Row, Table

_PATTERNS = (
    "Shares of looks (observations) or rooms, mean over scenes; --explain defines each column",
    "directions: different ones per stop, of four. left early: a room first left with something in it unseen",
)
_OMISSIONS = ("At the end of the exploration. The first two add up to 100 less node coverage",)


def pattern_tables(runs: Sequence[NamedRun]) -> Iterator[Table]:
    """Exploration patterns, and what was omitted."""
    explorers = explorers_of(runs)
    yield from _table("patterns", "Exploration patterns, %", PATTERN_COLUMNS, explorers, _PATTERNS)
    yield from _table("omissions", "Omissions by kind, %", OMISSION_COLUMNS, explorers, _OMISSIONS)


def _table(
    name: str, title: str, columns: Sequence[Column], runs: Sequence[NamedRun], notes: tuple[str, ...]
) -> Iterator[Table]:
    def rows(named: NamedRun) -> tuple[Row, ...]:
        measured = named.summary.measured["strict"]
        return (Row(tuple(column.style(measured.interval(column.key)) for column in columns)),)

    yield from run_table(name, title, columns, runs, rows, notes)
