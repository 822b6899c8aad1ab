"""The reliability diagram of an ideal observer: stated probabilities of positions against how often they were true."""

from pathlib import Path
from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tolman.benchmarks.theory_of_space.calibration import Checked, CheckedScene, reliability

_WIDTH, _HEIGHT = 2.6, 3.3
"""Inches of one panel."""
FEWEST = 10
"""Probabilities in a bin that is drawn; of fewer, the share that was true says little."""
_BLUE, _GREY = "#2f62b5", "#8b8f94"


def reliability_figure(checked: Checked) -> Figure:
    """One panel for each explorer."""
    figure = Figure(figsize=(_WIDTH * len(checked) + 0.5, _HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(checked), sharey=True, squeeze=False)[0]
    for panel, (name, scenes) in zip(panels, checked.items(), strict=True):
        _draw(panel, name, scenes)
    panels[0].set_ylabel("positions that were true, %")
    return figure


def _draw(axes: Axes, name: str, scenes: list[CheckedScene]) -> None:
    panel = cast("Any", axes)
    bins = [each for each in reliability(scenes) if each.count >= FEWEST]
    panel.plot([0, 100], [0, 100], color=_GREY, linewidth=1, linestyle=":")
    stated, true = [100 * each.stated for each in bins], [100 * each.true.mean for each in bins]
    ends = [[max(0.0, 100 * (each.true.mean - each.true.low)) for each in bins]]
    ends.append([max(0.0, 100 * (each.true.high - each.true.mean)) for each in bins])
    panel.errorbar(stated, true, yerr=ends, fmt="o", markersize=3.5, color=_BLUE, elinewidth=1, capsize=2)
    panel.set_title(f"{name} ({len(scenes)} scenes)", fontsize=9)
    panel.set_xlabel("stated probability, %")
    panel.set(xlim=(-3, 103), ylim=(-3, 103))


def save_reliability_figure(checked: Checked, file: Path) -> None:
    """Write the figure to a file; its ending gives the format."""
    cast("Any", reliability_figure(checked)).savefig(file, dpi=160)
