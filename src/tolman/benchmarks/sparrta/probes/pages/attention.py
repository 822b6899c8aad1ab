"""Figures of what encoders and probes attend to: attention between objects (figure 13 of the paper), and attention
maps of probes over pictures (figure 15).
"""

import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import altair as alt

from tolman.benchmarks.sparrta.probes.cells import DIFFERENCE_SIGN, FlowRow, ProbeMap
from tolman.benchmarks.sparrta.probes.encoders import VIEW_SHORT, environment_title, head_title
from tolman.benchmarks.sparrta.probes.export import StoredMaps
from tolman.benchmarks.sparrta.probes.pages.figures import GROUP_COLOURS, ChartValues
from tolman.harness.names import printable
from tolman.report.site import CaptionedPicture, Figure, Gallery, Panel, Strip
from tolman.report.site.figures import Spec, chart, colour_scale, fitted
from tolman.report.table import Cell, Table, heading, one_row

_QUERIES = ("[CLS]", "human", "source", "target")
"""Query groups, one panel each."""
_HEIGHT = 230
_FLOW_CAPTION = (
    "Mean attention weight, in percent, from a token of one group to a token of another, over heads of a layer, "
    "pictures and then environments; bands are one standard deviation over environments. Axes are logarithmic where "
    "weights span a factor of ten or more."
)
_DIFFERENCE = (
    "Above 0 the first encoder attends more, below 0 the second. Weights are means per target token, so encoders with "
    "fewer tokens have larger ones."
)


def flow_figures(rows: Sequence[FlowRow]) -> Iterator[Figure]:
    """One figure for each encoder, and one for each difference."""
    for number, model in enumerate(dict.fromkeys(row.model for row in rows)):
        of_model = [row for row in rows if row.model == model]
        apart = DIFFERENCE_SIGN in model
        title = f"Attention, {model.replace(DIFFERENCE_SIGN, ' minus ')}" if apart else f"Attention in {model}"
        queries = [query for query in _QUERIES if any(row.query == query for row in of_model)]
        panels = [
            Panel(_flow_chart([row for row in of_model if row.query == query], apart), _title(query))
            for query in queries
        ]
        groups = [name for name in GROUP_COLOURS if any(row.target == name for row in of_model)]
        key = tuple((name, GROUP_COLOURS[name]) for name in groups)
        caption = _DIFFERENCE if apart else _FLOW_CAPTION
        yield Figure(
            f"attention-{number}", title, caption, panels, _flow_numbers(number, of_model, queries, groups), key
        )


def _title(query: str) -> str:
    return f"Attention from {'[CLS]' if query == '[CLS]' else f'the {query}'}"


def _flow_chart(rows: Sequence[FlowRow], apart: bool) -> Spec:
    values: ChartValues = [
        {"seen": row.target, "layer": row.layer, "weight": 100 * row.mean, **_ends(row)}
        for row in rows
        if row.target in GROUP_COLOURS and (apart or row.mean > 0)
    ]
    groups = [name for name in GROUP_COLOURS if any(value["seen"] == name for value in values)]
    colour = colour_scale("seen", groups, [GROUP_COLOURS[name] for name in groups])
    wide = not apart and _reach(values) >= 1
    scale = alt.Scale(type="log", nice=False) if wide else alt.Scale(zero=apart)
    across = alt.X(
        "layer:Q", title="layer", axis=alt.Axis(tickMinStep=1, grid=False, format="d"), scale=alt.Scale(nice=False)
    )
    up = alt.Y(
        "weight:Q",
        title="difference, percentage points" if apart else "mean weight, %",
        scale=scale,
        axis=alt.Axis(values=_ticks(values), format="~r") if wide else alt.Axis(tickCount=5, format="~r"),
    )
    base = chart(values).encode(x=across, color=colour)
    line = base.mark_line(strokeWidth=1.8).encode(y=up, strokeDash=_dashes(groups))
    dots = base.mark_point(filled=True, size=26, opacity=1).encode(
        y=up,
        tooltip=[
            alt.Tooltip("seen:N", title="attends to"),
            "layer:Q",
            alt.Tooltip("weight:Q", format=".3g", title="%"),
        ],
    )
    if apart:
        zero = chart([{"zero": 0}]).mark_rule(style="quiet").encode(y="zero:Q")
        return fitted(_HEIGHT, zero, line, dots)
    band = base.mark_area(opacity=0.14).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    return fitted(_HEIGHT, band, line, dots)


