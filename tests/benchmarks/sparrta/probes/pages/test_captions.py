"""What figures say of their intervals, and axes that can be read."""

import math
from typing import Any, cast

import pytest

from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tolman.benchmarks.sparrta.probes.cells import FlowRow, ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.pages.accuracy import environment_figure, probe_figure, viewpoint_figure
from tolman.benchmarks.sparrta.probes.pages.attention import flow_figures
from tolman.benchmarks.sparrta.probes.pages.layers import cls_figure, layer_figure
from tolman.report.site import Figure


def everything(triples: int, place: str) -> list[ProbeCell]:
    """Every head from both viewpoints in two layers."""
    return [
        cell(head, f"{place}_{number}", view, 0.4, 0.5, layer=layer, layers=2)
        for number in range(1, triples + 1)
        for view in ("ego", "allo")
        for head in ("linear", "abmilp", "efficient", "cls")
        for layer in (1, 2)
    ]


def figures(cells: list[ProbeCell]) -> list[Figure]:
    encoders = probed_encoders(cells)
    makers = (probe_figure, viewpoint_figure, layer_figure, cls_figure, environment_figure)
    return [make(encoders) for make in makers]


def test_captions_name_what_intervals_are_over():
    few, enough = everything(2, "desert"), everything(3, "desert")
    for figure in figures(few):
        assert "95 % intervals over test pictures, as there are fewer than three triples" in figure.caption
    for figure in figures(enough):
        assert "95 % intervals over triples" in figure.caption
        assert "test pictures" not in figure.caption
    *over_all, by_place, difficulty = figures([*enough, *everything(1, "city")])
    assert all("test pictures" not in figure.caption for figure in over_all)
    for figure in (by_place, difficulty):
        assert "over triples, or over test pictures where there are fewer than three" in figure.caption


def test_the_papers_curves_are_spoken_of_where_they_are_drawn():
    cells = everything(3, "desert")
    drawn, not_drawn = (
        layer_figure(probed_encoders([one for one in cells if one.key.head in heads])).caption
        for heads in (("linear", "efficient"), ("linear", "abmilp"))
    )
    assert "VGGT-L dotted" in drawn
    assert "VGGT-L" not in not_drawn


def axis(*weights: float) -> tuple[str | None, list[float] | None]:
    """The kind of the axis of weights, and its labels where they are given."""
    rows = [FlowRow("made", layer, "source", "target", weight, math.nan) for layer, weight in enumerate(weights, 1)]
    (figure,) = flow_figures(rows)
    layers = cast("list[dict[str, Any]]", figure.panels[0].spec["layer"])
    (up,) = (layer["encoding"]["y"] for layer in layers if layer["mark"]["type"] == "line")
    return up["scale"].get("type"), up["axis"].get("values")


def test_weights_that_hardly_differ_stand_on_a_linear_axis():
    assert axis(0.0047, 0.0055) == (None, None)
    assert axis(0.002, 0.0199) == (None, None)


@pytest.mark.parametrize("reach", [10, 30, 99, 150, 900, 5000, 80_000])
@pytest.mark.parametrize("least", [1e-5, 1.01e-4, 3.3e-6])
def test_a_logarithmic_axis_has_three_labels_or_more(least: float, reach: float):
    kind, labels = axis(least, least * reach)
    assert kind == "log"
    assert labels is not None
    assert 3 <= len(labels) <= 10
    assert all(100 * least <= label <= 100.001 * least * reach for label in labels)
