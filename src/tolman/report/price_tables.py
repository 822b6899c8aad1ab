"""What runs cost: tokens, replies and US dollars per scene and in total."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tolman.harness.calls import Call
from tolman.report.statistics import UNKNOWN, Interval, joined_by_scene, pooled_interval
from tolman.report.table import Cell, Column, Table, amount, heading, interval_as_dict, number, one_row


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount per scene and in total; None where it is not known."""

    scene: Interval = UNKNOWN
    total: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {"scene": interval_as_dict(self.scene), "total": self.total}


@dataclass(frozen=True, slots=True)
class RunPrice:
    """Tokens and price of the finished scenes. A cached reply counts like a new one."""

    input_tokens: Amount
    output_tokens: Amount
    """Reasoning included."""
    dollars: Amount
    priced: bool
    """Whether the price of every reply is known; if not, `dollars` is a lower bound."""

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "input_tokens": self.input_tokens.as_dict(),
            "output_tokens": self.output_tokens.as_dict(),
            "dollars": {**self.dollars.as_dict(), "complete": self.priced},
        }


def price(calls: Sequence[Sequence[Call]], scenes: Sequence[str] = ()) -> RunPrice:
    """The price of scenes, from the calls of each. Tokens are unknown where no reply has any, as in a replay.

    `scenes` names the scene of each, where one was run several times: intervals are over scenes.
    """
    names = scenes or [str(place) for place in range(len(calls))]

    def mean_tokens(tokens: Sequence[float]) -> Amount:
        return _amount(tokens, names) if any(tokens) else Amount()

    costs = [[call.cost for call in scene] for scene in calls]
    dollars = [sum(cost or 0.0 for cost in scene) for scene in costs]
    return RunPrice(
        input_tokens=mean_tokens([sum(call.input_tokens for call in scene) for scene in calls]),
        output_tokens=mean_tokens([sum(call.output_tokens for call in scene) for scene in calls]),
        dollars=_amount(dollars, names) if any(c is not None for scene in costs for c in scene) else Amount(),
        priced=all(c is not None for scene in costs for c in scene),
    )


def _amount(amounts: Sequence[float], scenes: Sequence[str]) -> Amount:
    return Amount(pooled_interval(joined_by_scene(scenes, ([one] for one in amounts))), sum(amounts))


_NOTE = "Over finished {units}; cached replies count like new ones. ≥: some prices are unknown"


@dataclass(frozen=True, slots=True)
class Paid:
    """A run and its price."""

    name: str
    price: RunPrice
    below: str = ""
    section: str = ""


def price_tables(
    runs: Iterable[Paid], first: str = "run", unit: str = "scene", *, thousands: bool = True, digits: int = 3
) -> Iterator[Table]:
    """Tokens, in thousands or not, and US dollars, per scene or other unit and in total; none where all is unknown."""
    scale = 1000 if thousands else 1
    entries = (one_row(one.name, _cells(one.price, scale, digits), one.below, section=one.section) for one in runs)
    known = tuple(entry for entry in entries if entry.known)
    if known:
        yield Table("price", "Price", first, _columns(unit, thousands), known, (_NOTE.format(units=f"{unit}s"),))


def _columns(unit: str, thousands: bool) -> tuple[Column, ...]:
    groups = ("Thousand input tokens", "Thousand output tokens") if thousands else ("Input tokens", "Output tokens")
    return tuple(heading(title, group) for group in (*groups, "US dollars") for title in (f"per {unit}", "total"))


def _cells(price: RunPrice, scale: int, digits: int) -> tuple[Cell, ...]:
    least = "" if price.priced or price.dollars.total is None else "≥ "
    dollars = number(digits)(price.dollars.scene), amount(price.dollars.total, ".2f")
    paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
    return (*_token_cells(price.input_tokens, scale), *_token_cells(price.output_tokens, scale), *paid)


def _token_cells(taken: Amount, scale: int) -> tuple[Cell, Cell]:
    total = None if taken.total is None else taken.total / scale
    places = 1 if scale > 1 else 0
    return number(places, 1 / scale)(taken.scene), amount(total, f",.{places}f")
