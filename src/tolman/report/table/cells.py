"""Numbers as cells of a table: a mean with its 95 % interval below, a share, a p value."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

MISSING = "–"
"""Stands for what is not known, or means nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its confidence interval."""

    mean: float
    low: float
    high: float


UNKNOWN = Interval(math.nan, math.nan, math.nan)
"""The mean of nothing."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number or a word, and its interval for the line below."""

    text: str = MISSING
    below: str = ""
    href: str = ""
    best: bool = False
    """Whether it is the best of its column; then it is bold."""
    value: Interval | None = field(default=None, compare=False)
    """The number before it was rounded, in the unit of its column; cells are alike if they read alike."""

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
    """A plain number, perhaps in another unit, with so many digits after the point."""
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


def share(part: int, whole: int) -> Cell:
    """So many of so many, and below in percent; not known where there was nothing to count."""
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
