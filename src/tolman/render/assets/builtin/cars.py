"""Cars: the bonnet, grille and headlights are ahead."""

import numpy as np

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, RUBBER, WHITE, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.assets.builtin.wheels import wheel
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import curve, extrusion
from tolman.render.shapes.solids import ball, box, disc
from tolman.render.shapes.surface import Floats
from tolman.render.shapes.sweep import loft, tube

PAINT = ("#a8201c", "#1f3f7a", "#d8dadc", "#1c1d20", "#6b7278", "#2f6b45", "#d9a21f", "#f0efe9")


@model("car")
def car(stream: Stream) -> Model:
    """A family car of four metres."""
    coat, glass = painted(pick(stream, *PAINT), 0.15), painted("#10161b", 0.06)
    roof = between(stream, 1.4, 1.48)
    rear = between(stream, -1.95, -1.55)
    line = curve(
        [
            (-2.05, 0.35),
            (-2.08, 0.6),
            (-2.0, 0.92),
            (-1.5, 0.98),
            (0.7, 0.95),
            (1.6, 0.84),
            (2.0, 0.7),
            (2.06, 0.5),
            (2.0, 0.32),
        ],
        3,
    )
    lower = extrusion(
        [*((float(y), float(z)) for y, z in line), (1.9, 0.24), (-1.9, 0.24)], (-0.88, 0.88), coat, "x", 0.09
    )
    cabin = loft(
        [_plan(0.8, rear, 0.95, 0.93), _plan(0.76, rear + 0.1, 0.62, 1.1), _plan(0.66, rear + 0.38, 0.18, roof - 0.06)],
        glass,
    )
    top = loft(
        [
            _plan(0.67, rear + 0.36, 0.2, roof - 0.075),
            _plan(0.66, rear + 0.4, 0.16, roof - 0.03),
            _plan(0.58, rear + 0.5, 0.05, roof),
        ],
        coat,
    )
    pillars = [m for s in (-1, 1) for m in _pillars(s, rear, roof, coat)]
    wheels = [
        m
        for s in (-1, 1)
        for y in (1.3, -1.28)
        for m in (
            *wheel(0.33, 0.22, (s * 0.78, y, 0.33), RUBBER, CHROME),
            disc(0.39, 0.02, (s * 0.885 - 0.01, y, 0.35), BLACK, "x", 28),
        )
    ]
    return built(lower, cabin, top, pillars, wheels, _lights(), _details(coat))


def _plan(half: float, back: float, front: float, z: float) -> Floats:
    """A rounded rectangle seen from above."""
    angle = np.arange(24) * 2 * np.pi / 24
    x = half * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.35
    y = (front + back) / 2 + (front - back) / 2 * np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** 0.35
    return np.stack([x, y, np.full(24, z)], 1)


def _pillars(side: int, rear: float, roof: float, coat: Material) -> list[Mesh]:
    low, high = 0.93, roof - 0.05
    feet = ((rear + 0.06, rear + 0.4), (rear + 1.35, rear + 1.2), (0.9, 0.18))
    return [tube([(side * 0.79, a, low), (side * 0.66, b, high)], 0.035, coat, sides=6) for a, b in feet]


def _lights() -> list[Mesh]:
    white, red, amber = painted("#f4f4ee", 0.05), painted("#a8120f", 0.1), painted("#f0912e", 0.15)
    made: list[Mesh] = []
    for s in (-1, 1):
        made += [
            ball((0.17, 0.08, 0.075), (s * 0.62, 1.985, 0.66), white, 8),
            ball((0.05, 0.05, 0.05), (s * 0.8, 1.93, 0.66), amber, 6),
        ]
        made += [box((0.28, 0.06, 0.14), (s * 0.62, -2.05, 0.68), red, 0.02)]
    return made


def _details(coat: Material) -> list[Mesh]:
    grille = [
        box((0.8, 0.03, 0.13), (0, 2.035, 0.5), BLACK, 0.01),
        *(box((0.78, 0.012, 0.012), (0, 2.052, 0.52 + 0.03 * i), CHROME, 0.003) for i in range(4)),
    ]
    bumpers = [box((1.6, 0.08, 0.12), (0, y, 0.32), DARK, 0.03) for y in (2.03, -2.05)]
    plates = [
        box((0.46, 0.012, 0.11), (0, 2.078, 0.33), WHITE, 0.004),
        box((0.46, 0.012, 0.11), (0, -2.1, 0.46), painted("#f0d060"), 0.004),
    ]
    handles = [box((0.03, 0.16, 0.03), (s * 0.885, y, 0.82), CHROME, 0.008) for s in (-1, 1) for y in (0.15, -0.75)]
    seams = [box((0.012, 0.012, 0.55), (s * 0.878, y, 0.36), DARK, 0.002) for s in (-1, 1) for y in (0.75, -0.28, -1.1)]
    mirrors = [ball((0.09, 0.06, 0.065), (s * 0.92, 0.72, 1.0), coat, 8) for s in (-1, 1)]
    return [*grille, *bumpers, *plates, *handles, *seams, *mirrors]
