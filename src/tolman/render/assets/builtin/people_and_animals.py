"""People, cats and dogs, facing ahead."""

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import BRASS, WHITE, cloth, fur, painted
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, pair, shift, stretch, turn
from tolman.render.shapes.solids import ball, box, cylinder, pad
from tolman.render.shapes.sweep import capsule, points_of, ring, tube

SKINS = ("#f0c7a4", "#d9a27a", "#a86f48", "#6e452c", "#e8b48f")
HAIRS = ("#2a1c14", "#5a3a22", "#b98a48", "#15120f", "#8a8580", "#8c4a24")


@register_asset("person")
def person(stream: Stream) -> Asset:
    """A person in a shirt or jacket and trousers, arms down."""
    skin, hair = painted(pick(stream, *SKINS), 0.6), painted(pick(stream, *HAIRS), 0.9)
    shirt = cloth(stream, "#c8372d", "#2c5fa8", "#3d8a57", "#e0a82e", "#f0ede4", "#5d4a7a", "#2f7c82")
    trousers = cloth(stream, "#26303f", "#3f4249", "#7a6a52", "#2f4f73", "#1f2023")
    shoe = painted(pick(stream, "#1c1b1a", "#6b4228", "#e8e6e0"), 0.4)
    half = _half(shirt, trousers, shoe, pick(stream, shirt, skin), skin)
    levels = (0.9, 0.98, 1.1, 1.22, 1.34, 1.42, 1.47, 1.5)
    radii = (0.152, 0.15, 0.145, 0.158, 0.175, 0.168, 0.125, 0.06)
    trunk = tube([(0, 0, z) for z in levels], radii, shirt, 18)
    hips = [
        tube([(0, 0, 0.86), (0, 0, 0.96)], [0.15, 0.153], trousers, 18),
        ball((0.15, 0.14, 0.1), (0, 0, 0.86), trousers, 8),
    ]
    belt = tube([(0, 0, 0.945), (0, 0, 0.975)], 0.156, painted("#2a1f18", 0.5), 18)
    broad = all_transformed([trunk, *hips, belt], stretch(1.08, 0.72, 1))
    return asset_from_parts(pair(*half), broad, _head(skin), _hair(stream, hair), _shirt_front(stream))


def _half(shirt: Material, trousers: Material, shoe: Material, sleeve: Material, skin: Material) -> list[Mesh]:
    """A leg, an arm, an eye and an ear."""
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
        return all_transformed([tie], turn("x", -4), shift(0, 0.106, 1.08))
    return []


NOSE = painted("#1a1614", 0.25)


@register_asset("dog")
def dog(stream: Stream) -> Asset:
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
    spine = curve([(0, -0.25, 0.4), (0, -0.1, 0.41), (0, 0.08, 0.41), (0, 0.17, 0.43)], 3)
    trunk = [
        tube(spine, [0.06, 0.085, 0.095, 0.095, 0.095, 0.1, 0.11, 0.115, 0.105, 0.08], coat, 14),
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
    ears = pair(capsule((0.068, 0.25, 0.64), (0.1, 0.265, 0.55), 0.026, painted(dark, 0.95), 0.03))
    front = pair(*_leg(coat, pale, 0.06, 0.16, 0.36, 0.01))
    rear = pair(*_leg(coat, pale, 0.06, -0.25, 0.36, -0.03))
    thighs = pair(ball((0.045, 0.08, 0.1), (0.06, -0.24, 0.34), coat, 8))
    path = curve([(0, -0.29, 0.45), (0, -0.36, 0.52), (0, -0.37, 0.62)], 3)
    tail = tube(path, [0.026, 0.026, 0.024, 0.022, 0.02, 0.015, 0.008], coat, 8)
    tag = ball(0.014, (0, 0.285, 0.475), BRASS, 6)
    return asset_from_parts(trunk, neck, head, ears, front, rear, thighs, tail, tag)


def _leg(coat: Material, paw: Material, x: float, y: float, top: float, knee: float) -> list[Mesh]:
    joint = (x, y + knee, 0.5 * top)
    return [
        capsule((x, y, top), joint, 0.042, coat, 0.03),
        capsule(joint, (x, y, 0.04), 0.028, coat, 0.024),
        ball((0.032, 0.046, 0.024), (x, y + 0.018, 0.024), paw, 8),
    ]


@register_asset("cat")
def cat(stream: Stream) -> Asset:
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
        *pair(ball((0.05, 0.09, 0.07), (0.075, -0.03, 0.07), coat, 8)),
    ]
    legs = pair(
        capsule((0.04, 0.06, 0.2), (0.042, 0.085, 0.03), 0.03, coat, 0.024),
        ball((0.03, 0.044, 0.022), (0.042, 0.1, 0.022), pale, 8),
        ball((0.032, 0.05, 0.022), (0.085, 0.06, 0.022), pale, 8),
    )
    side = pick(stream, -1, 1)
    path = points_of("0,-0.15,0.05 0.05,-0.24,0.03 0.08,-0.31,0.08 0.06,-0.33,0.2 0.04,-0.3,0.27")
    tail = tube(curve(path * (side, 1, 1), 3), 0.021, coat, 8)
    tip = ball(0.022, (side * 0.04, -0.3, 0.272), pale, 8)
    return asset_from_parts(body, _cat_head(stream, coat, pale), legs, tail, tip)


def _cat_head(stream: Stream, coat: Material, pale: Material) -> list[Mesh]:
    head = [
        ball((0.075, 0.066, 0.062), (0, 0.065, 0.32), coat, 10),
        ball((0.034, 0.026, 0.024), (0, 0.118, 0.302), pale, 8),
        ball((0.01, 0.007, 0.007), (0, 0.143, 0.31), painted("#d88a8a", 0.5), 6),
    ]
    ear = [_cone(0.032, 0.062, coat), _cone(0.02, 0.042, painted("#e2a9a4", 0.9)).moved(shift(0, 0.011, 0.004))]
    ears = pair(*all_transformed(ear, stretch(1, 0.55, 1), turn("y", 16), shift(0.045, 0.06, 0.36)))
    eye = painted(pick(stream, "#7fb24a", "#d8a82e", "#5f9fd0"), 0.1)
    eyes = pair(
        ball((0.016, 0.008, 0.016), (0.03, 0.122, 0.333), eye, 8),
        ball((0.005, 0.004, 0.014), (0.03, 0.13, 0.333), NOSE, 6),
    )
    whiskers = pair(
        *(tube([(0.02, 0.135, 0.302), (0.1, 0.13, 0.302 + dz)], 0.0016, pale, sides=4) for dz in (-0.014, 0.004, 0.02))
    )
    return [*head, *ears, *eyes, *whiskers]


def _cone(radius: float, height: float, material: Material) -> Mesh:
    return cylinder(radius, height, (0, 0, 0), material, top=0.0, sides=12)
