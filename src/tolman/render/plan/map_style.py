"""Colours of the map picture: grey for the true scene, blue for the stated map, and green to red for errors."""

from PIL import ImageColor

from tolman.world import vocabulary

Colour = tuple[int, int, int]


def _colour(text: str) -> Colour:
    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue


PAGE = _colour("#ffffff")
WALL = _colour("#d0d4d9")
FLOOR = _colour("#eff1f4")
GRID = _colour("#d9dce1")
INK = _colour("#33373d")
QUIET = _colour("#7d838b")
FAINT = _colour("#b7bcc3")
STATED = _colour("#2463c4")
RIGHT = _colour("#1e9654")
WRONG = _colour("#d63a2f")
_MIDDLING = _colour("#e3a01b")

LARGE_ERROR = 4.0
"""Cells from which on an error is drawn in full red."""


def error_colour(cells: float) -> Colour:
    """Green for no error, through amber, to red for a large one."""
    share = min(cells / LARGE_ERROR, 1.0)
    return blend(RIGHT, _MIDDLING, 2 * share) if share < 0.5 else blend(_MIDDLING, WRONG, 2 * share - 1)


def door_colour(name: str, *, seen: bool) -> Colour:
    """The colour in a door's name; pale if the door has not been seen."""
    colour = _colour(vocabulary.door_colour(name))
    return colour if seen else blend(colour, FLOOR, 0.7)


def blend(a: Colour, b: Colour, share: float) -> Colour:
    """A linear blend with the given share of the second colour."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue
