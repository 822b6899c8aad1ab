"""The table of explorers: what each one paid and what it learned."""

import math
from collections.abc import Callable, Sequence

from rich.table import Table

from tolman.explore.record import ExplorationRow
from tolman.report.intervals import Interval, mean_interval

Column = tuple[str, Callable[[ExplorationRow], float], str]

COLUMNS: tuple[Column, ...] = (
    ("Steps", lambda row: row.steps, ".1f"),
    ("Cost", lambda row: row.cost, ".1f"),
    ("Info. gain", lambda row: row.info_gain[-1], ".3f"),
    ("Nodes", lambda row: row.node_coverage, ".2f"),
    ("Edges", lambda row: row.edge_coverage, ".2f"),
)


def summarise(rows: Sequence[ExplorationRow]) -> dict[str, dict[str, Interval]]:
    """Agent to column to mean with its 95 % interval over scenes; agents in order of first appearance."""
    agents = dict.fromkeys(row.agent for row in rows)
    return {
        agent: {title: mean_interval([value(row) for row in rows if row.agent == agent]) for title, value, _ in COLUMNS}
        for agent in agents
    }


def exploration_table(rows: Sequence[ExplorationRow], title: str) -> Table:
    """Means over scenes, each with its 95 % bootstrap interval below; fits a terminal of 80 columns."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("Agent", no_wrap=True)
    for name in (*(name for name, _, _ in COLUMNS), "Certain"):
        table.add_column(name, justify="right", no_wrap=True)
    for agent, cells in summarise(rows).items():
        own = [row for row in rows if row.agent == agent]
        certain = sum(math.isclose(row.info_gain[-1], 1.0) for row in own)
        shown = [_cell(cells[name], style) for name, _, style in COLUMNS]
        table.add_row(agent, *shown, f"{certain}/{len(own)}")
    return table


def _cell(interval: Interval, style: str) -> str:
    mean = format(interval.mean, style)
    if math.isnan(interval.low) or interval.low == interval.high:
        return mean
    return f"{mean}\n[dim]{interval.low:{style}}–{interval.high:{style}}[/dim]"
