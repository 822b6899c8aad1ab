"""Tables of a rescore: how many stored numbers are the same here, and the scores under both rule sets."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from tolman.benchmarks.tallies import Count, Scores, Section
from tolman.benchmarks.theory_of_space.rescore import Rescored

Sections = tuple[tuple[str, Section], ...]
"""Titles with what they stand over."""


def rescored_tables(outcome: Rescored) -> Iterator[Table | str]:
    """What to print, in order; fits a terminal of 80 columns."""
    sections = (
        ("Answers", outcome.answers),
        ("Maps", outcome.maps),
        ("Information gain", outcome.information_gain),
        ("Revision", outcome.revision),
    )
    yield identity_table(f"{outcome.runs} released runs, scored again: values identical to the stored ones", sections)
    yield from differences(sections)
    for title, section in (*sections, ("Answers by setting", outcome.settings)):
        if section.scores:
            yield _scores(title, section, "undefined" if section is outcome.revision else "unread")


def differences(sections: Sections) -> Iterator[str]:
    """The first few values of each section that came out otherwise, if any."""
    for title, section in sections:
        if section.differences:
            yield f"[bold]{title}: values that differ[/bold] (the first {len(section.differences)})"
        for value in section.differences:
            yield escape(f"  {value.metric}, {value.place}: ours {_shown(value.ours)}, stored {_shown(value.stored)}")


def identity_table(title: str, sections: Sections) -> Table:
    """How many stored values are the same here, by section and kind."""
    table = plain_table(title)
    for name in ("identical", "of", "can't be checked"):
        table.add_column(name, justify="right")
    for name, section in sections:
        _identity_row(table, f"[bold]{name}[/bold]", section.all)
        for kind, count in section.counts.items():
            _identity_row(table, f"  {escape(kind)}", count)
    return table


def _identity_row(table: Table, title: str, count: Count) -> None:
    mark = "" if count.identical == count.total else "[red]"
    table.add_row(title, f"{mark}{count.identical}", str(count.total), str(count.lost or ""))


def _scores(title: str, section: Section, missing: str) -> Table:
    table = plain_table(f"{title}: mean scores")
    for name in ("strict", "published", f"{missing}, strict", f"{missing}, publ."):
        table.add_column(name, justify="right")
    for kind, scores in section.scores.items():
        cells = (_mean(scores, "strict"), _mean(scores, "published"))
        table.add_row(escape(kind), *cells, str(scores.failures["strict"]), str(scores.failures["published"]))
    return table


def _mean(scores: Scores, rules: str) -> str:
    mean = scores.mean("strict" if rules == "strict" else "published")
    return "" if mean is None else f"{mean:.3f}"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def plain_table(title: str) -> Table:
    """A table without lines, with one column for what the rows are."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    return table
