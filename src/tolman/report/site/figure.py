"""Figures of a page: drawn there by Vega, saved beside it as SVG, and told once more as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tolman.report.finite import finite
from tolman.report.site.theme import CONFIG, in_light
from tolman.report.table import Table

Spec = dict[str, Any]
"""A Vega-Lite chart as plain values."""

CONTAINER = "container"
"""A width that follows the page."""
_WHOLE = ("$schema", "config", "datasets", "autosize")
"""Parts of a chart that one inside another can't have."""
_ALONE, _BESIDE, _COLUMNS = 640, 360, 2
"""Widths in a saved figure, in pixels: of a panel that is alone, and of one of several."""


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
    """All panels of a figure as one chart of fixed size, in the colours of paper."""
    alone = len(figure.panels) == 1
    panels = [_fixed(panel, _ALONE if alone else _BESIDE) for panel in figure.panels]
    scales = {} if figure.key else {"resolve": {"scale": {"color": "independent", "shape": "independent"}}}
    body: Spec = panels[0] if alone else {"concat": panels, "columns": _COLUMNS, "spacing": 28, **scales}
    values = {name: rows for panel in figure.panels for name, rows in panel.spec.get("datasets", {}).items()}
    return {**body, "datasets": values, "config": {**in_light(CONFIG), "background": "white"}}


def _fixed(panel: Panel, width: int) -> Spec:
    spec = {key: value for key, value in panel.spec.items() if key not in _WHOLE}
    if spec.get("width") == CONTAINER:
        spec["width"] = width
    return {**spec, "title": panel.title} if panel.title else spec


def svg(figure: Figure) -> str:
    """A figure as an SVG file holds it."""
    import vl_convert  # noqa: PLC0415 loads a whole JavaScript engine

    return vl_convert.vegalite_to_svg(cast("Spec", finite(saved_spec(figure))))
