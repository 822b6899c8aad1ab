"""Tables and numbers as text for other programs: CSV, Markdown, LaTeX, JSON."""

import csv
import html
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, cast

from tolman.report.table.value import Cell, Column, Row, RowGroup, Table, interval_as_dict


def finite(value: object) -> object:
    """The same value with None for every NaN and infinity, at any depth."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in cast("list[object]", value)]
    return value


def json_text(value: object, indent: int | None = None) -> str:
    """Standard JSON: no NaN, no infinity, and non-ASCII characters as they are."""
    signs = None if indent else (",", ":")
    return json.dumps(finite(value), indent=indent, separators=signs, ensure_ascii=False, allow_nan=False)


TableFormat = Literal["csv", "latex", "markdown", "json"]
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "↔": r"$\leftrightarrow$",
    "≥": r"$\geq$",
    "·": r"$\cdot$",
    "†": r"$\dagger$",
    "°": r"$^\circ$",
}
_LATEX_SIGN = re.compile("|".join(map(re.escape, _LATEX)))


def formatted(tables: Sequence[Table], form: TableFormat) -> str:
    """Some tables in one text. CSV has a line `# title` above each table, JSON is one list."""
    if form == "json":
        return json.dumps([as_values(table) for table in tables], indent=2, ensure_ascii=False) + "\n"
    made: dict[str, Callable[[Table], str]] = {"csv": as_csv, "latex": as_latex, "markdown": as_markdown}
    return "\n".join(made[form](table) for table in tables)


def _rows(table: Table) -> Iterator[tuple[RowGroup, Row]]:
    return ((entry, row) for entry in table.entries for row in entry.merged())


def _labelled(table: Table) -> bool:
    return any(row.label for _, row in _rows(table))


# ---- JSON and CSV: numbers before rounding, each with its interval ----


def as_values(table: Table) -> dict[str, object]:
    """Columns with their definitions, and a row for each entry and rule set; cells by key of their column."""
    return {
        "name": table.name,
        "title": table.title,
        "columns": [
            {
                "key": column.key,
                "title": column.title,
                "group": column.group,
                "better": column.better or None,
                "definition": column.definition,
                **({"unit": column.unit} if column.unit else {}),
            }
            for column in table.columns
        ],
        "rows": [
            {
                table.first: entry.name,
                "about": entry.below,
                "section": entry.section,
                "reference": entry.reference,
                table.labels: row.label,
                "cells": {
                    column.key: _cell_values(cell) for column, cell in zip(table.columns, row.cells, strict=True)
                },
            }
            for entry in table.entries
            for row in entry.rows
        ],
        "notes": list(table.notes),
    }


def _cell_values(cell: Cell) -> dict[str, object] | str | None:
    if cell.value is None:
        return cell.text if cell.known else None
    return interval_as_dict(cell.value)


def as_csv(table: Table) -> str:
    """One line for each entry and rule set; a column with intervals is followed by their ends."""
    out = io.StringIO()
    out.write(f"# {' '.join(table.title.split())}\n")
    writer = csv.writer(out, lineterminator="\n")
    ranged = _ranged(table)
    heads = (name for column, ends in zip(table.columns, ranged, strict=True) for name in _heads(column.key, ends))
    writer.writerow(["section", table.first, "about", table.labels, *heads])
    for entry in table.entries:
        for row in entry.rows:
            flat = (_flat("", cell, ends).values() for cell, ends in zip(row.cells, ranged, strict=True))
            cells = (f"{value:.6g}" if isinstance(value, int | float) else value for values in flat for value in values)
            writer.writerow([entry.section, entry.name, entry.below, row.label, *cells])
    return out.getvalue()


def table_rows(table: Table) -> list[dict[str, object]]:
    """One flat row for each entry and rule set: numbers before rounding by key of their column, None where unknown.

    A column with intervals is followed by `KEY low` and `KEY high`.
    """
    ranged = _ranged(table)
    found: list[dict[str, object]] = []
    for entry in table.entries:
        for row in entry.rows:
            flat: dict[str, object] = {table.first: entry.name, "section": entry.section, "reference": entry.reference}
            flat[table.labels] = row.label
            for column, cell, ends in zip(table.columns, row.cells, ranged, strict=True):
                flat |= _flat(column.key, cell, ends)
            found.append(flat)
    return found


def _ranged(table: Table) -> list[bool]:
    """For each column, whether any of its numbers has an interval."""
    values = [[row.cells[i].value for entry in table.entries for row in entry.rows] for i in range(len(table.columns))]
    return [any(value is not None and not math.isnan(value.low) for value in column) for column in values]


def _heads(key: str, ends: bool) -> tuple[str, ...]:
    return (key, f"{key} low", f"{key} high") if ends else (key,)


def _flat(key: str, cell: Cell, ends: bool) -> dict[str, object]:
    names = _heads(key, ends)
    if cell.value is None:
        return {**dict.fromkeys(names), key: cell.text if cell.known else None}
    numbers = (cell.value.mean, cell.value.low, cell.value.high)
    return {name: finite(value) for name, value in zip(names, numbers, strict=False)}


# ---- Markdown and LaTeX: as printed ----


def as_markdown(table: Table) -> str:
    """A pipe table, intervals in brackets, with its notes below."""
    labelled = _labelled(table)
    heads = [table.first, *[table.labels] * labelled, *(_full_title(column) for column in table.columns)]
    lines = [f"**{_pipe(table.title)}**", "", _pipes(heads), _pipes(["---"] * len(heads))]
    lines += [
        _pipes([_markdown_name(entry), *[row.label] * labelled, *map(_with_interval, row.cells)])
        for entry, row in _rows(table)
    ]
    notes = [f"\n{_pipe(note)}" for note in table.notes]
    return "\n".join([*lines, *notes]) + "\n"


def _full_title(column: Column) -> str:
    return f"{column.group}: {column.title}" if column.group else column.title


def _markdown_name(entry: RowGroup) -> str:
    return _titled(entry, entry.below if entry.apart else entry.small)


def _titled(entry: RowGroup, small: str) -> str:
    return f"{entry.name} ({small})" if small else entry.name


def _with_interval(cell: Cell) -> str:
    return f"{cell.text} ({cell.below})" if cell.below else cell.text


def _pipes(texts: Sequence[str]) -> str:
    return "| " + " | ".join(map(_pipe, texts)) + " |"


def _pipe(text: str) -> str:
    """Text of a cell, escaped so that nothing is read as a border, a tag or emphasis."""
    flat = " ".join(text.split())
    return re.sub(r"([\\|<>*_`\[\]])", r"\\\1", flat)


def as_latex(table: Table) -> str:
    """A `table` with `booktabs` rules; intervals follow the numbers in small print."""
    labelled = _labelled(table)
    names = "l" * (1 + labelled)
    lines = [
        r"\begin{table}",
        rf"\caption{{{_tex(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{names}{''.join('l' if column.words else 'r' for column in table.columns)}}}",
        r"\toprule",
        *_latex_groups(table, len(names)),
        _latex_line([table.first, *[table.labels] * labelled, *(column.title for column in table.columns)]),
        r"\midrule",
    ]
    width = len(names) + len(table.columns)
    sections = groupby(_rows(table), key=lambda pair: (pair[0].section, pair[0].reference))
    for number, ((section, _), found) in enumerate(sections):
        lines += [r"\midrule"] * (number > 0)
        lines += [rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_tex(section)}}}}} \\"] * bool(section)
        for entry, row in found:
            cells = [_tex(cell.text) + rf" {{\scriptsize {_tex(cell.below)}}}" * bool(cell.below) for cell in row.cells]
            lines.append(
                " & ".join([_tex(_titled(entry, entry.below)), *[_tex(row.label)] * labelled, *cells]) + r" \\"
            )
    lines += [r"\bottomrule", r"\end{tabular}", *(rf"\par {{\footnotesize {_tex(note)}}}" for note in table.notes)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _latex_groups(table: Table, names: int) -> Iterator[str]:
    if not table.groups:
        return
    spans = [rf"\multicolumn{{{count}}}{{c}}{{{_tex(title)}}}" for title, count in table.groups]
    yield " & " * names + " & ".join(spans) + r" \\"
    start = names + 1
    for title, count in table.groups:
        if title:
            yield rf"\cmidrule(lr){{{start}-{start + count - 1}}}"
        start += count


def as_html(table: Table) -> str:
    """A plain `table` element for notebooks: intervals in small print, definitions as tooltips, notes below.

    Every text is escaped.
    """
    labelled, said = _labelled(table), html.escape
    head = [f"<th>{said(table.first)}</th>", *[f"<th>{said(table.labels)}</th>"] * labelled]
    head += [f'<th title="{said(column.definition)}">{said(_full_title(column))}</th>' for column in table.columns]
    lines = [
        "<table>",
        f"<caption>{said(table.title)}</caption>",
        f"<thead><tr>{''.join(head)}</tr></thead>",
        "<tbody>",
    ]
    for entry, row in _rows(table):
        names = [f"<th>{said(entry.name)}{_html_small(entry.below)}</th>", *[f"<td>{said(row.label)}</td>"] * labelled]
        cells = [f"<td>{said(cell.text)}{_html_small(cell.below)}</td>" for cell in row.cells]
        lines.append(f"<tr>{''.join(names + cells)}</tr>")
    notes = [f"<p><small>{said(note)}</small></p>" for note in table.notes]
    return "\n".join([*lines, "</tbody>", "</table>", *notes]) + "\n"


def _html_small(text: str) -> str:
    return f"<br><small>{html.escape(text)}</small>" if text else ""


def _latex_line(texts: Sequence[str]) -> str:
    return " & ".join(map(_tex, texts)) + r" \\"


def _tex(text: str) -> str:
    return _LATEX_SIGN.sub(lambda found: _LATEX[found[0]], " ".join(text.split()))