def _dashes(groups: Sequence[str]) -> alt.StrokeDash:
    """Dash patterns of the groups, so that they do not differ by colour alone."""
    styles = {"source": [1, 0], "target": [6, 2], "human": [2, 2], "background": [8, 3, 2, 3]}
    ranges = [styles.get(name, [4, 2, 1, 2]) for name in groups]
    return alt.StrokeDash("seen:N", sort=None, scale=alt.Scale(domain=list(groups), range=ranges), legend=None)


def _ends(row: FlowRow) -> dict[str, float]:
    """One standard deviation to both sides; none if unknown or too large for a logarithmic axis."""
    if math.isnan(row.spread) or row.mean - row.spread <= 0.05 * row.mean:
        return {"low": 100 * row.mean, "high": 100 * row.mean}
    return {"low": 100 * (row.mean - row.spread), "high": 100 * (row.mean + row.spread)}


def _reach(values: ChartValues) -> float:
    """Powers of ten that the weights span."""
    least, most = _ends_of_all(values)
    return math.log10(most / least)


def _ends_of_all(values: ChartValues) -> tuple[float, float]:
    return min(value["low"] for value in values), max(value["high"] for value in values)


def _ticks(values: ChartValues) -> list[float]:
    """1, 2 and 5 of each power of ten that is needed; over three powers or more the powers alone."""
    least, most = _ends_of_all(values)
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    steps = (1, 2, 5) if _reach(values) < 3 else (1,)
    return [step * 10.0**power for power in powers for step in steps if least <= step * 10.0**power <= most]


def _flow_numbers(number: int, rows: Sequence[FlowRow], queries: Sequence[str], groups: Sequence[str]) -> Table:
    heads = tuple(heading(f"to {group}", query) for query in queries for group in groups)
    by_pair = {(row.layer, row.query, row.target): row.mean for row in rows}
    entries = tuple(
        one_row(
            f"layer {layer}",
            (
                Cell(f"{100 * value:.3g}".replace("-", "−"))
                if (value := by_pair.get((layer, q, g))) is not None
                else Cell()
                for q in queries
                for g in groups
            ),
        )
        for layer in sorted({row.layer for row in rows})
    )
    return Table(f"attention-{number}-numbers", "", "layer", heads, entries)


_MAP_CAPTION = (
    "Warmer colours: more attention of a probe; grey: average or less. Efficient is the mean of its four queries. "
    "Below, its prediction (✓ right, ✗ wrong) and its shares of attention on source, target and human. Heads are "
    "those of the first seed; pictures in most test splits come first."
)
_FOLDER = "figures"


def copy_maps(attention_maps: Sequence[StoredMaps], out: Path) -> None:
    """Copy the pictures of the maps to the report."""
    for number, one in enumerate(attention_maps):
        for file in (one.picture.file, *(found.file for found in one.picture.maps)):
            shutil.copyfile(one.folder / file, out / _address(number, file))


def map_galleries(attention_maps: Sequence[StoredMaps]) -> list[Gallery]:
    """One gallery for each encoder, a strip for each picture; all but the first of each triple are collapsed."""
    numbered = list(enumerate(attention_maps))
    found: list[Gallery] = []
    for count, encoder in enumerate(dict.fromkeys(one.picture.encoder for one in attention_maps)):
        mine = [(number, one) for number, one in numbered if one.picture.encoder == encoder]
        first = {one.picture.triple: number for number, one in reversed(mine)}.values()
        strips, more = (
            tuple(_strip(number, one) for number, one in mine if (number in first) == shown) for shown in (True, False)
        )
        title = f"Attention maps of probes on {printable(encoder)}"
        found.append(Gallery(f"maps-{count}", title, _MAP_CAPTION, strips, more))
    return found


def _strip(number: int, one: StoredMaps) -> Strip:
    picture = one.picture
    shots = (
        CaptionedPicture(_address(number, picture.file), "the picture"),
        *(
            CaptionedPicture(
                _address(number, found.file), f"{head_title(found.head)}, {VIEW_SHORT[found.viewpoint]}", _lines(found)
            )
            for found in picture.maps
        ),
    )
    return Strip(
        printable(f"{environment_title(picture.triple)}, picture {picture.picture.removeprefix('img_')}"), shots
    )


def _lines(found: ProbeMap) -> tuple[str, ...]:
    says = f"says {found.says} ✓" if found.says == found.true else f"says {found.says} ✗, is {found.true}"
    on = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found.on.items() if name != "background")
    return tuple(printable(line) for line in (says, on, "seen in training" if found.trained_on else "") if line)


def _address(number: int, file: str) -> str:
    return f"{_FOLDER}/map-{number}-{file}"
