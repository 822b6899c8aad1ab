"""Colours of the floor plan."""

PAGE = "#ffffff"
HALO = "#fffdf9"
WALL = "#47413c"
INK = "#2c2a28"
FAINT = "#b9ac99"
THING = "#a8b9bf"
THING_EDGE = "#3c4f58"
AGENT = "#c8452f"

_FLOORS = ("#f6f0e6", "#efe7d9", "#f3eadb", "#ebe4d8", "#f7eee0", "#ede5d3")
_NUMERALS = ("#ebe2d2", "#e3d9c7", "#e7dcc8", "#dfd6c6", "#ece0cc", "#e1d7c1")


def floor_colour(room: int) -> str:
    """One of a few similar tones, so that neighbouring rooms differ slightly."""
    return _FLOORS[room % len(_FLOORS)]


def numeral_colour(room: int) -> str:
    """A shade darker than that room's floor, for the number written on it."""
    return _NUMERALS[room % len(_NUMERALS)]
