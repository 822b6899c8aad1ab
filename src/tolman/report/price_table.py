"""The table of what runs took, the same for every benchmark."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tolman.report.price import Amount, Price
from tolman.report.table import Cell, Column, Entry, Row, Table, amount, heading, number

_NOTE = "Of finished {units}; replies from a cache count as if asked for anew. ≥: some prices are unknown"


@dataclass(frozen=True, slots=True)
class Paid:
    """A run and what it took."""

    name: str
    price: Price
    below: str = ""
    section: str = ""


def price_tables(
    runs: Iterable[Paid], first: str = "run", unit: str = "scene", *, thousands: bool = True, digits: int = 3
) -> Iterator[Table]:
    """Tokens, in thousands or not, and US dollars, per scene or other unit and in total; none where all is unknown."""
    scale = 1000 if thousands else 1
    entries = (
        Entry(one.name, (Row(_cells(one.price, scale, digits)),), one.below, section=one.section) for one in runs
    )
    known = tuple(entry for entry in entries if entry.known)
    if known:
        yield Table("price", "Price", first, _columns(unit, thousands), known, (_NOTE.format(units=f"{unit}s"),))


def _columns(unit: str, thousands: bool) -> tuple[Column, ...]:
    groups = ("Thousand input tokens", "Thousand output tokens") if thousands else ("Input tokens", "Output tokens")
    return tuple(heading(title, group) for group in (*groups, "US dollars") for title in (f"per {unit}", "total"))


def _cells(price: Price, scale: int, digits: int) -> tuple[Cell, ...]:
    least = "" if price.priced or price.dollars.total is None else "≥ "
    dollars = number(digits)(price.dollars.scene), amount(price.dollars.total, ".2f")
    paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
    return (*_tokens(price.input_tokens, scale), *_tokens(price.output_tokens, scale), *paid)


def _tokens(taken: Amount, scale: int) -> tuple[Cell, Cell]:
    total = None if taken.total is None else taken.total / scale
    places = 1 if scale > 1 else 0
    return number(places, 1 / scale)(taken.scene), amount(total, f",.{places}f")
