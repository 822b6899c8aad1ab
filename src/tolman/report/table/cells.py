"""Numbers as cells of a table: a mean with its 95 % interval below, a share, a p value."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

MISSING = "–"
"""Printed for a value that is unknown or undefined."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its confidence interval."""

    mean: float
    low: float
    high: float


def known_or_none(value: float) -> float | None:
    """A number as JSON holds it; what is not known is None."""
    return None if math.isnan(value) else value


def interval_as_dict(interval: Interval) -> dict[str, object]:
    """Mean and ends, ready for JSON; what is not known is None."""
    return {name: known_or_none(getattr(interval, name)) for name in ("mean", "low", "high")}


UNKNOWN = Interval(math.nan, math.nan, math.nan)
"""The mean of no values."""


def point_estimate(value: float | None) -> Interval:
    """A number that has no interval; None is not known."""
    return Interval(math.nan if value is None else value, math.nan, math.nan)


Tone = Literal["", "good", "bad", "uncertain"]
"""How a word or number is to be judged; a terminal colours it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number or a word, and its interval for the line below."""

    text: str = MISSING
    below: str = ""
    href: str = ""
    best: bool = False
    """Whether it is the best of its column; then it is bold."""
    value: Interval | None = field(default=None, compare=False)
    """The number before rounding, in the unit of its column; not compared, as cells with the same text are equal."""
    tone: Tone = field(default="", compare=False)

    @property
    def known(self) -> bool:
        return self.text not in (MISSING, "")


Style = Callable[[Interval], Cell]
"""How the numbers of a column are written."""


def percent(interval: Interval) -> Cell:
    """A share from 0 to 1 in percent, to a tenth; the ends are rounded to whole numbers unless these are the same."""
    whole = _cell(interval, 100, ".1f", ".0f")
    low, _, high = whole.below.partition("–")
    return _cell(interval, 100, ".1f", ".1f") if low and low == high else whole


def points(interval: Interval) -> Cell:
    """A difference of shares in percentage points; ends to a tenth too, as it matters on which side of 0 they lie."""
    return _cell(interval, 100, ".1f", ".1f")


def number(digits: int, factor: float = 1) -> Style:
    """A plain number times a factor, with this many decimals."""
    return lambda interval: _cell(interval, factor, f".{digits}f", f".{digits}f")


def _cell(interval: Interval, factor: float, mean: str, ends: str) -> Cell:
    if not math.isfinite(interval.mean):
        return Cell()
    low, high = interval.low * factor, interval.high * factor
    text = _signed(interval.mean * factor, mean)
    scaled = Interval(interval.mean * factor, low, high)
    if not math.isfinite(low) or not math.isfinite(high) or interval.low == interval.high:
        return Cell(text, value=scaled)
    return Cell(text, f"{_signed(low, ends)}–{_signed(high, ends)}", value=scaled)


def _signed(value: float, style: str) -> str:
    return f"{value:z{style}}".replace("-", "−")


def integer(value: int) -> Cell:
    """A count."""
    return Cell(f"{value:,}", value=point_estimate(value))


def share(part: int, whole: int) -> Cell:
    """A count out of a total, and below it in percent; unknown for a total of 0."""
    if not whole:
        return Cell()
    return Cell(f"{part}/{whole}", f"{100 * part / whole:.1f} %" if part else "")


def p_value(p: float) -> Cell:
    """A probability, as papers write it."""
    if not math.isfinite(p):
        return Cell()
    return Cell("<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0"))


def amount(value: float | None, style: str) -> Cell:
    """A number that may not be known."""
    return Cell(MISSING if value is None or not math.isfinite(value) else format(value, style))
