"""What an interval is taken over, in words."""

from collections.abc import Iterable, Sequence

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.benchmarks.sparrta.probe_tables import ENOUGH

SETTLES_NOTHING = "fewer than three triples settle nothing"


def spread(shown: Iterable[Sequence[Cell]]) -> str:
    """What the intervals of some means are taken over, each mean given by its cells."""
    counts = [len({cell.key.triple for cell in cells}) for cells in shown if cells]
    if all(count >= ENOUGH for count in counts):
        return "95 % intervals over triples"
    if all(count < ENOUGH for count in counts):
        return "95 % intervals over the pictures of a test, as there are fewer than three triples"
    return "95 % intervals over triples, or over the pictures of a test where there are fewer than three"
