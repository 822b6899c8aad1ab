"""What figures of probes share: colours of heads and groups, accuracy and depth axes, chance lines and tooltips."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.sparrta.probes.columns import HEAD_TITLES
from tolman.probing.protocol import HeadName
from tolman.report.site.figures import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    colour_scale,
    dashed_rule,
    interval_tips,
    percents,
    shape_scale,
)
from tolman.report.statistics import Interval

ChartValues = list[dict[str, Any]]
HEAD_STYLES: dict[HeadName, tuple[str, str]] = {
    "cls": (GREY, "cross"),
    "linear": (ORANGE, "square"),
    "abmilp": (GREEN, "triangle-up"),
    "efficient": (BLUE, "circle"),
}
"""A colour and a shape for each probe."""
GROUP_COLOURS = {
    "source": VERMILLION,
    "target": BLUE,
    "human": GREEN,
    "background": GREY,
    "[CLS]": PURPLE,
    "registers": ORANGE,
}
CHANCE = 25.0


def head_scales(heads: Sequence[HeadName]) -> tuple[alt.Color, alt.Shape]:
    """Colours and shapes of probes."""
    names = [HEAD_TITLES[head] for head in heads]
    colours, marks = zip(*(HEAD_STYLES[head] for head in heads), strict=True)
    return colour_scale("probe", names, colours), shape_scale("probe", names, marks)


def head_key(heads: Sequence[HeadName]) -> tuple[tuple[str, str], ...]:
    """Names and colours of probes, for above a figure."""
    return tuple((HEAD_TITLES[head], HEAD_STYLES[head][0]) for head in heads)


def axis_floor(intervals: Iterable[Interval]) -> float:
    """Lower end of an axis in percent: 20, or lower if values are."""
    ends = (one.mean if math.isnan(one.low) else one.low for one in intervals)
    least = min((100 * end for end in ends if not math.isnan(end)), default=20.0)
    return min(20.0, 10 * math.floor(least / 10))


def accuracy_axis(floor: float) -> alt.Scale:
    """From a floor to 100 percent."""
    return alt.Scale(domain=[floor, 100], nice=False)


def depth_axis() -> alt.X:
    """Relative depth of a layer, as encoders differ in their number of layers."""
    return alt.X(
        "depth:Q",
        title="depth of the layer, % of the encoder",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(tickCount=5, grid=False),
    )


def chance_across(scale: alt.Scale) -> alt.Chart:
    """A dashed line at chance, on a horizontal axis."""
    return dashed_rule([{"chance": CHANCE}]).encode(x=alt.X("chance:Q", scale=scale))


def chance_up(scale: alt.Scale) -> alt.Chart:
    """A dashed line at chance, on a vertical axis."""
    return dashed_rule([{"chance": CHANCE}]).encode(y=alt.Y("chance:Q", scale=scale))


def percents_of(interval: Interval) -> dict[str, float | None]:
    """A mean and its ends in percent; unknown ends are replaced by the mean."""
    shown = percents(interval)
    return {name: shown["mean"] if value is None else value for name, value in shown.items()}


def tooltips(*columns: str) -> list[alt.Tooltip]:
    """Tooltips of a mark: some columns, the mean and its interval."""
    return interval_tips(*columns, mean="right, %")
