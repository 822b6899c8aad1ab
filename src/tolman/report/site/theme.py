"""The look of figures. Colours are named as in style.css, so that a page in the dark shows figures in the dark."""

from typing import Any, cast

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
"""Okabe and Ito's colours, which the colour-blind can tell apart. None stands alone: each series has a shape too."""
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
    """The same, with each named colour spelled out as it is by day."""
    if isinstance(value, dict):
        return {key: in_light(part) for key, part in cast("dict[str, Any]", value).items()}
    return LIGHT.get(value, value) if isinstance(value, str) else value
