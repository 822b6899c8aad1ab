"""Materials of the built-in assets, and colours that are reserved for one kind."""

from tolman.render.assets.builtin.builder import Stream, pick
from tolman.render.shapes.mesh import Material, srgb
from tolman.render.shapes.textures import marble, mottled, weave, wood

WOODS = (
    ("#5a3620", "#8a5a36"),
    ("#8a5f38", "#b98a58"),
    ("#a97f4f", "#d6b07c"),
    ("#3c2417", "#63402a"),
    ("#7a3b22", "#a5603c"),
)
CLOTHS = ("#8c2f39", "#2f4f73", "#4b6b4a", "#7d7468", "#c2a878", "#3f4249", "#a8532f", "#5d4a7a", "#2f7c82", "#c9c2b4")
PAINTS = ("#b8352c", "#2c5fa8", "#2f8a57", "#e0a82e", "#e4e0d6", "#6a4a8c", "#d9692b", "#2b8f93")
COATS = ("#efece4", "#5f7282", "#3d5a4c", "#a8b5a2", "#8c2f2f", "#30343c")


def painted(code: str, roughness: float = 0.45) -> Material:
    """Paint, plastic or enamel."""
    return Material(srgb(code), roughness=roughness)


def metal(code: str = "#c4c8cc", roughness: float = 0.28) -> Material:
    """Bare metal."""
    return Material(srgb(code), roughness=roughness, metallic=1.0)


CHROME = metal("#d8dadd", 0.12)
STEEL = metal("#aeb2b6", 0.35)
IRON = metal("#3a3b3d", 0.5)
BRASS = metal("#c79a3c", 0.25)
BLACK = painted("#1c1d20", 0.4)
DARK = painted("#34363a", 0.5)
WHITE = painted("#eeece6", 0.35)
ENAMEL = painted("#f2f1ed", 0.12)
RUBBER = painted("#202022", 0.8)
SCREEN = painted("#07090c", 0.08)
GREY = painted("#8d9196", 0.45)
HARDBOARD = painted("#b39a74", 0.95)


def wooden(stream: Stream) -> Material:
    """One of five kinds of wood."""
    dark, light = pick(stream, *WOODS)
    return Material(wood(stream, dark, light), roughness=0.5)


def timber(stream: Stream, dark: str, light: str, roughness: float = 0.55) -> Material:
    """Wood between two colours."""
    return Material(wood(stream, dark, light), roughness=roughness)


def cloth(stream: Stream, *colours: str) -> Material:
    """Woven cloth of one of the colours."""
    return Material(weave(stream, pick(stream, *(colours or CLOTHS))), roughness=0.9)


def finish(stream: Stream) -> Material:
    """A furniture surface: mostly wood, sometimes paint."""
    return painted(pick(stream, *COATS), 0.5) if stream.random() < 0.3 else wooden(stream)


def fur(stream: Stream, dark: str, light: str) -> Material:
    """Short hair between two colours."""
    return Material(mottled(stream, dark, light, 40), roughness=0.95)


def stone(stream: Stream, base: str, vein: str) -> Material:
    """Polished marble."""
    return Material(marble(stream, base, vein), roughness=0.2)


ENAMEL_COLOURS_OF: dict[str, tuple[str, ...]] = {
    "cabinet": ("#4d6a85", "#2f6658", "#6d5a86", "#34507a"),
    "oven": ("#232529", "#2e2326", "#1f2a30"),
    "dishwasher": ("#f2f1ed", "#e9eef0", "#f1ede2"),
    "refrigerator": ("#f2f1ed", "#a8322b", "#a9d3c4"),
    "sink": ("#9fc3cb", "#b5c9a2", "#d9a9a0"),
    "stove": ("#d9a52e", "#5fa392", "#b8452f"),
}
"""Enamel colours reserved for a kind."""
TIMBER_COLOURS_OF: dict[str, tuple[tuple[str, str], ...]] = {
    "bookcase": (("#a97f4f", "#d6b07c"), ("#8a5f38", "#b98a58"), ("#b08e63", "#dcc097")),
    "desk": (("#6a6762", "#918d86"), ("#86827a", "#aeaaa1")),
    "dresser": (("#7a3b22", "#a5603c"), ("#6e3020", "#96502f")),
    "wardrobe": (("#2e1c14", "#4f3324"), ("#3d2417", "#5c3a24")),
}
"""Dark and light wood colours reserved for a kind."""
CLOTH_COLOURS_OF: dict[str, tuple[str, ...]] = {
    "armchair": ("#9c2f3f", "#c08a2e", "#6a4a8c", "#c05a7a"),
    "bed": ("#c9c2b4", "#c2a878", "#a59a8c"),
    "pouf": ("#8c2f39", "#2f4f73", "#4b6b4a", "#5d4a7a", "#2f7c82"),
    "sofa": ("#2f4f73", "#4b6b4a", "#2f7c82", "#7f8436"),
}
"""Cloth colours reserved for a kind."""
BACK_COLOURS_OF: dict[str, str] = {
    "cabinet": "#57684a",
    "dishwasher": "#b4c2cb",
    "dresser": "#b39a74",
    "sink": "#5f97a3",
    "stove": "#75797c",
    "wardrobe": "#8f8272",
}
"""Colours of a kind's back panel."""


def reserved_material(kind: str, stream: Stream) -> Material:
    """One of the materials reserved for a kind, so that kinds of similar shape differ in colour."""
    if kind in TIMBER_COLOURS_OF:
        return timber(stream, *pick(stream, *TIMBER_COLOURS_OF[kind]), 0.5)
    if kind in CLOTH_COLOURS_OF:
        return cloth(stream, *CLOTH_COLOURS_OF[kind])
    return painted(pick(stream, *ENAMEL_COLOURS_OF[kind]), 0.3)


def steel_or_reserved_material(kind: str, stream: Stream) -> Material:
    """Bare steel in a quarter of cases, else a reserved material."""
    return STEEL if stream.random() < 0.25 else reserved_material(kind, stream)


def back_material(kind: str) -> Material:
    """The material of a kind's back panel."""
    return painted(BACK_COLOURS_OF[kind], 0.95)
