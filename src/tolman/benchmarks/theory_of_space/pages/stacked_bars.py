"""Stacked bars, one per row; names stand above the bars, so that long ones fit on a narrow page."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from tolman.report.site.figures import Spec, chart, colour_scale, fitted, interval_tips, percent_or_none
from tolman.report.statistics import Interval

_THICK, _THIN = 18, 14
_LEGIBLE = 7.0
"""Smallest part with a number on it, in percent."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """One kind of part, with its colour and the colour of the number on it."""

    name: str
    colour: str
    words: str = "#ffffff"


@dataclass(frozen=True)
class Bar:
    """One row: its name, and the size of each part as a share of the whole, with intervals."""

    name: str
    parts: Sequence[Interval]


def bar_values(bars: Sequence[Bar], kinds: Sequence[BarPart]) -> list[dict[str, Any]]:
    """Begin and end of each part, in percent. Negative parts extend to the left of 0; unknown ones are left out."""
    return [value for bar in bars for value in _stacked(bar, kinds)]


def _stacked(bar: Bar, kinds: Sequence[BarPart]) -> Iterator[dict[str, Any]]:
    right, left = 0.0, 0.0
    for kind, part in zip(kinds, bar.parts, strict=True):
        if not math.isfinite(part.mean):
            continue
        size = 100 * part.mean
        begin = right if size >= 0 else left
        right, left = (begin + size, left) if size >= 0 else (right, begin + size)
        yield {
            "row": bar.name,
            "part": kind.name,
            "size": size,
            "low": percent_or_none(part.low),
            "high": percent_or_none(part.high),
            "from": begin,
            "to": begin + size,
            "middle": begin + size / 2,
            "words": f"{size:.0f}" if abs(size) >= _LEGIBLE else "",
        }


def stacked_bars(bars: Sequence[Bar], kinds: Sequence[BarPart], title: str, *, beside: bool = False) -> Spec:
    """The chart. With `beside`, (short) names stand to the left of the bars."""
    thick, step = (_THIN, _THIN + 8) if beside else (_THICK, _THICK + 32)
    down = 0 if beside else 9
    axis = alt.Axis(domain=False, ticks=False, labelPadding=6) if beside else None
    rows = alt.Y("row:N", sort=None, title=None, axis=axis, scale=alt.Scale(padding=0))
    across = alt.X(
        "from:Q", title=title, axis=alt.Axis(values=[0, 25, 50, 75, 100], grid=False), scale=_reach(bars, kinds)
    )
    base = chart(bar_values(bars, kinds)).encode(y=rows)
    parts = base.mark_bar(size=thick, yOffset=down).encode(
        x=across,
        x2="to:Q",
        color=colour_scale("part", [kind.name for kind in kinds], [kind.colour for kind in kinds], _legend(kinds)),
        tooltip=interval_tips(alt.Tooltip("row:N", title="of"), "part", value="size", mean="percent"),
    )
    numbers = [_numbers(bars, kinds, rows, ink, down) for ink in dict.fromkeys(kind.words for kind in kinds)]
    layers = [parts, *numbers] if beside else [parts, *numbers, _names(bars, rows)]
    return fitted(step * len(bars), *layers)


def _legend(kinds: Sequence[BarPart]) -> alt.Legend:
    """On one line if that fits a phone, else in two columns."""
    short = sum(len(kind.name) for kind in kinds) < 40
    return alt.Legend(title=None, columns=len(kinds) if short else 2)


def _reach(bars: Sequence[Bar], kinds: Sequence[BarPart]) -> alt.Scale:
    """The x scale: from 0 to 100, extended if a part is negative."""
    ends = [end for value in bar_values(bars, kinds) for end in (value["from"], value["to"])]
    return alt.Scale(domain=[min([0.0, *ends]), max([100.0, *ends])], nice=False)


def _numbers(bars: Sequence[Bar], kinds: Sequence[BarPart], rows: alt.Y, ink: str, down: int) -> alt.Chart:
    """The numbers in one colour."""
    inked = {kind.name for kind in kinds if kind.words == ink}
    values = [value for value in bar_values(bars, kinds) if value["part"] in inked and value["words"]]
    words = chart(values).mark_text(yOffset=down, fontSize=11, color=ink)
    return words.encode(y=rows, x="middle:Q", text="words:N")


def _names(bars: Sequence[Bar], rows: alt.Y) -> alt.Chart:
    words = chart([{"row": bar.name} for bar in bars]).mark_text(align="left", baseline="middle", dy=-12, style="words")
    return words.encode(y=rows, x=alt.XDatum(0), text="row:N")
