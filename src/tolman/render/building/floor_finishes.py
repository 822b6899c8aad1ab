"""Floors without a download: wood, tiles, stone, concrete and carpet, each from a random stream."""

from collections.abc import Callable

import numpy as np

from tolman.core.seeds import one_of
from tolman.render.building.relief import (
    SIDE,
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

_WOODS = ("#a9794a", "#8a5f3a", "#b98d5f", "#6f4a2d", "#c5a177", "#94714f", "#7d6a58")
_TILES = ("#d8d2c6", "#c7ccd0", "#b9b0a2", "#cfc4b4", "#9fa6a8", "#b39a86")
_STONES = ("#8f8b84", "#a59a8a", "#7c8085", "#b7ab98")
_CARPETS = ("#8d8f86", "#7d6f66", "#8a9098", "#9c8c78", "#6f7a80", "#8a7f8f")


def _wood(stream: Stream, tone: Floats, edge: Floats, grain: Floats, repeat: float, contrast: float = 0.3) -> Pattern:
    """Wooden pieces with their tones, their distance from the nearest joint in metres, and a grain."""
    shade = (1 - contrast / 2 + contrast * tone) * (1 + 0.15 * grain) * (1 - 0.45 * joints(edge, 0.008))
    height = 0.0022 * bevel(edge, 0.012) + 0.0004 * grain + 0.0004 * clouds(stream, 6, 2)
    roughness = 0.34 + 0.1 * tone + 0.08 * grain + 0.3 * joints(edge, 0.01)
    return Pattern(tinted(one_of(stream, _WOODS), shade), height, roughness, repeat)


def _boards(stream: Stream, number: int, repeat: float) -> Pattern:
    tone, edge = blocks(stream, repeat, number, 2, stream.random(number) * 2)
    return _wood(stream, tone, edge, grained(stream, 5, 8 * number), repeat)


def boards(stream: Stream) -> Pattern:
    """Boards of 13 cm with staggered joints."""
    return _boards(stream, 16, 2.0)


def wide_boards(stream: Stream) -> Pattern:
    """Boards of 25 cm."""
    return _boards(stream, 10, 2.5)


def strips(stream: Stream) -> Pattern:
    """Narrow strips of 7 cm."""
    return _boards(stream, 22, 1.6)


def herringbone(stream: Stream) -> Pattern:
    """Blocks of 8 by 32 cm laid at right angles to each other."""
    repeat, cells, long = 1.28, 16, 4
    down, across = grid()
    row, column = down * cells, across * cells
    i, j = row.astype(int), column.astype(int)
    phase = (j - i) % (2 * long)
    lying = phase < long
    start_j, start_i = np.where(lying, j - phase, j), np.where(lying, i, i - (2 * long - 1 - phase))
    tone = stream.random((cells, cells, 2))[start_i % cells, start_j % cells, lying.astype(int)]
    along_j, along_i = np.where(lying, long, 1), np.where(lying, 1, long)
    from_j, from_i = column - start_j, row - start_i
    edge = np.minimum(np.minimum(from_j, along_j - from_j), np.minimum(from_i, along_i - from_i)) / cells * repeat
    grain = np.where(lying, grained(stream, 8, 64), grained(stream, 8, 64).T)
    return _wood(stream, tone, np.maximum(edge, 0), grain, repeat)


def parquet(stream: Stream) -> Pattern:
    """Squares of five parallel blocks, each square at a right angle to the next."""
    repeat, squares, pieces = 1.6, 4, 5
    down, across = grid()
    i, j = (down * squares).astype(int), (across * squares).astype(int)
    lying = (i + j) % 2 == 0
    line = np.where(lying, (down * squares) % 1, (across * squares) % 1) * pieces
    tone = stream.random((squares, squares, pieces))[i, j, line.astype(int)]
    edge, ends = to_edge(line) / pieces, np.minimum(to_edge(across * squares), to_edge(down * squares))
    grain = np.where(lying, grained(stream, 8, 96), grained(stream, 8, 96).T)
    return _wood(stream, tone, np.minimum(edge, ends) / squares * repeat, grain, repeat)


def _tiled(stream: Stream, tone: Floats, edge: Floats, repeat: float, colour: Floats, gloss: float) -> Pattern:
    """Tiles in a colour of each pixel, with their distance from the nearest joint in metres."""
    joint = joints(edge, 0.012)
    grout = tinted("#8f8a82", 0.9 + 0.1 * clouds(stream, 16, 2))
    shade = (0.95 + 0.1 * tone) * (1 + 0.05 * clouds(stream, 8))
    height = 0.003 * bevel(edge, 0.014) + 0.0008 * tone + 0.0004 * clouds(stream, 10, 2)
    return Pattern(mixed(colour * shade[..., None], grout, joint), height, gloss + 0.05 * tone + 0.5 * joint, repeat)


def _square_tiles(stream: Stream, number: int, repeat: float, colour: Floats, gloss: float = 0.26) -> Pattern:
    tone, edge = blocks(stream, repeat, number, number, np.zeros(number))
    return _tiled(stream, tone, edge, repeat, colour, gloss)


def large_tiles(stream: Stream) -> Pattern:
    """Tiles of 60 cm."""
    return _square_tiles(stream, 4, 2.4, one_colour(one_of(stream, _TILES)))


def small_tiles(stream: Stream) -> Pattern:
    """Tiles of 20 cm."""
    return _square_tiles(stream, 10, 2.0, one_colour(one_of(stream, _TILES)))


def chequered(stream: Stream) -> Pattern:
    """Tiles of 33 cm in two quiet colours."""
    down, across = grid()
    light, dark = one_of(stream, (("#d9d4c8", "#8d8578"), ("#d4d6d6", "#7f878c"), ("#d8cdbb", "#9a7f68")))
    even = (((down * 6).astype(int) + (across * 6).astype(int)) % 2 == 0)[..., None]
    return _square_tiles(stream, 6, 2.0, np.where(even, one_colour(light), one_colour(dark)))


def hexagons(stream: Stream) -> Pattern:
    """Six-sided tiles of 20 cm."""
    repeat, rows, columns = 1.6, 10, 8
    down, across = grid()
    best, second, owner = np.full((SIDE, SIDE), 9.0), np.full((SIDE, SIDE), 9.0), np.zeros((SIDE, SIDE), int)
    row = (down * rows).astype(int)
    for step in (-1, 0, 1):
        i = row + step
        for side in (0, 1):
            j = np.floor(across * columns - 0.5 * (i % 2)) + side
            y, x = (i + 0.5) / rows - down, (j + 0.5 * (i % 2)) / columns - across
            far = np.hypot(y * 0.928 * rows / columns * 1.0, x) * repeat
            nearer = far < best
            second = np.where(nearer, best, np.minimum(second, far))
            owner = np.where(nearer, (i % rows) * columns + (j.astype(int) % columns), owner)
            best = np.where(nearer, far, best)
    tone = stream.random(rows * columns)[owner]
    return _tiled(stream, tone, (second - best) / 2, repeat, one_colour(one_of(stream, _TILES)), 0.3)


def slabs(stream: Stream) -> Pattern:
    """Stone slabs of 40 by 80 cm with a cleft surface."""
    repeat = 2.4
    tone, edge = blocks(stream, repeat, 6, 3, stream.random(6) * 3)
    cleft = clouds(stream, 7, 4)
    colour = tinted(one_of(stream, _STONES), 0.85 + 0.3 * tone + 0.1 * cleft)
    base = _tiled(stream, tone, edge, repeat, colour, 0.55)
    return Pattern(base.colour, base.height + 0.002 * cleft, base.roughness, repeat)


def marble(stream: Stream) -> Pattern:
    """Polished slabs of 80 cm with veins."""
    warp = 0.9 * clouds(stream, 2, 4)
    down, across = grid()
    vein = np.clip(1 - 6 * np.abs(np.sin(2 * np.pi * (down + across + warp))), 0, 1)
    base, dark = one_of(stream, (("#dcd8d0", "#8d8a86"), ("#cfc3b2", "#8a7358"), ("#b9bcbb", "#71777a")))
    colour = mixed(one_colour(base), one_colour(dark), 0.55 * vein + 0.12 * (clouds(stream, 5) + 1))
    return _square_tiles(stream, 3, 2.4, colour, 0.14)


def terrazzo(stream: Stream) -> Pattern:
    """Chips of stone in cement, ground smooth."""
    base = one_colour(one_of(stream, ("#c9c4ba", "#b3b4b2", "#c2b3a2")))
    chips = clouds(stream, 40, 1)
    colour = mixed(base, one_colour("#6f675e"), (chips > 0.62).astype(float))
    colour = mixed(colour, one_colour("#efeae0"), (chips < -0.62).astype(float))
    return Pattern(colour, 0.0003 * clouds(stream, 8, 2), 0.24 + 0.05 * np.abs(chips), 1.8)


def concrete(stream: Stream) -> Pattern:
    """Trowelled concrete with stains."""
    stain = clouds(stream, 3, 5)
    shade = 1 + 0.14 * stain + 0.04 * clouds(stream, 40, 1)
    return Pattern(
        tinted(one_of(stream, ("#a5a29c", "#8f908e", "#b0a89c")), shade), 0.0012 * stain, 0.5 + 0.14 * stain, 3.0
    )


def carpet(stream: Stream) -> Pattern:
    """Cut pile."""
    repeat = 1.5
    tuft = 2 * stream.random((SIDE, SIDE)) - 1
    shade = 1 + 0.09 * tuft + 0.1 * clouds(stream, 5, 3)
    return Pattern(tinted(one_of(stream, _CARPETS), shade), rough(stream, repeat, 0.0022), 0.95, repeat)


def ribbed_carpet(stream: Stream) -> Pattern:
    """Loops in rows."""
    repeat = 1.2
    down, _ = grid()
    rib = 0.5 + 0.5 * np.cos(2 * np.pi * 40 * down)
    shade = (0.82 + 0.22 * rib) * (1 + 0.1 * clouds(stream, 30, 2))
    return Pattern(tinted(one_of(stream, _CARPETS), shade), 0.002 * rib + rough(stream, repeat, 0.001), 0.95, repeat)


def linoleum(stream: Stream) -> Pattern:
    """Marbled sheet with a soft gloss."""
    fleck = clouds(stream, 24, 3) + 0.5 * grained(stream, 6, 40)
    colour = tinted(one_of(stream, ("#8f9a8a", "#a08a74", "#7f8c98", "#a8a294")), 1 + 0.12 * fleck)
    return Pattern(colour, 0.0003 * clouds(stream, 6, 2), 0.36 + 0.04 * fleck, 2.0)


FLOORS: dict[str, Callable[[Stream], Pattern]] = {
    make.__name__.replace("_", " "): make
    for make in (
        boards,
        wide_boards,
        strips,
        herringbone,
        parquet,
        large_tiles,
        small_tiles,
        chequered,
        hexagons,
        slabs,
        marble,
        terrazzo,
        concrete,
        carpet,
        ribbed_carpet,
        linoleum,
    )
}
"""By name."""
