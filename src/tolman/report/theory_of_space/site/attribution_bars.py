"""Where points were lost, as bars: for each run, and for each kind of question."""

from collections.abc import Mapping, Sequence

from tolman.report.intervals import Interval
from tolman.report.site import Figure, Panel
from tolman.report.site.theme import BLUE, GREY, PURPLE, VERMILLION
from tolman.report.table import Entry, Row, Table, heading, percent
from tolman.report.theory_of_space.attribution import ALL, Attribution, Shares, attribution
from tolman.report.theory_of_space.score_columns import KINDS, spoken
from tolman.report.theory_of_space.site.bars import Bar, Kind, stacked_bars
from tolman.report.theory_of_space.site.listed import Listed

PARTS = (
    Kind("score", BLUE),
    Kind("lost to reasoning", VERMILLION),
    Kind("format errors", PURPLE, "#1b1f24"),
    Kind("lost to exploration", GREY),
)
_AXIS = "share of all points, %"
_HEADS = (*(heading(kind.name) for kind in PARTS), heading("ceiling"))
_LUCK = "A part left of 0 is luck: guesses that did better than could be expected."

Attributed = Sequence[tuple[Listed, Attribution]]


def attributed(runs: Sequence[Listed]) -> Attributed:
    """Runs that were asked questions, each with where it lost its points."""
    found = [(one, attribution(one.run, one.insights)) for one in runs]
    return [(one, known) for one, known in found if known is not None]


def attribution_figure(runs: Attributed) -> Figure:
    """One bar a run."""
    caption = (
        "All points that the questions are worth: won; lost though what was seen would have told (reasoning); lost in "
        "replies without an answer (form); and lost since it was never seen (exploration). "
    )
    bars = [Bar(one.label, parts(known.shares[ALL])) for one, known in runs]
    panels = [Panel(stacked_bars(bars, PARTS, _AXIS))] if bars else []
    entries = tuple(_entry(one.name, one.where, known.shares[ALL]) for one, known in runs)
    numbers = Table("attribution-numbers", "", "run", _HEADS, entries)
    return Figure("attribution", "Where points were lost", caption + _luck(runs, [ALL]), panels, numbers)


def kinds_figure(runs: Attributed) -> Figure:
    """A panel for each run, a bar for each kind of question."""
    caption = "The same by kind of question; the border between colour and grey is the ceiling. "
    panels = [Panel(_by_kind(known.shares), one.label) for one, known in runs]
    entries = tuple(
        _entry(spoken(kind), one.label, known.shares[kind]) for one, known in runs for kind in _asked(known.shares)
    )
    numbers = Table("attribution-by-kind-numbers", "", "kind of question", _HEADS, entries)
    title = "Where points were lost, by kind of question"
    key = tuple((kind.name, kind.colour) for kind in PARTS)
    return Figure("attribution-by-kind", title, caption + _luck(runs, KINDS), panels, numbers, key)


def parts(shares: Shares) -> tuple[Interval, ...]:
    """In the order of `PARTS`; they add up to 1."""
    return shares.score, shares.reasoning, shares.form, shares.exploration


def _by_kind(shares: Mapping[str, Shares]) -> dict[str, object]:
    bars = [Bar(spoken(kind), parts(shares[kind])) for kind in _asked(shares)]
    return stacked_bars(bars, PARTS, _AXIS, beside=True)


def _asked(shares: Mapping[str, Shares]) -> list[str]:
    return [*(kind for kind in KINDS if kind in shares), *(kind for kind in shares if kind not in (*KINDS, ALL))]


def _luck(runs: Attributed, kinds: Sequence[str]) -> str:
    lucky = any(known.shares[kind].reasoning.mean < 0 for _, known in runs for kind in kinds if kind in known.shares)
    return _LUCK if lucky else ""


def _entry(name: str, below: str, shares: Shares) -> Entry:
    numbers = (*parts(shares), shares.ceiling)
    return Entry(name, (Row(tuple(percent(number) for number in numbers)),), below)
