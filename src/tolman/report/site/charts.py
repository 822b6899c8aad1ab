"""What charts of all benchmarks share: numbers as JSON can hold them, a width that fits, an axis of shares."""

import math

import altair as alt

from tolman.report.intervals import Interval
from tolman.report.site.figure import CONTAINER, Spec


def known(value: float) -> float | None:
    """A number; None where it is not known."""
    return round(value, 4) if math.isfinite(value) else None


def percent_or_none(share: float) -> float | None:
    """A share in percent, to a hundredth; None where it is not known."""
    return round(100 * share, 2) if math.isfinite(share) else None


def percents(interval: Interval) -> dict[str, float | None]:
    """A mean and its ends, in percent."""
    return {
        "mean": percent_or_none(interval.mean),
        "low": percent_or_none(interval.low),
        "high": percent_or_none(interval.high),
    }


def fitted(height: int, *layers: alt.Chart) -> Spec:
    """A chart as wide as the page allows, so many pixels high."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return alt.layer(*layers).properties(width=CONTAINER, height=height, autosize=fit).to_dict()


def shares(column: str, title: str) -> alt.Y:
    """An axis from 0 to 100 percent."""
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
