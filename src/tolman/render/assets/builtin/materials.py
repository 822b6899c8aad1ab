"""Materials of the built-in assets, and colours that are reserved for one kind."""

from tolman.core.files import packaged_table
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


_RESERVED = packaged_table("tolman.render.assets.builtin", "reserved_colours.toml")


def reserved_material(kind: str, stream: Stream) -> Material:
    """One of the materials reserved for a kind, so that kinds of similar shape differ in colour."""
    if kind in _RESERVED["timber"]:
        tones: list[tuple[str, str]] = _RESERVED["timber"][kind]
        return timber(stream, *pick(stream, *tones), 0.5)
    if kind in _RESERVED["cloth"]:
        return cloth(stream, *_RESERVED["cloth"][kind])
    return painted(pick(stream, *_RESERVED["enamel"][kind]), 0.3)


def back_material(kind: str) -> Material:
    """The material of a kind's back panel."""
    return painted(_RESERVED["back"][kind], 0.95)
