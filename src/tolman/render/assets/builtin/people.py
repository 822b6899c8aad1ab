"""People, standing."""

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import WHITE, cloth, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.solids import ball, box, pad
from tolman.render.shapes.sweep import capsule, tube
from tolman.render.shapes.transforms import all_moved, mirrored, shift, stretch, turn

SKINS = ("#f0c7a4", "#d9a27a", "#a86f48", "#6e452c", "#e8b48f")
HAIRS = ("#2a1c14", "#5a3a22", "#b98a48", "#15120f", "#8a8580", "#8c4a24")


@model("person")
def person(stream: Stream) -> Model:
    """In a shirt or jacket and trousers, arms down; face and toes tell the front."""
    skin, hair = painted(pick(stream, *SKINS), 0.6), painted(pick(stream, *HAIRS), 0.9)
    shirt = cloth(stream, "#c8372d", "#2c5fa8", "#3d8a57", "#e0a82e", "#f0ede4", "#5d4a7a", "#2f7c82")
    trousers = cloth(stream, "#26303f", "#3f4249", "#7a6a52", "#2f4f73", "#1f2023")
    shoe = painted(pick(stream, "#1c1b1a", "#6b4228", "#e8e6e0"), 0.4)
    half = _half(shirt, trousers, shoe, pick(stream, shirt, skin), skin)
    trunk = tube(
        [(0, 0, z) for z in (0.9, 0.98, 1.1, 1.22, 1.34, 1.42, 1.47, 1.5)],
        [0.152, 0.15, 0.145, 0.158, 0.175, 0.168, 0.125, 0.06],
        shirt,
        18,
    )
    hips = [
        tube([(0, 0, 0.86), (0, 0, 0.96)], [0.15, 0.153], trousers, 18),
        ball((0.15, 0.14, 0.1), (0, 0, 0.86), trousers, 8),
    ]
    belt = tube([(0, 0, 0.945), (0, 0, 0.975)], 0.156, painted("#2a1f18", 0.5), 18)
    broad = all_moved([trunk, *hips, belt], stretch(1.08, 0.72, 1))
    return built(half, [mirrored(mesh) for mesh in half], broad, _head(skin), _hair(stream, hair), _shirt_front(stream))


def _half(shirt: Material, trousers: Material, shoe: Material, sleeve: Material, skin: Material) -> list[Mesh]:
    """A leg, an arm, and what of a face comes in pairs."""
    return [
        capsule((0.085, 0, 0.9), (0.1, 0.015, 0.5), 0.086, trousers, 0.064),
        capsule((0.1, 0.015, 0.5), (0.105, -0.01, 0.1), 0.064, trousers, 0.05),
        pad((0.095, 0.26, 0.09), (0.112, 0.05, 0), shoe, 0.04),
        capsule((0.178, 0, 1.405), (0.225, -0.015, 1.15), 0.066, shirt, 0.05, 12),
        capsule((0.225, -0.015, 1.13), (0.232, 0.05, 0.9), 0.043, sleeve, 0.034),
        ball((0.026, 0.042, 0.065), (0.234, 0.07, 0.83), skin, 8),
        ball((0.014, 0.022, 0.03), (0.086, -0.005, 1.63), skin, 6),
        ball((0.017, 0.01, 0.0125), (0.033, 0.09, 1.648), WHITE, 6),
        ball((0.009, 0.006, 0.01), (0.033, 0.098, 1.648), painted("#2a1c14", 0.2), 6),
        box((0.036, 0.01, 0.008), (0.034, 0.094, 1.672), painted("#3a281c", 0.9), 0.003),
    ]


def _head(skin: Material) -> list[Mesh]:
    return [
        capsule((0, -0.005, 1.45), (0, 0.0, 1.56), 0.055, skin),
        ball((0.086, 0.1, 0.12), (0, 0.0, 1.63), skin, 10),
        ball((0.016, 0.024, 0.022), (0, 0.104, 1.622), skin, 6),
        ball((0.03, 0.008, 0.009), (0, 0.09, 1.572), painted("#b0605a", 0.5), 6),
    ]


def _hair(stream: Stream, hair: Material) -> list[Mesh]:
    top = [ball((0.093, 0.1, 0.09), (0, -0.018, 1.675), hair, 10)]
    if stream.random() < 0.5:
        return top
    length = between(stream, 0.12, 0.26)
    return [*top, capsule((0, -0.06, 1.66), (0, -0.085, 1.66 - length), 0.075, hair, 0.06)]


def _shirt_front(stream: Stream) -> list[Mesh]:
    """Buttons, or a tie, or nothing."""
    style = pick(stream, "buttons", "tie", "plain")
    if style == "buttons":
        return [ball((0.011, 0.006, 0.011), (0, 0.106 + 0.006 * i, 1.05 + 0.07 * i), WHITE, 6) for i in range(4)]
    if style == "tie":
        tie = box((0.05, 0.012, 0.3), (0, 0, 0), painted("#8c1f2a", 0.5), 0.004)
        return all_moved([tie], turn("x", -4), shift(0, 0.106, 1.08))
    return []
