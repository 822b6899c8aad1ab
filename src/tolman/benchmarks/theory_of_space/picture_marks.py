"""Pictures in a text: a mark on a line of its own stands for one, until the text is sent.

Conversations stay plain text that way. Only marks in the world's own messages become pictures. What a model says is
quoted back to it within a line at most, so none of its words can make a mark.
"""

import re
from dataclasses import dataclass

from tolman.explore.actions import Phase
from tolman.geometry import Cell, Heading


@dataclass(frozen=True, slots=True)
class Look:
    """The view from a cell of the world as it is in a phase."""

    phase: Phase
    cell: Cell
    heading: Heading


@dataclass(frozen=True, slots=True)
class PointPlan:
    """The place from above, the agent in it, and lettered points in the order of their letters."""

    cell: Cell
    heading: Heading
    points: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Distances:
    """The calibration picture of distances and angles."""


@dataclass(frozen=True, slots=True)
class Names:
    """The calibration picture of all things with their names."""


Key = Look | PointPlan | Distances | Names
"""What a picture shows; with a case and options, all there is to know about it. Cells are of the world frame."""

_MARK = re.compile(r"^⟦picture ([^⟦⟧\n]{1,4000})⟧$", re.MULTILINE)
_CELL = r"(-?[0-9]{1,6}),(-?[0-9]{1,6})"
_WAYS = "|".join(heading.word for heading in Heading)
_LOOK = re.compile(rf"(explore|revise) {_CELL} ({_WAYS})")
_POINTS = re.compile(rf"points {_CELL} ({_WAYS})((?: {_CELL})*)")
_PLAIN: dict[str, Key] = {"distances": Distances(), "names": Names()}


def mark(key: Key) -> str:
    """The line that stands for a picture."""
    match key:
        case Look():
            return f"⟦picture {key.phase} {_written(key.cell)} {key.heading.word}⟧"
        case PointPlan():
            here = f"{_written(key.cell)} {key.heading.word}"
            return f"⟦picture {' '.join(['points', here, *map(_written, key.points)])}⟧"
        case Distances():
            return "⟦picture distances⟧"
        case Names():
            return "⟦picture names⟧"


def split(text: str) -> list[str | Key]:
    """A text cut at its marks; what looks like a mark and is none stays text. Pieces of white space are left out."""
    pieces: list[str | Key] = []
    begin = 0
    for found in _MARK.finditer(text):
        key = _read(found.group(1))
        if key is not None:
            pieces += [text[begin : found.start()].strip("\n"), key]
            begin = found.end()
    pieces.append(text[begin:].strip("\n"))
    return [piece for piece in pieces if not isinstance(piece, str) or piece.strip()]


def _written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _read(words: str) -> Key | None:
    if words in _PLAIN:
        return _PLAIN[words]
    look = _LOOK.fullmatch(words)
    if look:
        return Look("revise" if look[1] == "revise" else "explore", (int(look[2]), int(look[3])), _heading(look[4]))
    points = _POINTS.fullmatch(words)
    if points is None:
        return None
    cells = tuple((int(x), int(y)) for x, y in re.findall(_CELL, points[4]))
    return PointPlan((int(points[1]), int(points[2])), _heading(points[3]), cells)


def _heading(word: str) -> Heading:
    return Heading[word.upper()]
