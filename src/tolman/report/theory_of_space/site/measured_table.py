"""Tables of scores: a run's strict numbers, its published ones below where they differ, and rows to compare with."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tolman.report.sheet import MISSING
from tolman.report.site.from_sheet import cell, merged
from tolman.report.site.table import Cell, Entry, Row, Table
from tolman.report.theory_of_space.figures import RULES
from tolman.report.theory_of_space.reference_row import ReferenceRow
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.measures import Measure


def measured_table(
    name: str,
    title: str,
    measures: Sequence[Measure],
    runs: Iterable[Listed],
    references: Iterable[ReferenceRow] = (),
    notes: tuple[str, ...] = (),
) -> Table:
    """Runs and references of which anything is known in these columns; columns that nobody has are left out."""
    entries = [*(_run(one, measures) for one in runs), *_references(references, measures)]
    kept = [entry for entry in entries if any(map(_known, _cells(entry)))]
    columns = [i for i in range(len(measures)) if any(_known(row.cells[i]) for e in kept for row in e.rows)]
    heads = tuple(measures[i].head for i in columns)
    return Table(name, title, "run", heads, tuple(_only(entry, columns) for entry in kept), notes)


def _run(one: Listed, measures: Sequence[Measure]) -> Entry:
    rows = [
        Row(tuple(cell(m.style(one.shown.figures.measured[rules].interval(m.column))) for m in measures), rules)
        for rules in RULES
    ]
    return Entry(one.name, merged(rows), f"{one.where} · {done(one)}")


def _references(rows: Iterable[ReferenceRow], measures: Sequence[Measure]) -> Iterator[Entry]:
    """Rows of one name and setting stand together, strict first; what is the same in several settings stands once."""
    places: dict[tuple[str, tuple[Row, ...], str], list[str]] = {}
    for _, found in groupby(rows, key=lambda row: (row.name, row.setting)):
        same = sorted(found, key=lambda row: RULES.index(row.rules))
        shown = [Row(tuple(cell(m.style(row.interval(m.column))) for m in measures), row.rules) for row in same]
        whose = "these scenes" if same[0].same_scenes else "paper"
        places.setdefault((same[0].name, merged(shown), whose), []).append(_setting(same[0]))
    for (name, found_rows, whose), settings in places.items():
        yield Entry(name, found_rows, f"{'; '.join(settings)} · {whose}", reference=True)


def _setting(row: ReferenceRow) -> str:
    setting = row.setting
    read = f", {setting.explorer}'s log" if setting.explorer else ""
    return f"{setting.world}, {setting.mode}{read}"


def done(one: Listed) -> str:
    """How many scenes there are of a run."""
    finished, planned = len(one.run.cases), one.run.planned
    count = f"{finished}" if finished == planned else f"{finished} of {planned}"
    return f"{count} scene{'s' * (planned != 1)}"


def _known(shown: Cell) -> bool:
    return shown.text not in (MISSING, "")


def _cells(entry: Entry) -> Iterable[Cell]:
    return (each for row in entry.rows for each in row.cells)


def _only(entry: Entry, columns: Sequence[int]) -> Entry:
    rows = tuple(Row(tuple(row.cells[i] for i in columns), row.rules) for row in entry.rows)
    return Entry(entry.name, rows, entry.below, entry.href, entry.reference)
