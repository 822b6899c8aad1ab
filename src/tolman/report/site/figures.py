"""Figures of a page: drawn by Vega, saved beside it as SVG, repeated as a table; their colours and axes."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, ClassVar, Protocol, cast

import altair as alt

from tolman.report.statistics import Interval
from tolman.report.table import Table
from tolman.report.table.formats import finite

FONT = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif'

LIGHT = {
    "--ink": "#1b1f24",
    "--quiet": "#5b6470",
    "--line": "#d9dde3",
    "--paper": "#ffffff",
    "--wash": "#f5f6f8",
    "--accent": "#0072b2",
}

BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
ORANGE, SKY, GREY = "#e69f00", "#56b4e9", "#7f7f7f"
SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, GREY)
"""Okabe and Ito's colour-blind safe palette. Each series has its own shape, too."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")

CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "domainColor": "--line",
        "gridColor": "--line",
        "gridOpacity": 0.7,
        "tickColor": "--line",
        "labelColor": "--quiet",
        "labelFontSize": 12,
        "labelLimit": 220,
        "labelFlush": False,
        "titleColor": "--ink",
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    },
    "legend": {
        "orient": "bottom",
        "direction": "horizontal",
        "labelColor": "--ink",
        "labelFontSize": 12,
        "labelLimit": 260,
        "titleColor": "--ink",
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "symbolSize": 90,
    },
    "title": {"color": "--ink", "fontSize": 13, "fontWeight": "bold", "anchor": "start"},
    "text": {"color": "--ink", "fontSize": 12},
    "style": {
        "ink": {"color": "--ink", "stroke": "--ink"},
        "quiet": {"color": "--quiet", "stroke": "--quiet"},
        "hairline": {"color": "--line", "stroke": "--line"},
        "words": {"color": "--ink", "fill": "--ink"},
        "quiet-words": {"color": "--quiet", "fill": "--quiet"},
    },
}


def in_light(value: Any) -> Any:
    """The same, with named colours replaced by those of the light theme."""
    if isinstance(value, dict):
        return {key: in_light(part) for key, part in cast("dict[str, Any]", value).items()}
    return LIGHT.get(value, value) if isinstance(value, str) else value


Spec = dict[str, Any]
"""A Vega-Lite chart as plain values."""

CONTAINER = "container"
"""A width that follows the page."""
_WHOLE = ("$schema", "config", "datasets", "autosize")
"""Keys of a chart that a nested chart can't have."""
_ALONE, _BESIDE, _COLUMNS = 640, 360, 2
"""Widths in a saved figure, in pixels: of a panel that is alone, and of one of several."""
_MARGIN, _TITLE_LETTER = 24, 8
"""Room beside a saved figure, and for a letter of a panel's title, in pixels; viewers have wider fonts than the program
that saves the figure."""


@dataclass(frozen=True)
class Panel:
    """One chart of a figure."""

    spec: Spec
    title: str = ""


@dataclass(frozen=True)
class Figure:
    """Some charts that are read together."""

    template: ClassVar[str] = "figure.html"

    name: str
    """Letters, digits and hyphens: part of an address."""
    title: str
    caption: str
    """How to read it, in a sentence."""
    panels: Sequence[Panel]
    numbers: Table
    key: tuple[tuple[str, str], ...] = ()
    """Names and colours that all panels share; where they are given, the page shows no other legend."""

    @property
    def file(self) -> str:
        """Where in the site it is saved."""
        return f"figures/{self.name}.svg"


def saved_spec(figure: Figure) -> Spec:
    """All panels of a figure as one chart of fixed size, in the light theme."""
    alone = len(figure.panels) == 1
    panels = [_fixed(panel, _ALONE if alone else _BESIDE) for panel in figure.panels]
    scales = (
        {}
        if figure.key
        else {"resolve": {"scale": {"color": "independent", "shape": "independent", "yOffset": "independent"}}}
    )
    body: Spec = panels[0] if alone else {"concat": panels, "columns": _COLUMNS, "spacing": 28, **scales}
    values = {name: rows for panel in figure.panels for name, rows in panel.spec.get("datasets", {}).items()}
    padding = {"top": CONFIG["padding"], "bottom": CONFIG["padding"], "left": _MARGIN, "right": _MARGIN}
    return {**body, "datasets": values, "config": {**in_light(CONFIG), "padding": padding, "background": "white"}}


