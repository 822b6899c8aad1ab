"""Surfaces of rooms as square textures that repeat: colour, relief as a normal map, and roughness."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Material, Texture, srgb
from tolman.render.shapes.textures import noise, srgb_bytes

Floats = NDArray[np.float64]
Stream = np.random.Generator
SIDE = 512
"""Pixels of a texture."""
_PAINTED_RELIEF = 0.3
"""How much lighter a surface is painted that is turned up, and how much darker one that is turned down."""
_STEEPEST = 0.9
"""Largest slope of a relief; steeper ones would only sparkle."""
_BUMPS_PER_METRE = 45
"""Finest relief that pictures can show without sparkling: the engine does not blur textures with distance."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A finish of a floor or wall, whose texture repeats every `repeat` metres."""

    material: Material
    repeat: float
    weight: float = 1.0
    """Chance to be drawn, against that of others."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A surface before it is made into textures; arrays are squares of `SIDE` pixels, their first row on top."""

    colour: Floats
    """Linear red, green and blue."""
    height: Floats
    """Metres."""
    roughness: Floats | float
    repeat: float
    """Metres along a side."""

    def shaded(self) -> Surface:
        """The finish with its relief painted as lit from above, which costs nothing to render: for walls."""
        shade = lit_from_above(relief(self.height, self.repeat))
        return Surface(
            Material(Texture(srgb_bytes(self.colour * shade[..., None]), fine=True), float(np.mean(self.roughness))),
            self.repeat,
        )

    def surface(self) -> Surface:
        """The finish with its textures."""
        gloss = None
        mean = float(np.mean(self.roughness))
        if not isinstance(self.roughness, float):
            gloss = Texture(np.round(np.clip(self.roughness, 0.05, 1) * 255).astype(np.uint8)[..., None], fine=True)
        material = Material(
            Texture(srgb_bytes(self.colour), fine=True), mean, relief=relief(self.height, self.repeat), gloss=gloss
        )
        return Surface(material, self.repeat)


def relief(height: Floats, repeat: float) -> Texture:
    """The normal map of a height in metres that repeats every `repeat` metres."""
    step = 2 * repeat / len(height)
    right = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) / step
    up = (np.roll(height, 1, 0) - np.roll(height, -1, 0)) / step
    slope = np.hypot(right, up)
    shrink = np.minimum(1, _STEEPEST / np.maximum(slope, 1e-9))
    normal: Floats = np.stack([-right * shrink, -up * shrink, np.ones_like(right)], -1)
    unit: Floats = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    return Texture(np.round((unit + 1) * 127.5).astype(np.uint8), fine=True)


def lit_from_above(normals: Texture) -> Floats:
    """Shades of a relief under a light above it."""
    vectors = normals.image / 127.5 - 1
    return 1 + _PAINTED_RELIEF * (vectors[..., 1] + vectors[..., 2] - 1)


def grid() -> tuple[Floats, Floats]:
    """Row and column of each pixel from 0 to 1, the row counted from the top."""
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    return (row + 0.5) / SIDE, (column + 0.5) / SIDE


def clouds(stream: Stream, bumps: int, layers: int = 3) -> Floats:
    """Noise in [-1, 1] at several scales that repeats at the edges, the largest with `bumps` along a side."""
    total, weight = np.zeros((SIDE, SIDE)), 0.0
    for layer in range(layers):
        total += noise(stream, bumps << layer, bumps << layer, SIDE) / 2**layer
        weight += 1 / 2**layer
    return 2 * total / weight - 1


def grained(stream: Stream, along: int, across: int) -> Floats:
    """Noise in [-1, 1] drawn out along rows, as the grain of wood."""
    return 2 * (0.6 * noise(stream, along, across, SIDE) + 0.4 * noise(stream, 2 * along, 2 * across, SIDE)) - 1


def rough(stream: Stream, repeat: float, height: float) -> Floats:
    """A relief of about `height` metres, as fine as pictures can show."""
    bumps = round(_BUMPS_PER_METRE * repeat)
    return height * (2 * noise(stream, bumps, bumps, SIDE) - 1)


def joints(distance: Floats, width: float) -> Floats:
    """1 in the middle of a joint, 0 from half its width on, given the distance from the middle."""
    return np.clip(1.5 - 2 * distance / width, 0, 1)


def bevel(distance: Floats, width: float) -> Floats:
    """Height of a bevelled edge from 0 to 1, over `width` from the middle of a joint."""
    share = np.clip(distance / width, 0, 1)
    return share * share * (3 - 2 * share)


def tinted(code: str, shade: Floats) -> Floats:
    """A colour times a shade for each pixel; linear."""
    return np.array(srgb(code)) * shade[..., None]


def mixed(first: Floats, second: Floats, share: Floats) -> Floats:
    """A blend of two colours of each pixel."""
    return first + (second - first) * share[..., None]


def blocks(stream: Stream, repeat: float, rows: int, columns: int, shift: Floats) -> tuple[Floats, Floats]:
    """Rows of blocks, each row shifted along by a share of a block: a random number for each pixel's block, and the
    distance to the nearest joint in metres."""
    down, across = grid()
    row = (down * rows).astype(int)
    along = (across * columns + shift[row]) % columns
    tone = stream.random((rows, columns))[row, along.astype(int)]
    return tone, np.minimum(to_edge(down * rows) / rows, to_edge(along) / columns) * repeat


def to_edge(places: Floats) -> Floats:
    """Distance from the nearest whole number: from the edges of cells, in cells."""
    part = places % 1
    return np.minimum(part, 1 - part)


def one_colour(code: str) -> Floats:
    """A colour for all pixels; linear."""
    return np.broadcast_to(np.array(srgb(code)), (SIDE, SIDE, 3))
