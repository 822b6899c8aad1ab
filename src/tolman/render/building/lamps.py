"""Ceiling lamps of several kinds. All stay within ten centimetres of the ceiling, where views from above begin."""

from collections.abc import Callable, Iterator

from tolman.core.seeds import one_of
from tolman.render.building.relief import Stream
from tolman.render.building.walls import CEILING, slab
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.solids import ball, cylinder

Lamp = Callable[[float, float, Material], Iterator[Mesh]]
"""The meshes of a lamp at x, y, given the material that shines."""
_WHITE = Material(srgb("#e6e4de"), roughness=0.5)
_METAL = Material(srgb("#8c8a86"), roughness=0.35, metallic=0.8)
_WARM = ((1.0, 0.87, 0.70), (1.0, 0.90, 0.77), (1.0, 0.93, 0.84))
"""Light of about 3,500 to 4,500 K: warm, as a camera shows it that is halfway adapted."""


def panel(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """A square panel."""
    yield slab((x - 0.26, y - 0.26, CEILING - 0.035), (x + 0.26, y + 0.26, CEILING - 0.025), glow)
    yield slab((x - 0.29, y - 0.29, CEILING - 0.025), (x + 0.29, y + 0.29, CEILING), _WHITE)


def plate(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """A round plate."""
    yield cylinder(0.22, 0.03, (x, y, CEILING - 0.06), glow, sides=24)
    yield cylinder(0.24, 0.03, (x, y, CEILING - 0.03), _METAL, sides=24)


def dome(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """A bowl of opal glass."""
    yield ball((0.2, 0.2, 0.09), (x, y, CEILING), glow, 8)
    yield cylinder(0.215, 0.015, (x, y, CEILING - 0.015), _METAL, sides=24)


def tube(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """A long tube in a tray."""
    yield slab((x - 0.55, y - 0.05, CEILING - 0.075), (x + 0.55, y + 0.05, CEILING - 0.03), glow)
    yield slab((x - 0.6, y - 0.09, CEILING - 0.03), (x + 0.6, y + 0.09, CEILING), _WHITE)


def twin_tube(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """Two tubes side by side, across."""
    for side in (-0.12, 0.12):
        yield slab((x + side - 0.03, y - 0.4, CEILING - 0.07), (x + side + 0.03, y + 0.4, CEILING - 0.03), glow)
    yield slab((x - 0.19, y - 0.43, CEILING - 0.03), (x + 0.19, y + 0.43, CEILING), _METAL)


def spots(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """Four small spots on a bar."""
    yield slab((x - 0.5, y - 0.03, CEILING - 0.03), (x + 0.5, y + 0.03, CEILING), _METAL)
    for k in range(4):
        at = x - 0.42 + 0.28 * k
        yield cylinder(0.05, 0.05, (at, y, CEILING - 0.08), _METAL, sides=14)
        yield cylinder(0.044, 0.012, (at, y, CEILING - 0.092), glow, sides=14)


def ring(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """A ring of light around a dark middle."""
    yield cylinder(0.27, 0.03, (x, y, CEILING - 0.06), glow, sides=28)
    yield cylinder(0.16, 0.012, (x, y, CEILING - 0.072), _METAL, sides=28)
    yield cylinder(0.285, 0.03, (x, y, CEILING - 0.03), _METAL, sides=28)


def downlights(x: float, y: float, glow: Material) -> Iterator[Mesh]:
    """Four lights let into the ceiling around a point."""
    for dx, dy in ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)):
        yield cylinder(0.09, 0.006, (x + dx, y + dy, CEILING - 0.012), glow, sides=16)
        yield cylinder(0.11, 0.006, (x + dx, y + dy, CEILING - 0.006), _METAL, sides=16)


LAMPS: dict[str, tuple[Lamp, float]] = {
    "panel": (panel, 0.27),
    "plate": (plate, 0.19),
    "dome": (dome, 0.17),
    "tube": (tube, 0.21),
    "twin tube": (twin_tube, 0.21),
    "spots": (spots, 0.024),
    "ring": (ring, 0.2),
    "downlights": (downlights, 0.1),
}
"""By name, with the square metres that shine downwards, for lamps of equal power."""


def random_lamp(stream: Stream, power: float) -> Callable[[float, float], Iterator[Mesh]]:
    """A kind of lamp whose radiance times its square metres is `power`, in a warm white."""
    build, area = list(LAMPS.values())[int(stream.integers(len(LAMPS)))]
    glow = Material(one_of(stream, _WARM), emission=power / area)
    return lambda x, y: build(x, y, glow)
