"""Whom to thank: author and licence of every model that pictures may show."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Credit:
    """One model: what it stands for, its own name, who made it, and on what terms."""

    kind: str
    model: str
    author: str
    licence: str
    link: str = ""


def credit_lines(rows: Iterable[Credit]) -> list[str]:
    """Credits as lines of plain text, one a model, by author: fit for the end of a paper or a page."""
    ordered = sorted(set(rows), key=lambda credit: (credit.author.lower(), credit.model, credit.kind))
    return [
        f"{row.model} ({row.kind}) by {row.author}, {row.licence}{', ' * bool(row.link)}{row.link}" for row in ordered
    ]
