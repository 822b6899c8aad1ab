"""A cat and a dog, looking ahead."""

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.materials import BRASS, fur, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import curve
from tolman.render.shapes.solids import ball, cylinder
from tolman.render.shapes.sweep import capsule, ring, tube
from tolman.render.shapes.transforms import all_moved, mirrored, shift, stretch, turn

NOSE = painted("#1a1614", 0.25)


@model("dog")
def dog(stream: Stream) -> Model:
    """Standing, with a long muzzle, hanging ears and its tail up."""
    dark, light, patch = pick(
        stream,
        ("#8a5a2e", "#b8834a", "#efe6d6"),
        ("#2c2724", "#4a423c", "#b8834a"),
        ("#c9a46a", "#e6cb98", "#f4ead6"),
        ("#6b4a34", "#8f6a4c", "#efe6d6"),
    )
    coat, pale = fur(stream, dark, light), painted(patch, 0.95)
    collar = painted(pick(stream, "#c8372d", "#2c5fa8", "#2f8a57"), 0.6)
    trunk = [
        tube(
            curve([(0, -0.25, 0.4), (0, -0.1, 0.41), (0, 0.08, 0.41), (0, 0.17, 0.43)], 3),
            [0.06, 0.085, 0.095, 0.095, 0.095, 0.1, 0.11, 0.115, 0.105, 0.08],
            coat,
            14,
        ),
        ball((0.085, 0.07, 0.1), (0, -0.24, 0.4), coat, 8),
        ball((0.095, 0.07, 0.12), (0, 0.17, 0.41), coat, 8),
        ball((0.06, 0.03, 0.09), (0, 0.225, 0.38), pale, 8),
    ]
    neck = [
        capsule((0, 0.18, 0.45), (0, 0.25, 0.56), 0.075, coat, 0.062),
        ring(0.068, 0.013, (0, 0, 0), collar).moved(turn("x", -32)).moved(shift(0, 0.225, 0.525)),
    ]
    head = [
        ball((0.078, 0.085, 0.075), (0, 0.27, 0.6), coat, 10),
        capsule((0, 0.32, 0.585), (0, 0.4, 0.565), 0.045, pale, 0.034),
        ball((0.02, 0.016, 0.015), (0, 0.434, 0.582), NOSE, 8),
        *(ball(0.0135, (s * 0.034, 0.345, 0.632), NOSE, 8) for s in (-1, 1)),
    ]
    ears = _pair(capsule((0.068, 0.25, 0.64), (0.1, 0.265, 0.55), 0.026, painted(dark, 0.95), 0.03))
    front, rear = _pair(*_leg(coat, pale, 0.06, 0.16, 0.36, 0.01)), _pair(*_leg(coat, pale, 0.06, -0.25, 0.36, -0.03))
    thighs = _pair(ball((0.045, 0.08, 0.1), (0.06, -0.24, 0.34), coat, 8))
    tail = tube(
        curve([(0, -0.29, 0.45), (0, -0.36, 0.52), (0, -0.37, 0.62)], 3),
        [0.026, 0.026, 0.024, 0.022, 0.02, 0.015, 0.008],
        coat,
        8,
    )
    tag = ball(0.014, (0, 0.285, 0.475), BRASS, 6)
    return built(trunk, neck, head, ears, front, rear, thighs, tail, tag)


def _leg(coat: Material, paw: Material, x: float, y: float, top: float, knee: float) -> list[Mesh]:
    joint = (x, y + knee, 0.5 * top)
    return [
        capsule((x, y, top), joint, 0.042, coat, 0.03),
        capsule(joint, (x, y, 0.04), 0.028, coat, 0.024),
        ball((0.032, 0.046, 0.024), (x, y + 0.018, 0.024), paw, 8),
    ]


def _pair(*meshes: Mesh) -> list[Mesh]:
    return [*meshes, *(mirrored(mesh) for mesh in meshes)]


@model("cat")
def cat(stream: Stream) -> Model:
    """Sitting upright, with pointed ears, whiskers and its tail around behind."""
    dark, light, patch = pick(
        stream,
        ("#b5702e", "#dd9f55", "#f6ecd8"),
        ("#232224", "#3a383a", "#f2efe8"),
        ("#77736e", "#a39e97", "#f2efe8"),
        ("#d8cdb8", "#efe6d4", "#6b4a34"),
    )
    coat, pale = fur(stream, dark, light), painted(patch, 0.95)
    body = [
        ball((0.105, 0.125, 0.12), (0, -0.06, 0.11), coat, 10),
        tube([(0, -0.06, 0.12), (0, -0.005, 0.2), (0, 0.04, 0.275)], [0.105, 0.085, 0.06], coat, 12),
        ball((0.05, 0.03, 0.075), (0, 0.068, 0.2), pale, 8),
        *_pair(ball((0.05, 0.09, 0.07), (0.075, -0.03, 0.07), coat, 8)),
    ]
    legs = _pair(
        capsule((0.04, 0.06, 0.2), (0.042, 0.085, 0.03), 0.03, coat, 0.024),
        ball((0.03, 0.044, 0.022), (0.042, 0.1, 0.022), pale, 8),
        ball((0.032, 0.05, 0.022), (0.085, 0.06, 0.022), pale, 8),
    )
    side = pick(stream, -1, 1)
    tail = tube(
        curve(
            [
                (0, -0.15, 0.05),
                (side * 0.05, -0.24, 0.03),
                (side * 0.08, -0.31, 0.08),
                (side * 0.06, -0.33, 0.2),
                (side * 0.04, -0.3, 0.27),
            ],
            3,
        ),
        0.021,
        coat,
        8,
    )
    tip = ball(0.022, (side * 0.04, -0.3, 0.272), pale, 8)
    return built(body, _cat_head(stream, coat, pale), legs, tail, tip)


def _cat_head(stream: Stream, coat: Material, pale: Material) -> list[Mesh]:
    head = [
        ball((0.075, 0.066, 0.062), (0, 0.065, 0.32), coat, 10),
        ball((0.034, 0.026, 0.024), (0, 0.118, 0.302), pale, 8),
        ball((0.01, 0.007, 0.007), (0, 0.143, 0.31), painted("#d88a8a", 0.5), 6),
    ]
    ear = [_cone(0.032, 0.062, coat), _cone(0.02, 0.042, painted("#e2a9a4", 0.9)).moved(shift(0, 0.011, 0.004))]
    ears = _pair(*all_moved(ear, stretch(1, 0.55, 1), turn("y", 16), shift(0.045, 0.06, 0.36)))
    eye = painted(pick(stream, "#7fb24a", "#d8a82e", "#5f9fd0"), 0.1)
    eyes = _pair(
        ball((0.016, 0.008, 0.016), (0.03, 0.122, 0.333), eye, 8),
        ball((0.005, 0.004, 0.014), (0.03, 0.13, 0.333), NOSE, 6),
    )
    whiskers = _pair(
        *(tube([(0.02, 0.135, 0.302), (0.1, 0.13, 0.302 + dz)], 0.0016, pale, sides=4) for dz in (-0.014, 0.004, 0.02))
    )
    return [*head, *ears, *eyes, *whiskers]


def _cone(radius: float, height: float, material: Material) -> Mesh:
    return cylinder(radius, height, (0, 0, 0), material, top=0.0, sides=12)
