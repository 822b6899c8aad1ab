"""Figures of where points were lost, of the gap between active and passive, and of beliefs against evidence, as
stacked bars.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.columns import KINDS, kind_title
from tolman.benchmarks.theory_of_space.ideal_observer import PositionVerdict, SceneInsight, StatedMap
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun
from tolman.benchmarks.theory_of_space.tables.attribution import (
    ALL_QUESTIONS,
    ActivePassiveGap,
    Attribution,
    PointShares,
    active_passive_gaps,
    attribution,
)
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import (
    BLUE,
    GREY,
    PURPLE,
    VERMILLION,
    Spec,
    chart,
    colour_scale,
    fitted,
    interval_tips,
    percent_or_none,
    percents,
)
from tolman.report.statistics import Interval, joined_by_scene, pooled_interval
from tolman.report.table import Cell, RowGroup, Table, heading, number, one_row, percent, points

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


LOSS_PARTS = (
    BarPart("score", BLUE),
    BarPart("lost to reasoning", VERMILLION),
    BarPart("format errors", PURPLE, "#1b1f24"),
    BarPart("lost to exploration", GREY),
)
_LOSS_AXIS = "share of all points, %"
_LOSS_COLUMNS = (*(heading(kind.name) for kind in LOSS_PARTS), heading("ceiling"))
_LUCK = "A part left of 0 is luck: guesses that scored above expectation."

AttributedRuns = Sequence[tuple[ReportedRun, Attribution]]


def attributed(runs: Sequence[ReportedRun]) -> AttributedRuns:
    """Runs with questions, each with the attribution of its lost points."""
    found = [(reported, attribution(reported.run, reported.insights)) for reported in runs]
    return [(reported, lost_points) for reported, lost_points in found if lost_points is not None]


def attribution_figure(runs: AttributedRuns) -> Figure:
    """Attribution of lost points, one bar per run."""
    caption = (
        "All points of the questions: scored; lost although the evidence was sufficient (reasoning); lost in "
        "unparseable replies (format errors); and lost because the evidence was never seen (exploration). "
    )
    bars = [Bar(reported.label, loss_parts(lost_points.shares[ALL_QUESTIONS])) for reported, lost_points in runs]
    panels = [Panel(stacked_bars(bars, LOSS_PARTS, _LOSS_AXIS))] if bars else []
    entries = tuple(
        _loss_entry(reported.name, reported.where, lost_points.shares[ALL_QUESTIONS]) for reported, lost_points in runs
    )
    numbers = Table("attribution-numbers", "", "run", _LOSS_COLUMNS, entries)
    return Figure("attribution", "Where points were lost", caption + _luck(runs, [ALL_QUESTIONS]), panels, numbers)


def kinds_figure(runs: AttributedRuns) -> Figure:
    """One panel per run, one bar per kind of question."""
    caption = "The same by kind of question; the border between colour and grey is the ceiling. "
    panels = [Panel(_by_kind(lost_points.shares), reported.label) for reported, lost_points in runs]
    entries = tuple(
        _loss_entry(kind_title(kind), reported.label, lost_points.shares[kind])
        for reported, lost_points in runs
        for kind in _asked_kinds(lost_points.shares)
    )
    numbers = Table("attribution-by-kind-numbers", "", "kind of question", _LOSS_COLUMNS, entries)
    title = "Where points were lost, by kind of question"
    key = tuple((kind.name, kind.colour) for kind in LOSS_PARTS)
    return Figure("attribution-by-kind", title, caption + _luck(runs, KINDS), panels, numbers, key)


def loss_parts(shares: PointShares) -> tuple[Interval, ...]:
    """In the order of `LOSS_PARTS`; they add up to 1."""
    return shares.score, shares.reasoning, shares.format_errors, shares.exploration


def _by_kind(shares: Mapping[str, PointShares]) -> dict[str, object]:
    bars = [Bar(kind_title(kind), loss_parts(shares[kind])) for kind in _asked_kinds(shares)]
    return stacked_bars(bars, LOSS_PARTS, _LOSS_AXIS, beside=True)


def _asked_kinds(shares: Mapping[str, PointShares]) -> list[str]:
    return [
        *(kind for kind in KINDS if kind in shares),
        *(kind for kind in shares if kind not in (*KINDS, ALL_QUESTIONS)),
    ]


def _luck(runs: AttributedRuns, kinds: Sequence[str]) -> str:
    lucky = any(
        lost_points.shares[kind].reasoning.mean < 0
        for _, lost_points in runs
        for kind in kinds
        if kind in lost_points.shares
    )
    return _LUCK if lucky else ""


def _loss_entry(name: str, below: str, shares: PointShares) -> RowGroup:
    numbers = (*loss_parts(shares), shares.ceiling)
    return one_row(name, (percent(number) for number in numbers), below)


_GAP_ROWS = {"whole gap": BLUE, "exploration": GREY, "reasoning": VERMILLION, "form": PURPLE}
_GAP_CAPTION = (
    "How much higher a model scores when it reads the log of a scripted explorer than when it explores by itself, and "
    "why: more evidence (exploration), better use of it (reasoning), or fewer unparseable replies (form). Percentage "
    "points with 95 % intervals over shared scenes; the three parts add up to the whole."
)


def gap_figure(runs: Sequence[ReportedRun]) -> Figure:
    """One panel per model with active and passive runs in one world."""
    found = active_passive_gaps([reported.run for reported in runs], [reported.insights for reported in runs])
    titled = [(_gap_title(gap, runs), gap) for gap in found]
    ends = [end for gap in found for row in gap_values(gap) for end in (row["low"], row["high"], row["mean"]) if end]
    panels = [Panel(_gap_chart(gap, ends), title) for title, gap in titled]
    heads = (*map(heading, _GAP_ROWS), heading("scenes shared"))
    numbers = Table("gap-numbers", "", "model", heads, tuple(_gap_entry(title, gap) for title, gap in titled))
    return Figure("active-passive-gap", "What a better explorer would add", _GAP_CAPTION, panels, numbers)


def gap_sentences(runs: Sequence[ReportedRun]) -> tuple[str, ...]:
    """The result of each panel in one sentence."""
    found = active_passive_gaps([reported.run for reported in runs], [reported.insights for reported in runs])
    return tuple(_gap_sentence(_gap_title(gap, runs), gap) for gap in found)


def _gap_sentence(title: str, gap: ActivePassiveGap) -> str:
    whole, exploration, reasoning, format_errors = map(points, _gap_parts(gap))
    interval = f" (95 % interval {whole.below})" if whole.below else ""
    explorer = gap.passive.options.passive_explorer
    return (
        f"{title}: reading the {explorer}'s log instead of exploring by itself changes its answers by {whole.text} "
        f"points{interval}, of which {exploration.text} from exploration, {reasoning.text} from reasoning, and "
        f"{format_errors.text} from format errors."
    )


def gap_values(gap: ActivePassiveGap) -> list[dict[str, Any]]:
    """One bar for the whole gap and one for each part, in percentage points."""
    return [{"row": row, **percents(part)} for row, part in zip(_GAP_ROWS, _gap_parts(gap), strict=True)]


def _gap_parts(gap: ActivePassiveGap) -> tuple[Interval, ...]:
    return gap.total, gap.exploration, gap.reasoning, gap.format_errors


def _gap_title(gap: ActivePassiveGap, runs: Sequence[ReportedRun]) -> str:
    reported = next(reported for reported in runs if reported.run is gap.active)
    return f"{reported.name}, {reported.run.world} world"


def _gap_entry(title: str, gap: ActivePassiveGap) -> RowGroup:
    cells = (*(points(part) for part in _gap_parts(gap)), Cell(str(gap.scenes)))
    return one_row(title, cells)


def _gap_chart(gap: ActivePassiveGap, ends: Sequence[float]) -> Spec:
    base = chart(gap_values(gap))
    domain = [min(0.0, *ends, 0.0), max(0.0, *ends, 5.0)]
    across = alt.X(
        "mean:Q", title="percentage points", axis=alt.Axis(tickCount=6), scale=alt.Scale(domain=domain, nice=True)
    )
    rows = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6))
    bars = base.mark_bar(size=13).encode(
        x=across,
        y=rows,
        color=colour_scale("row", list(_GAP_ROWS), list(_GAP_ROWS.values()), None),
        tooltip=interval_tips(alt.Tooltip("row:N", title="part"), mean="points", style="+.1f"),
    )
    whiskers = base.mark_rule(style="ink", strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q", y=rows)
    zero = chart([{"x": 0}]).mark_rule(style="quiet").encode(x="x:Q")
    return fitted(28 * len(_GAP_ROWS), bars, whiskers, zero)


VERDICTS: tuple[PositionVerdict, ...] = ("right", "unlucky", "impossible")
_VERDICT_PARTS = (BarPart("right", BLUE), BarPart("unlucky", GREY), BarPart("impossible", VERMILLION))


def evidence_figure(runs: Sequence[ReportedRun]) -> Figure:
    """All maps stated while exploring, each against the evidence at that turn."""
    caption = (
        "Of all positions in the maps stated while exploring: right; unlucky (wrong, but consistent with the evidence "
        "so far); impossible (contradicts the evidence). The table counts overwritten beliefs: right in one map, "
        "wrong or missing in the next, and how many of these while the thing itself was in view."
    )
    kept = [
        reported
        for reported in runs
        if any(stated.positions for insight in reported.insights for stated in _stated_maps(insight))
    ]
    bars = [Bar(reported.label, evidence_shares(reported)) for reported in kept]
    panels = [Panel(stacked_bars(bars, _VERDICT_PARTS, "stated positions, %"))] if bars else []
    heads = (*map(heading, VERDICTS), heading("per scene", "Overwritten"), heading("in view", "Overwritten"))
    numbers = Table("evidence-numbers", "", "run", heads, tuple(map(_evidence_entry, kept)))
    return Figure("belief-and-evidence", "Belief against evidence", caption, panels, numbers)


def evidence_shares(reported: ReportedRun) -> tuple[Interval, ...]:
    """Share of each verdict, in the order of `VERDICTS`; they add up to 1."""
    counted = [
        Counter(at.verdict for stated in _stated_maps(insight) for at in stated.positions)
        for insight in reported.insights
    ]

    def share(verdict: PositionVerdict) -> Interval:
        groups = ([1.0] * counts[verdict] + [0.0] * (counts.total() - counts[verdict]) for counts in counted)
        return pooled_interval(joined_by_scene(reported.run.case_ids, groups))

    return tuple(map(share, VERDICTS))


def overwritten_beliefs(reported: ReportedRun) -> Interval:
    """Mean number of right beliefs overwritten per scene."""
    groups = ([float(sum(len(m.overwritten) for m in _stated_maps(insight)))] for insight in reported.insights)
    return pooled_interval(joined_by_scene(reported.run.case_ids, groups))


def _stated_maps(insight: SceneInsight) -> list[StatedMap]:
    return [turn.stated for turn in insight.turns if turn.stated is not None]


def _evidence_entry(reported: ReportedRun) -> RowGroup:
    lost = [lost for insight in reported.insights for stated in _stated_maps(insight) for lost in stated.overwritten]
    shares = [percent(share) for share in evidence_shares(reported)]
    if reported.run.options.probe_turns != "every":
        return one_row(reported.name, (*shares, Cell(), Cell()), reported.where)
    in_view = Cell(f"{sum(each.in_view for each in lost)}/{len(lost)}") if lost else Cell()
    return one_row(reported.name, (*shares, number(1)(overwritten_beliefs(reported)), in_view), reported.where)
