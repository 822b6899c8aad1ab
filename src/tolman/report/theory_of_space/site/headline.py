"""The table that is read first: one row a run, the rule sets side by side."""

from collections.abc import Sequence
from dataclasses import replace

from tolman.report.intervals import UNKNOWN
from tolman.report.table import Column, Entry, Row, Table, percent
from tolman.report.theory_of_space.attribution import ALL
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS
from tolman.report.theory_of_space.score_columns import COST, FOUND, GAIN
from tolman.report.theory_of_space.site.attribution_bars import Attributed
from tolman.report.theory_of_space.site.listed import Listed
from tolman.rules import RuleSetName

_COLUMNS: tuple[tuple[Column, RuleSetName], ...] = (
    (COST, "strict"),
    (GAIN, "strict"),
    (Column(ANSWERS, "strict", "Answers"), "strict"),
    (Column(ANSWERS, "published", "Answers"), "published"),
    (Column(CORRECTNESS, "strict", "Last map"), "strict"),
    (Column(CORRECTNESS, "published", "Last map"), "published"),
    (replace(FOUND, title="F1", group="Changes found"), "strict"),
)
_CEILING = 3
"""Where the ceiling stands: after the strict answers."""
_CEILING_COLUMN = Column(
    "ceiling",
    "ceiling",
    "Answers",
    definition="Strict score to expect of the best answers that what was seen allows (ideal observer).",
)


def headline_table(attributed: Attributed, runs: Sequence[Listed], notes: tuple[str, ...]) -> Table:
    """The main numbers of each run."""
    ceilings = {one.label: known.shares[ALL].ceiling for one, known in attributed}
    entries: list[Entry] = []
    for one in runs:
        measured = one.shown.figures.measured
        cells = [column.style(measured[rules].interval(column.key)) for column, rules in _COLUMNS]
        cells.insert(_CEILING, percent(ceilings.get(one.label, UNKNOWN)))
        entries.append(Entry(one.name, (Row(tuple(cells)),), one.shown.done, section=one.shown.part, where=one.where))
    columns = [column for column, _ in _COLUMNS]
    columns.insert(_CEILING, _CEILING_COLUMN)
    return Table("headline", "Main results", "run", tuple(columns), tuple(entries), notes)
