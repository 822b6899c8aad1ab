"""What figures of several runs share: panels by world and mode, and each run's colour and shape."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import altair as alt

from tolman.report.theory_of_space.site.listed import Listed


def by_part(runs: Iterable[Listed]) -> Iterator[tuple[str, list[Listed]]]:
    """Runs of one world and mode, under its title: each part has a panel of its own."""
    for title, found in groupby(runs, key=lambda one: one.shown.part):
        yield title, list(found)


def colours(runs: Sequence[Listed]) -> alt.Color:
    """Colour by the field `run`, which holds names."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.colour for one in runs])
    return alt.Color("run:N", sort=None, scale=scale, legend=_legend(runs))


def shapes(runs: Sequence[Listed]) -> alt.Shape:
    """Shape by the field `run`: told apart without colour too."""
    scale = alt.Scale(domain=[one.name for one in runs], range=[one.shape for one in runs])
    return alt.Shape("run:N", sort=None, scale=scale, legend=_legend(runs))


def _legend(runs: Sequence[Listed]) -> alt.Legend:
    """A name may have several lines."""
    longest = max(len(line) for one in runs for line in one.name.split("\n"))
    lines = "split(datum.label, '\\n')"
    return alt.Legend(title=None, columns=1 if longest > 24 else 2, symbolOpacity=1, labelExpr=lines)
