"""Belief against evidence: how many stated positions were right, might have been, or could not be."""

from collections import Counter
from collections.abc import Sequence

from tolman.benchmarks.theory_of_space.insight import SceneInsight, StatedMap, Verdict
from tolman.report.intervals import Interval, pooled_interval
from tolman.report.site import Figure, Panel
from tolman.report.site.theme import BLUE, GREY, VERMILLION
from tolman.report.table import Cell, Entry, Row, Table, heading, number, percent
from tolman.report.theory_of_space.site.bars import Bar, Kind, stacked_bars
from tolman.report.theory_of_space.site.listed import Listed

VERDICTS: tuple[Verdict, ...] = ("right", "unlucky", "impossible")
_KINDS = (Kind("right", BLUE), Kind("unlucky", GREY), Kind("impossible", VERMILLION))


def evidence_figure(runs: Sequence[Listed]) -> Figure:
    """All maps that were stated while exploring, each against what had been told by then."""
    caption = (
        "Of all positions in the maps stated while exploring: right; unlucky, which is wrong, but nothing told by then "
        "ruled it out; impossible, which contradicts what had been told. The table counts beliefs overwritten: right "
        "in one map, wrong or gone in the next, and how many of these while the thing itself was in view."
    )
    kept = [one for one in runs if any(stated.positions for insight in one.insights for stated in _maps(insight))]
    bars = [Bar(one.label, evidence_shares(one.insights)) for one in kept]
    panels = [Panel(stacked_bars(bars, _KINDS, "stated positions, %"))] if bars else []
    heads = (*map(heading, VERDICTS), heading("a scene", "Overwritten"), heading("in view", "Overwritten"))
    numbers = Table("evidence-numbers", "", "run", heads, tuple(map(_entry, kept)))
    return Figure("belief-and-evidence", "Belief against evidence", caption, panels, numbers)


def evidence_shares(insights: Sequence[SceneInsight]) -> tuple[Interval, ...]:
    """Share of each verdict, in the order of `VERDICTS`; they add up to 1."""
    counted = [Counter(at.verdict for stated in _maps(insight) for at in stated.positions) for insight in insights]
    return tuple(
        pooled_interval([[1.0] * counts[verdict] + [0.0] * (counts.total() - counts[verdict]) for counts in counted])
        for verdict in VERDICTS
    )


def overwritten(insights: Sequence[SceneInsight]) -> Interval:
    """How many right beliefs were overwritten in a scene."""
    return pooled_interval([[float(sum(len(m.overwritten) for m in _maps(insight)))] for insight in insights])


def _maps(insight: SceneInsight) -> list[StatedMap]:
    return [turn.stated for turn in insight.turns if turn.stated is not None]


def _entry(one: Listed) -> Entry:
    lost = [lost for insight in one.insights for stated in _maps(insight) for lost in stated.overwritten]
    shares = [percent(share) for share in evidence_shares(one.insights)]
    if one.run.options.probe_turns != "every":
        return Entry(one.name, (Row((*shares, Cell(), Cell())),), one.where)
    in_view = Cell(f"{sum(each.in_view for each in lost)}/{len(lost)}") if lost else Cell()
    return Entry(one.name, (Row((*shares, number(1)(overwritten(one.insights)), in_view)),), one.where)
