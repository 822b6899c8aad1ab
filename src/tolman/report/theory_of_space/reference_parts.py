"""Reference rows as parts of a table, below the runs."""

from collections.abc import Callable, Iterator, Sequence

from tolman.report.intervals import Interval
from tolman.report.sheet import Cell, Entry, Part, Row
from tolman.report.theory_of_space.layout import Rules, Shown, part_title
from tolman.report.theory_of_space.reference_row import ReferenceRow

Cells = Callable[[Callable[[str], Interval]], tuple[Cell, ...]]
"""The cells of a row, from what gives the number of a column."""
_SAME, _OTHER = "For comparison, the same questions", "As published, of other scenes"


def reference_parts(
    references: Sequence[ReferenceRow], shown: Sequence[Shown], cells: Cells, rules: Rules
) -> Iterator[Part]:
    """Rows of the worlds and modes of the runs, those that know anything here; what is the same for several, once."""
    for title, same in ((_SAME, True), (_OTHER, False)):
        places: dict[tuple[Entry, ...], list[str]] = {}
        for place in dict.fromkeys(one.part for one in shown):
            rows = [row for row in references if row.same_scenes == same and _place(row) == place]
            if entries := tuple(_entries(rows, cells, rules)):
                places.setdefault(entries, []).append(place)
        for entries, found in places.items():
            yield Part(title if same and len(places) == 1 else f"{title}: {'; '.join(found)}", entries, quiet=True)


def reference_notes(references: Sequence[ReferenceRow]) -> Iterator[str]:
    """What the rows are, for below a table."""
    if any(row.same_scenes for row in references):
        yield "chance: all valid answers alike; constant: one answer a kind; blind: a guess from names and format"
    if any(not row.same_scenes for row in references):
        yield "as published: means of the paper's tables, which give no intervals"


def _place(row: ReferenceRow) -> str:
    return part_title(row.setting.world, row.setting.mode)


def _entries(references: Sequence[ReferenceRow], cells: Cells, rules: Rules) -> Iterator[Entry]:
    named: dict[str, dict[str, ReferenceRow]] = {}
    for row in references:
        named.setdefault(_title(row), {})[row.rules] = row
    for title, by_rules in named.items():
        rows = tuple(Row(name, cells(by_rules[name].interval)) for name in rules if name in by_rules)
        if any(row.known for row in rows):
            yield Entry(title, rows)


def _title(row: ReferenceRow) -> str:
    explorer = f", {row.setting.explorer}'s log" if row.setting.explorer else ""
    scenes = f" · {row.scenes} scene{'s' * (row.scenes != 1)}" if row.scenes else ""
    return f"{row.name}{explorer}{scenes}"
