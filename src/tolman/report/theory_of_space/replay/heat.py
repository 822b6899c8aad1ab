"""Probabilities of positions, small enough for a page: what is new after each turn, in thousandths."""

from collections.abc import Iterable, Mapping

from tolman.belief import Belief
from tolman.geometry import Cell

Heat = dict[str, list[int]]
"""By place of a name in the scene: number of a cell, its probability in thousandths, the next cell, ...

Cells of [-extent, extent] squared are numbered from the south-west, row by row. What is possible counts as one
thousandth at least.
"""


class HeatMaps:
    """Turns the maps of one turn after another into what changes."""

    def __init__(self, names: Iterable[str], extent: int) -> None:
        self._places = {name: str(i) for i, name in enumerate(names)}
        self._extent = extent
        self._last: Heat = {}
        self._possible: dict[str, int] = {}

    def changes(self, marginals: Mapping[str, Mapping[Cell, float]]) -> Heat:
        """What differs from the turn before."""
        heat = {self._places[name]: self._packed(cells) for name, cells in marginals.items() if name in self._places}
        changed = {place: packed for place, packed in heat.items() if self._last.get(place) != packed}
        self._last = heat
        return changed

    def possible(self, belief: Belief) -> Heat:
        """The same for a belief that tells only what is possible: every cell of a name has the same share."""
        known = [name for name in belief.names if belief.is_constrained(name)]
        news = {name: belief.possible(name) for name in known if self._possible.get(name) != belief.possible(name)}
        self._possible |= news
        return {self._places[name]: self._packed(_evenly(belief.positions(name))) for name in news}

    def _packed(self, cells: Mapping[Cell, float]) -> list[int]:
        side = 2 * self._extent + 1
        packed: list[int] = []
        for (x, y), chance in cells.items():
            packed += ((y + self._extent) * side + x + self._extent, max(1, round(1000 * chance)))
        return packed


def _evenly(cells: tuple[Cell, ...]) -> dict[Cell, float]:
    return dict.fromkeys(cells, 1 / len(cells))
