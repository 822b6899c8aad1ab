"""What figures of several runs share: numbers as JSON can hold them, and each run's colour and shape."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import altair as alt

from tolman.report.intervals import Interval
from tolman.report.site.figure import CONTAINER, Spec
from tolman.report.theory_of_space.site.listed import Listed


def known(value: float) -> float | None:
    """A number; None where it is not known."""
    return None if math.isnan(value) else round(value, 4)


def percent_or_none(share: float) -> float | None:
    """A share in percent, to a hundredth; None where it is not known."""
    return None if math.isnan(share) else round(100 * share, 2)


def percents(interval: Interval) -> dict[str, float | None]:
    """A mean and its ends, in percent."""
    return {
        "mean": percent_or_none(interval.mean),
        "low": percent_or_none(interval.low),
        "high": percent_or_none(interval.high),
    }


def by_part(runs: Iterable[Listed]) -> Iterator[tuple[str, list[Listed]]]:
    """Runs of one world and mode, under its title: each part has a panel of its own."""
    for title, found in groupby(runs, key=lambda one: one.shown.part):
        yield title, list(found)


def colours(runs: Sequence[Listed]) -> alt.Color:
    """Colour by the field `run`, which holds names."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.colour for one in runs])
    return alt.Color("run:N", sort=None, scale=scale, legend=_legend(runs))


def shapes(runs: Sequence[Listed]) -> alt.Shape:
    """Shape by the field `run`: told apart without colour too."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.shape for one in runs])
    return alt.Shape("run:N", sort=None, scale=scale, legend=_legend(runs))


def _legend(runs: Sequence[Listed]) -> alt.Legend:
    """A name may have several lines."""
    longest = max(len(line) for one in runs for line in one.name.split("\n"))
    lines = "split(datum.label, '\\n')"
    return alt.Legend(title=None, columns=1 if longest > 24 else 2, symbolOpacity=1, labelExpr=lines)


def fitted(height: int, *layers: alt.Chart) -> Spec:
    """A chart as wide as the page allows, so many pixels high."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return alt.layer(*layers).properties(width=CONTAINER, height=height, autosize=fit).to_dict()


def shares(column: str, title: str) -> alt.Y:
    """An axis from 0 to 100 percent."""
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
