"""The table that is read first: one row a run, the rule sets side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.report.cells import Style, number, percent
from tolman.report.intervals import UNKNOWN
from tolman.report.site import Entry, Head, Row, Table
from tolman.report.site.from_sheet import cell
from tolman.report.theory_of_space.attribution import ALL
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN
from tolman.report.theory_of_space.site.attribution_bars import Attributed
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.measured_table import done
from tolman.rules import RuleSetName


@dataclass(frozen=True, slots=True)
class _Main:
    column: str
    head: Head
    rules: RuleSetName = "strict"
    style: Style = percent


_COLUMNS = (
    _Main("explore/cost", Head("cost", "Exploration"), style=number(1)),
    _Main(GAIN, Head("information gain", "Exploration")),
    _Main(ANSWERS, Head("strict", "Answers")),
    _Main(ANSWERS, Head("published", "Answers"), "published"),
    _Main(CORRECTNESS, Head("strict", "Last map")),
    _Main(CORRECTNESS, Head("published", "Last map"), "published"),
    _Main("revise/f1", Head("F1", "Changes found")),
)
_CEILING = 3
"""Where what could be had stands: after the strict answers."""


def headline_table(attributed: Attributed, runs: Sequence[Listed], notes: tuple[str, ...]) -> Table:
    """The main numbers of each run."""
    ceilings = {one.label: known.shares[ALL].ceiling for one, known in attributed}
    entries: list[Entry] = []
    for one in runs:
        measured = one.shown.figures.measured
        cells = [cell(main.style(measured[main.rules].interval(main.column))) for main in _COLUMNS]
        cells.insert(_CEILING, cell(percent(ceilings.get(one.label, UNKNOWN))))
        entries.append(Entry(one.name, (Row(tuple(cells)),), f"{one.where} · {done(one)}"))
    heads = [main.head for main in _COLUMNS]
    heads.insert(_CEILING, Head("could be had", "Answers"))
    return Table("headline", "Main results", "run", tuple(heads), tuple(entries), notes)
