"""The table that `tolman probe` prints."""

import math
from collections.abc import Sequence

from rich.table import Table

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.benchmarks.sparrta.probe_tables import Mean, means_by
from tolman.probing.head_names import EVERY_HEAD
from tolman.probing.protocol import find_protocol
from tolman.report.sparrta.spread import spread


def probe_table(cells: Sequence[Cell]) -> Table:
    """One row for each encoder, layer, environment and viewpoint; a column for each head."""
    heads = [head for head in EVERY_HEAD if any(cell.key.head == head for cell in cells)]
    rows = [[cell for cell in cells if _row(cell) == row] for row in dict.fromkeys(map(_row, cells))]
    title = f"Right in the test, %, with {spread(rows)}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in ("encoder", "layer", "environment", "view"):
        table.add_column(heading)
    for head in heads:
        table.add_column(head, justify="right")
    means = means_by(cells, lambda cell: (_row(cell), cell.key.head))
    for row in dict.fromkeys(_row(cell) for cell in cells):
        table.add_row(*row, *(_percent(means.get((row, head))) for head in heads))
    return table


def _row(cell: Cell) -> tuple[str, str, str, str]:
    key = cell.key
    usual = find_protocol(str(key.protocol["name"]), "linear" if key.head == "cls" else key.head, key.viewpoint)
    notes = [
        *(["labels shuffled"] if key.shuffled else []),
        *([usual.name] if usual.name != "paper" else []),
        *([f"{key.protocol['epochs']} epochs"] if key.protocol["epochs"] != usual.epochs else []),
    ]
    name = f"{key.encoder} ({', '.join(notes)})" if notes else key.encoder
    return name, f"{key.layer}/{key.layers}", key.environment, key.viewpoint


def _percent(mean: Mean | None) -> str:
    if mean is None:
        return ""
    if math.isnan(mean.low):
        return f"{100 * mean.mean:.1f}"
    return f"{100 * mean.mean:.1f} [{100 * mean.low:.0f}, {100 * mean.high:.0f}]"
