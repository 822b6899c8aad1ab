"""Tables: one value, from which terminal, pages, CSV, LaTeX, Markdown and JSON are made."""

from tolman.report.table.cells import (
    MISSING,
    UNKNOWN,
    Cell,
    Interval,
    Style,
    Tone,
    amount,
    integer,
    interval_as_dict,
    known_or_none,
    number,
    p_value,
    percent,
    point_estimate,
    points,
    share,
)
from tolman.report.table.formats import TableFormat, formatted
from tolman.report.table.terminal import Printed, print_parts
from tolman.report.table.value import BOTH, Better, Column, Row, RowGroup, Table, heading, one_row

__all__ = [
    "BOTH",
    "MISSING",
    "UNKNOWN",
    "Better",
    "Cell",
    "Column",
    "Interval",
    "Printed",
    "Row",
    "RowGroup",
    "Style",
    "Table",
    "TableFormat",
    "Tone",
    "amount",
    "formatted",
    "heading",
    "integer",
    "interval_as_dict",
    "known_or_none",
    "number",
    "one_row",
    "p_value",
    "percent",
    "point_estimate",
    "points",
    "print_parts",
    "share",
]
