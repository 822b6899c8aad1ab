"""What stands below the plan: its scale, a north arrow, and the list of names where the plan has numbers."""

import math
from dataclasses import dataclass
from functools import cached_property

from matplotlib.artist import Artist
from matplotlib.path import Path as Outline

from tolman.render.plan import style
from tolman.render.plan.letters import drawable, text_outline, text_size
from tolman.render.plan.sheet import MARGIN, Sheet
from tolman.render.plan.symbols import fill, rounded
from tolman.world import Door, Item

_ROW = 1.55
"""Height of a row of the legend, in sizes of its letters."""
_SCALES = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class Legend:
    """Numbers and names in columns that are read downwards, on a picture so many points wide."""

    entries: tuple[tuple[str, Item], ...]
    width: int

    @property
    def letters(self) -> float:
        """Size of the letters in points."""
        return max(7.5, 0.0095 * self.width)

    @property
    def row(self) -> float:
        """Points from one line to the next."""
        return _ROW * self.letters

    @cached_property
    def columns(self) -> int:
        longest = max((text_size(drawable(item.name), self.letters)[0] for _, item in self.entries), default=0.0)
        return max(1, int(self.width * (1 - 2 * MARGIN) / (longest + 4.5 * self.letters)))

    @property
    def rows(self) -> int:
        return math.ceil(len(self.entries) / self.columns)

    @property
    def height(self) -> float:
        """Points that it takes below the plan."""
        return self.row * (self.rows + 1)

    def corner(self, index: int) -> tuple[float, float]:
        """Left end and middle height of an entry's line."""
        column, row = divmod(index, self.rows)
        left = self.width * (MARGIN + (1 - 2 * MARGIN) * column / self.columns)
        return left, self.height - self.row * (row + 0.5)


def draw_legend(legend: Legend) -> list[Artist]:
    """Each number before its name; between them a door has a patch of its colour."""
    size = legend.letters
    texts: list[Outline] = []
    patches: list[Outline] = []
    for i, (number, item) in enumerate(legend.entries):
        x, y = legend.corner(i)
        before = x + 2.0 * size - text_size(number, size)[0]
        after = x + (3.8 if isinstance(item, Door) else 2.6) * size
        texts.append(text_outline(number, before, y, size, centred=False))
        texts.append(text_outline(drawable(item.name), after, y, size, centred=False))
        if isinstance(item, Door):
            patches.append(rounded((x + 2.6 * size, y - 0.4 * size, x + 3.4 * size, y + 0.4 * size), 0.1 * size))
    colours = [style.door_colour(item.name) for _, item in legend.entries if isinstance(item, Door)]
    return [fill(patches, colours, style.INK, 0.5), fill(texts, style.INK)]


def scale_and_north(sheet: Sheet) -> list[Artist]:
    """A bar of a few cells below the plan's left edge, and an arrow to the north below its right edge."""
    size, y = min(1.15 * sheet.lettering, 0.45 * sheet.strip), sheet.foot
    across = (sheet.right - sheet.left) / sheet.cell
    cells = max(n for n in _SCALES if n == 1 or n <= across / 6)
    end, tick = sheet.left + cells * sheet.cell, 0.3 * size
    bar = Outline([(sheet.left, y + tick), (sheet.left, y), (end, y), (end, y + tick)])
    count = "1 cell" if cells == 1 else f"{cells} cells"
    texts = [
        text_outline(count, end + 0.6 * size, y + 0.2 * size, size, centred=False),
        text_outline("N", sheet.right - 1.6 * size, y, size),
    ]
    corners = ((0.0, 0.75), (0.4, -0.75), (0.0, -0.3), (-0.4, -0.75))
    arrow = Outline([(sheet.right + size * (dx - 0.4), y + size * dy) for dx, dy in corners])
    return [fill([bar], "none", style.INK, max(0.7, 0.1 * size)), fill([*texts, arrow], style.INK)]
