"""Numbers as cells of a table: a mean with its 95 % interval below, a share, a p value."""

import math
from collections.abc import Callable

from tolman.report.intervals import Interval
from tolman.report.sheet import MISSING, Cell

Style = Callable[[Interval], Cell]


def percent(interval: Interval) -> Cell:
    """A share from 0 to 1 in percent, to a tenth; the ends are rounded to whole numbers unless these are the same."""
    whole = _cell(interval, 100, ".1f", ".0f")
    low, _, high = whole.below.partition("–")
    return _cell(interval, 100, ".1f", ".1f") if low and low == high else whole


def points(interval: Interval) -> Cell:
    """A difference of shares in percent points; the ends to a tenth too, as it matters on which side of 0 they lie."""
    return _cell(interval, 100, ".1f", ".1f")


def number(digits: int) -> Style:
    """A plain number with so many digits after the point."""
    return lambda interval: _cell(interval, 1, f".{digits}f", f".{digits}f")


def thousands(interval: Interval) -> Cell:
    """Tokens, in thousands."""
    return _cell(interval, 0.001, ".1f", ".1f")


def _cell(interval: Interval, factor: float, mean: str, ends: str) -> Cell:
    if not math.isfinite(interval.mean):
        return Cell()
    low, high = interval.low * factor, interval.high * factor
    text = _signed(interval.mean * factor, mean)
    if not math.isfinite(low) or not math.isfinite(high) or interval.low == interval.high:
        return Cell(text)
    return Cell(text, f"{_signed(low, ends)}–{_signed(high, ends)}")


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