def _fixed(panel: Panel, width: int) -> Spec:
    spec = {key: value for key, value in panel.spec.items() if key not in _WHOLE}
    if spec.get("width") == CONTAINER:
        spec["width"] = width
    return {**spec, "title": wrap(panel.title, width // _TITLE_LETTER)} if panel.title else spec


def svg(figure: Figure) -> str:
    """A figure as an SVG file holds it."""
    import vl_convert  # noqa: PLC0415 loads a whole JavaScript engine

    return vl_convert.vegalite_to_svg(cast("Spec", finite(saved_spec(figure))))


def known(value: float) -> float | None:
    """A number; None where it is not known."""
    return round(value, 4) if math.isfinite(value) else None


def percent_or_none(share: float) -> float | None:
    """A share in percent, to a hundredth; None where it is not known."""
    return round(100 * share, 2) if math.isfinite(share) else None


def percents(interval: Interval) -> dict[str, float | None]:
    """A mean and its ends, in percent."""
    return {name: percent_or_none(getattr(interval, name)) for name in ("mean", "low", "high")}


def fitted(height: int, *layers: alt.Chart) -> Spec:
    """A chart as wide as the page, `height` pixels high."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return alt.layer(*layers).properties(width=CONTAINER, height=height, autosize=fit).to_dict()


def shares(column: str, title: str) -> alt.Y:
    """An axis from 0 to 100 percent."""
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))


# ---- parts of charts ----

NAME_LENGTH = 60
"""Characters of a name in figures."""


class Styled(Protocol):
    """A series of a figure: a run or a model."""

    @property
    def name(self) -> str: ...
    @property
    def colour(self) -> str: ...
    @property
    def shape(self) -> str: ...


def series_style(place: int) -> tuple[str, str]:
    """Colour and shape of a series by its place; those that share a colour differ in shape."""
    return SERIES[place % len(SERIES)], SHAPES[(place + place // len(SERIES)) % len(SHAPES)]


def short_names(names: Iterable[tuple[str, str]]) -> list[str]:
    """Names by section, shortened for figures; equal ones in one section are numbered."""
    seen: Counter[tuple[str, str]] = Counter()
    found: list[str] = []
    for section, name in names:
        short = name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1].rstrip() + "…"
        seen[section, short] += 1
        count = seen[section, short]
        found.append(short if count == 1 else f"{short} ({count})")
    return found


def chart(values: Sequence[dict[str, Any]]) -> alt.Chart:
    """A chart of these rows."""
    return alt.Chart(alt.InlineData(values=list(values)))


_LEGEND = alt.Legend()


def colour_scale(
    column: str, domain: Sequence[str], colours: Sequence[str], legend: alt.Legend | None = _LEGEND
) -> alt.Color:
    """Colours of a column's values."""
    scale = alt.Scale(domain=list(domain), range=list(colours))
    return alt.Color(f"{column}:N", sort=None, scale=scale, legend=legend)


def shape_scale(
    column: str, domain: Sequence[str], marks: Sequence[str], legend: alt.Legend | None = _LEGEND
) -> alt.Shape:
    """Shapes of a column's values."""
    scale = alt.Scale(domain=list(domain), range=list(marks))
    return alt.Shape(f"{column}:N", sort=None, scale=scale, legend=legend)


def interval_tips(
    *columns: str | alt.Tooltip, mean: str = "", value: str = "mean", style: str = ".1f"
) -> list[alt.Tooltip]:
    """Tooltips of a mark: some columns, the mean under this title, and the ends of its interval."""
    named = {"title": mean} if mean else {}
    return [
        *(alt.Tooltip(f"{column}:N") if isinstance(column, str) else column for column in columns),
        alt.Tooltip(f"{value}:Q", format=style, **cast("Any", named)),
        alt.Tooltip("low:Q", format=style, title="from"),
        alt.Tooltip("high:Q", format=style, title="to"),
    ]


def dashed_rule(values: Sequence[dict[str, Any]]) -> alt.Chart:
    """A dashed line, such as at chance."""
    return chart(values).mark_rule(strokeDash=[4, 3], style="quiet")


def grouped_points(
    values: Sequence[dict[str, Any]],
    by: alt.Tooltip,
    order: Sequence[str],
    series: Sequence[Styled],
    title: str,
    chance: float | None,
    height: int,
) -> Spec:
    """Means with intervals from 0 to 100 %, in groups `by` a column, one mark for each `model` of a group."""
    names = [one.name for one in series]
    axis, column = alt.Axis(labelAngle=0, grid=False), cast("Any", by).shorthand
    base = chart(values).encode(
        x=alt.X(column, sort=list(order), title=None, axis=axis, scale=alt.Scale(padding=0.3)),
        xOffset=alt.XOffset("model:N", sort=names),
        color=colour_scale("model", names, [one.colour for one in series]),
    )
    whiskers = base.mark_rule(strokeWidth=1.6).encode(y=shares("low", title), y2="high:Q")
    shape = shape_scale("model", names, [one.shape for one in series], None)
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        y="mean:Q", shape=shape, tooltip=interval_tips("model", by)
    )
    guess = dashed_rule([] if chance is None else [{"chance": chance}]).encode(y="chance:Q")
    return fitted(height, guess, whiskers, marks)
