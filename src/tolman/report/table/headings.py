"""Headings and columns whose titles and meanings are in TOML files beside the code that fills them."""

from functools import cache
from typing import Any

from tolman.core.files import packaged_table
from tolman.report.table.value import Column, number, percent, points

_STYLES = {"percent": percent, "points": points}


@cache
def read_columns(package: str) -> dict[str, tuple[Column, ...]]:
    """The columns in a package's `columns.toml`, by the name under which they are listed there."""
    return {name: tuple(map(_column, listed)) for name, listed in packaged_table(package, "columns.toml").items()}


def _column(fields: dict[str, Any]) -> Column:
    given = {name: value for name, value in fields.items() if name not in ("digits", "style")}
    style = number(fields["digits"]) if "digits" in fields else _STYLES[fields.get("style", "percent")]
    return Column(**given, style=style)


@cache
def _definitions() -> dict[str, str]:
    """What titles mean, by title or by group and title."""
    return packaged_table("tolman.report.table", "headings.toml")


def heading(title: str, group: str = "", *, words: bool = False, definition: str = "") -> Column:
    """A column that holds no score, named by its titles; a title may be broken into lines to be narrow.

    Without a definition it has that of its titles, where there is one.
    """
    whole = title.replace("-\n", "").replace("\n", " ")
    key = f"{group}/{whole}" if group else whole
    meanings = _definitions()
    known = meanings.get(key, meanings.get(whole, "After this many turns." if whole.isdecimal() else ""))
    return Column(key, whole, group, title * ("\n" in title), definition=definition or known, words=words)
