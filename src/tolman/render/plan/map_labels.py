"""Names on a map picture, set so that they hide as little as can be."""

from collections.abc import Sequence

from tolman.render.plan.brush import Brush, text_width
from tolman.render.plan.labels import Box, Label, Request, Wording, place_labels
from tolman.render.plan.letters import drawable
from tolman.render.plan.map_marks import Mark
from tolman.render.plan.map_style import FAINT, FLOOR, INK, STATED, Colour
from tolman.render.plan.sheet import Sheet
from tolman.world import Scene

_LINE = 1.15
"""Height of a line in sizes of the letters."""
_RIM = 2
"""Pixels of light rim around the letters."""
_LONGEST = 24
"""Letters of a name, beyond which it is cut off."""
_LEAST_CELL = 13.0
"""Pixels along a cell below which names would hide the map, and only the worst errors are named."""
_MOST, _WORST = 60, 8
"""Number of names, and of names for the worst errors."""


def draw_labels(
    brush: Brush, scene: Scene, sheet: Sheet, symbols: Sequence[tuple[Mark, Box]], obstacles: Sequence[Box]
) -> None:
    """A name beside each symbol: dark where the thing has been seen, faint where not, blue where it does not exist."""
    size, named = _letters(sheet), _named(sheet, symbols)
    requests = [_request(scene, sheet, mark, box, size) for mark, box in named]
    labels = place_labels(requests, obstacles, gap=1.0)
    for rim in (_RIM, 0):
        for (mark, _), label in zip(named, labels, strict=True):
            _write(brush, label, size, FLOOR if rim else _ink(mark), rim)


def _letters(sheet: Sheet) -> float:
    """Size of the letters in whole pixels, at which they are sharpest."""
    return min(max(9.0, round(0.42 * sheet.cell)), round(0.01 * sheet.width + 7))


def _named(sheet: Sheet, symbols: Sequence[tuple[Mark, Box]]) -> Sequence[tuple[Mark, Box]]:
    """Everything where there is room for all names, or what is farthest off."""
    most = _MOST if sheet.cell >= _LEAST_CELL else _WORST
    return symbols if len(symbols) <= most else sorted(symbols, key=lambda symbol: -(symbol[0].error or 0.0))[:most]


def _ink(mark: Mark) -> Colour:
    if mark.true is None:
        return STATED
    return INK if mark.seen else FAINT


def _request(scene: Scene, sheet: Sheet, mark: Mark, box: Box, size: float) -> Request:
    """A label in full, on two lines, or cut short, on the floor of a room where it has one."""
    rooms = scene.item(mark.name).rooms if mark.name in scene else scene.room_ids
    floors = tuple(sheet.cells(scene.room(n).low, scene.room(n).high) for n in rooms)
    return Request(tuple(_wording(text, size) for text in _texts(mark.name)), box, floors)


def _texts(name: str) -> tuple[str, ...]:
    """The ways to write a name, best first."""
    name = drawable(name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…")
    words = name.split(" ")
    half = (len(words) + 1) // 2
    folded = "\n".join(" ".join(part) for part in (words[:half], words[half:]) if part)
    short = " ".join(word if len(word) <= 7 else word[:5] + "." for word in words)
    return tuple(dict.fromkeys((name, folded, short)))


def _wording(text: str, size: float) -> Wording:
    lines = text.split("\n")
    return Wording(text, max(text_width(line, size) for line in lines) + 2 * _RIM, size * _LINE * len(lines))


def _write(brush: Brush, label: Label, size: float, colour: Colour, rim: int) -> None:
    lines = label.text.split("\n")
    for i, line in enumerate(lines):
        y = label.y + size * _LINE * ((len(lines) - 1) / 2 - i)
        brush.text(line, (label.x - text_width(line, size) / 2, y), size, colour, rim=rim)
