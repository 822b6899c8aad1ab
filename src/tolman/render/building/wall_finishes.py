"""Walls without a download: paint, plaster, wallpaper, brick, boards, stone, each from a random stream.

Colours are pale or dull, so that no wall hides a thing or passes for its colour.
"""

from collections.abc import Callable

import numpy as np

from tolman.core.seeds import one_of
from tolman.render.building.relief import (
    Floats,
    Pattern,
    Stream,
    bevel,
    blocks,
    clouds,
    grained,
    grid,
    joints,
    mixed,
    one_colour,
    rough,
    tinted,
    to_edge,
)

_PAINTS = (
    "#e9e4d8", "#dfe5e6", "#e8ddd0", "#d8e0d3", "#e6d9d4", "#d5dbe4", "#eee8da", "#dcd6cb", "#c9d2cb", "#d9c9b4",
    "#c3ccd6", "#d3c4c4",
)  # fmt: skip
_PAPERS = (("#e4dccb", "#cfc3ac"), ("#dbe0dc", "#bfcac4"), ("#e3d8d6", "#cbb8b6"), ("#d6dde6", "#b7c3d2"))
"""Ground and pattern."""


def _flat(stream: Stream) -> Floats:
    return 1 + 0.02 * clouds(stream, 3, 3)


def paint(stream: Stream) -> Pattern:
    """Smooth matt paint."""
    return Pattern(tinted(one_of(stream, _PAINTS), _flat(stream)), 0.0004 * clouds(stream, 4, 2), 0.95, 2.0)


def satin_paint(stream: Stream) -> Pattern:
    """Paint with a slight sheen and the marks of a roller."""
    marks = grained(stream, 12, 30).T
    return Pattern(tinted(one_of(stream, _PAINTS), _flat(stream)), 0.0007 * marks, 0.55 + 0.06 * marks, 2.0)


def plaster(stream: Stream) -> Pattern:
    """Plaster with the strokes of a trowel."""
    stroke = clouds(stream, 5, 4)
    shade = 1 + 0.05 * stroke
    return Pattern(tinted(one_of(stream, _PAINTS), shade), 0.004 * stroke, 0.95, 2.2)


def rough_plaster(stream: Stream) -> Pattern:
    """Thrown plaster."""
    repeat = 1.6
    grain = rough(stream, repeat, 1.0)
    return Pattern(
        tinted(one_of(stream, _PAINTS), 1 + 0.06 * grain), 0.0024 * grain + 0.002 * clouds(stream, 12, 2), 0.95, repeat
    )


def woodchip(stream: Stream) -> Pattern:
    """Painted wallpaper with raised chips."""
    chips = np.clip(1.8 * clouds(stream, 44, 1) - 0.5, 0, 1)
    return Pattern(tinted(one_of(stream, _PAINTS), 1 - 0.03 * chips), 0.0022 * chips, 0.95, 1.6)


def grasscloth(stream: Stream) -> Pattern:
    """Woven wallpaper."""
    thread = grained(stream, 6, 110)
    colour = tinted(one_of(stream, ("#cbbf9f", "#b9bda8", "#c6b8a6", "#a9b2b5")), 1 + 0.12 * thread)
    return Pattern(colour, 0.0008 * thread, 0.95, 1.6)


def _printed(colours: tuple[str, str], share: Floats, relief: float, roughness: float, repeat: float) -> Pattern:
    """Wallpaper with a pattern that is raised by some metres."""
    ground, pattern = map(one_colour, colours)
    return Pattern(mixed(ground, pattern, share), relief * share, roughness, repeat)


def striped_paper(stream: Stream) -> Pattern:
    """Wallpaper with upright stripes."""
    colours = one_of(stream, _PAPERS)
    _, across = grid()
    stripes = 5 + int(stream.integers(6))
    part = (across * stripes) % 1
    share = ((part < 0.5) | ((part > 0.7) & (part < 0.76))).astype(float)
    return _printed(colours, share, 0.0006, 0.95, 1.0)


def damask(stream: Stream) -> Pattern:
    """Wallpaper with a repeated ornament."""
    down, across = grid()
    row = (down * 3).astype(int)
    x, y = ((across * 3 + 0.5 * (row % 2)) % 1 - 0.5) * 2, ((down * 3) % 1 - 0.5) * 2
    out, angle = np.hypot(1.4 * x, y), np.arctan2(1.4 * x, y)
    petals = 0.55 + 0.18 * np.cos(6 * angle) + 0.12 * np.cos(2 * angle)
    share = np.clip(8 * (petals - out), 0, 1) - 0.8 * np.clip(10 * (0.55 * petals - out), 0, 1)
    return _printed(one_of(stream, _PAPERS), share, 0.0008, 0.9, 1.5)


def dotted_paper(stream: Stream) -> Pattern:
    """Wallpaper with small diamonds."""
    down, across = grid()
    shifted = across * 10 + 0.5 * ((down * 10).astype(int) % 2)
    share = np.clip(6 * (0.3 - np.abs(shifted % 1 - 0.5) - np.abs((down * 10) % 1 - 0.5)), 0, 1)
    return _printed(one_of(stream, _PAPERS), share, 0.0004, 0.95, 1.2)


def _bricks(stream: Stream, repeat: float, courses: int, along: int) -> tuple[Floats, Floats]:
    """Courses shifted by half a brick: a random tone of each brick, and the distance from the nearest joint, metres."""
    return blocks(stream, repeat, courses, along, np.arange(courses, dtype=np.float64) % 2 / 2)


def brick(stream: Stream) -> Pattern:
    """Bricks in running bond, of a dull colour."""
    repeat = 1.5
    tone, edge = _bricks(stream, repeat, 20, 6)
    joint = joints(edge, 0.02)
    code = one_of(stream, ("#9a7766", "#a08a78", "#8d8680", "#b09a86"))
    colour = mixed(tinted(code, 0.82 + 0.36 * tone + 0.08 * clouds(stream, 30, 2)), one_colour("#b5ada1"), joint)
    height = 0.006 * bevel(edge, 0.02) + 0.0012 * tone + rough(stream, repeat, 0.0008)
    return Pattern(colour, height, 0.95, repeat)


def painted_brick(stream: Stream) -> Pattern:
    """Bricks under paint."""
    repeat = 1.5
    tone, edge = _bricks(stream, repeat, 20, 6)
    colour = tinted(one_of(stream, _PAINTS), 0.97 + 0.04 * tone - 0.06 * joints(edge, 0.016))
    return Pattern(colour, 0.0045 * bevel(edge, 0.022) + 0.001 * tone, 0.6, repeat)


def boards(stream: Stream) -> Pattern:
    """Upright painted boards."""
    repeat, number = 1.8, 14
    edge = to_edge(grid()[1] * number) / number * repeat
    colour = tinted(one_of(stream, _PAINTS), 1 - 0.14 * joints(edge, 0.012))
    return Pattern(colour, 0.005 * bevel(edge, 0.012) + 0.0003 * grained(stream, 60, 6), 0.5, repeat)


def panelling(stream: Stream) -> Pattern:
    """Upright boards of light wood."""
    repeat, number = 2.0, 12
    _, across = grid()
    edge = to_edge(across * number) / number * repeat
    grain = grained(stream, 4, 90).T
    tone = stream.random(number)[(across * number).astype(int)]
    shade = (0.88 + 0.24 * tone) * (1 + 0.12 * grain) * (1 - 0.35 * joints(edge, 0.012))
    colour = tinted(one_of(stream, ("#c2a27a", "#b09272", "#cbb596")), shade)
    return Pattern(colour, 0.004 * bevel(edge, 0.014) + 0.0004 * grain, 0.5 + 0.06 * grain, repeat)


def concrete(stream: Stream) -> Pattern:
    """Cast concrete with the joints and holes of its formwork."""
    repeat = 2.6
    stain = clouds(stream, 3, 5)
    down, across = grid()
    x, y = to_edge(across * 2), to_edge(down * 2)
    edge = np.minimum(x, y) * repeat / 2
    holes = np.clip(1.5 - np.hypot(x - 0.14, y - 0.14) * repeat / 2 / 0.012, 0, 1)
    dark = np.maximum(0.4 * joints(edge, 0.012), 0.7 * holes)
    colour = tinted(one_of(stream, ("#b9b6b0", "#a9aaa8", "#c2bab0")), (1 + 0.09 * stain) * (1 - dark))
    return Pattern(colour, 0.0012 * stain - 0.004 * np.maximum(joints(edge, 0.014), holes), 0.8 + 0.08 * stain, repeat)


def stone(stream: Stream) -> Pattern:
    """Rows of hewn stone of several lengths."""
    repeat = 2.0
    tone, edge = blocks(stream, repeat, 12, 5, stream.random(12) * 5)
    face = clouds(stream, 14, 3)
    shade = 0.86 + 0.26 * tone + 0.1 * face
    colour = mixed(
        tinted(one_of(stream, ("#b3a894", "#a3a29c", "#bfb4a2")), shade), one_colour("#8f877b"), joints(edge, 0.02)
    )
    return Pattern(colour, 0.007 * bevel(edge, 0.03) * (0.7 + 0.5 * tone) + 0.003 * face, 0.95, repeat)


def tiles(stream: Stream) -> Pattern:
    """Glazed tiles of 10 by 20 cm."""
    repeat = 1.6
    tone, edge = _bricks(stream, repeat, 16, 8)
    code = one_of(stream, ("#dfe4e2", "#d3dcd8", "#e4ddd0", "#cdd6de"))
    colour = mixed(tinted(code, 0.96 + 0.06 * tone), one_colour("#a9a59c"), joints(edge, 0.01))
    height = 0.003 * bevel(edge, 0.014) + 0.0006 * clouds(stream, 16, 1)
    return Pattern(colour, height, 0.2 + 0.6 * joints(edge, 0.012), repeat)


WALLS: dict[str, Callable[[Stream], Pattern]] = {
    make.__name__.replace("_", " "): make
    for make in (
        paint,
        satin_paint,
        plaster,
        rough_plaster,
        woodchip,
        grasscloth,
        striped_paper,
        damask,
        dotted_paper,
        brick,
        painted_brick,
        boards,
        panelling,
        concrete,
        stone,
        tiles,
    )
}
"""By name."""
MASONRY = frozenset({"brick", "painted brick", "concrete", "stone", "tiles"})
"""Those that are bare, or look like it: tiles laid as bricks are taken for painted brick from some metres away."""
