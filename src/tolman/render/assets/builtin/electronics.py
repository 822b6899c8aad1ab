"""Electronic devices and sewing machines. Their front has the screen, lens or buttons."""

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset, whole_number
from tolman.render.assets.builtin.materials import BLACK, BRASS, CHROME, DARK, GREY, SCREEN, WHITE, painted, wooden
from tolman.render.shapes.extrusion import extrusion
from tolman.render.shapes.mesh import Asset, Material, Mesh, Texture, all_transformed, shift, srgb, turn
from tolman.render.shapes.solids import ball, box, cylinder, disc, pad, panel
from tolman.render.shapes.sweep import capsule, points_of, ring, tube
from tolman.render.shapes.textures import noise

HEIGHT, WIDTH = 144, 256


def landscape(stream: Stream) -> Material:
    """A picture of hills below a sky, as a television shows it."""
    down, along = np.mgrid[0:HEIGHT, 0:WIDTH]
    share = (down / HEIGHT)[..., None]
    picture = (1 - share) * np.array([60, 130, 215]) + share * np.array([225, 235, 245])
    line = noise(stream, 4, 1, WIDTH)[0]
    for level, colour in ((0.42, (105, 135, 150)), (0.56, (60, 115, 75)), (0.74, (95, 150, 60))):
        ground = HEIGHT * (level + 0.22 * (np.roll(line, int(255 * level)) - 0.5))
        picture = np.where((down > ground[along])[..., None], np.array(colour), picture)
    x, y = between(stream, 40, 210), between(stream, 20, 45)
    sun = ((along - x) ** 2 + (down - y) ** 2 < 14**2)[..., None]
    return _screen(np.where(sun, np.array([255, 232, 140]), picture))


def desktop(stream: Stream) -> Material:
    """A coloured background with two windows of text lines and a bar below."""
    base = np.array(pick(stream, (38, 92, 150), (90, 60, 130), (25, 120, 115)))
    down = np.mgrid[0:HEIGHT, 0:WIDTH][0]
    picture = base * (1.25 - 0.5 * (down / HEIGHT))[..., None]
    picture[HEIGHT - 12 :] = (28, 30, 36)
    for i in range(5):
        picture[HEIGHT - 10 : HEIGHT - 3, 8 + 14 * i : 16 + 14 * i] = stream.integers(90, 255, 3)
    inks = (90, 95, 105), (90, 95, 105), (200, 80, 60), (50, 110, 190)
    for left, top, right, bottom in ((24, 16, 140, 112), (120, 34, 236, 124)):
        picture[top:bottom, left:right] = (246, 246, 243)
        picture[top : top + 9, left:right] = (70, 78, 92)
        for row in range(top + 16, bottom - 8, 9):
            end = left + 10 + int(between(stream, 0.35, 0.95) * (right - left - 20))
            picture[row : row + 4, left + 10 : end] = pick(stream, *inks)
    return _screen(picture)


def _screen(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Material:
    return Material(Texture(np.clip(picture, 0, 255).astype(np.uint8)), roughness=0.15)


GREEN_LIGHT = painted("#43e08f", 0.3)


@register_asset("television")
def television(stream: Stream) -> Asset:
    """A wide flat screen with a picture, on a foot."""
    picture = landscape(stream)
    bulge = box((0.5, 0.05, 0.3), (0, -0.035, 0.16), DARK, 0.02)
    case = box((0.95, 0.035, 0.55), (0, 0, 0.09), BLACK, 0.008)
    shown = panel(0.91, 0.5, (0, 0.0185, 0.12), picture)
    if stream.random() < 0.5:
        stand: list[Mesh] = [
            box((0.36, 0.22, 0.014), (0, 0, 0), BLACK, 0.006),
            box((0.12, 0.03, 0.1), (0, -0.01, 0.01), BLACK),
        ]
    else:
        stand = [tube([(s * 0.36, y, 0.008), (s * 0.32, 0, 0.1)], 0.01, BLACK) for s in (-1, 1) for y in (-0.11, 0.11)]
    return asset_from_parts(case, bulge, shown, stand)


def _keyboard(width: float, depth: float, coat: Material, key: Material) -> list[Mesh]:
    """A keyboard centred on the origin, with the user towards +y."""
    columns, rows = 10, 4
    step, deep = width * 0.94 / columns, depth * 0.88 / rows
    size = step * 0.84, deep * 0.8, 0.007
    places = [
        (step * (c - columns / 2 + 0.5), deep * (r - rows / 2 + 0.5)) for c in range(columns) for r in range(rows)
    ]
    keys = [box(size, (*place, 0.011), key, 0.002) for place in places]
    return [box((width, depth, 0.013), (0, 0, 0), coat, 0.004), *keys]


@register_asset("computer")
def computer(stream: Stream) -> Asset:
    """A screen with windows on it, and a keyboard and mouse in front."""
    coat, key = pick(stream, (BLACK, GREY), (GREY, WHITE), (WHITE, GREY))
    case = box((0.5, 0.03, 0.32), (0, -0.11, 0.14), coat, 0.008)
    shown = panel(0.47, 0.285, (0, -0.094, 0.158), desktop(stream))
    neck = [
        box((0.07, 0.025, 0.2), (0, -0.135, 0.01), coat),
        pad((0.22, 0.16, 0.014), (0, -0.12, 0), coat, 0.006, steps=2),
    ]
    keys = all_transformed(_keyboard(0.36, 0.13, coat, key), turn("x", -4), shift(0.035, 0.12, 0.006))
    mouse = pad((0.055, 0.095, 0.032), (-0.2, 0.12, 0), key, 0.022)
    return asset_from_parts(case, shown, neck, keys, mouse)


@register_asset("laptop")
def laptop(stream: Stream) -> Asset:
    """An open laptop with its screen to the front, thick enough to be visible from the side."""
    coat, key = painted(pick(stream, "#2f62a8", "#a8323a", "#2f8a6a"), 0.3), pick(stream, BLACK, WHITE)
    deck = box((0.36, 0.24, 0.045), (0, 0.02, 0), coat, 0.008)
    keys = all_transformed(_keyboard(0.35, 0.15, coat, key)[1:], shift(0, -0.03, 0.033))
    touch = box((0.1, 0.06, 0.002), (0, 0.1, 0.045), GREY, 0.001)
    lid = [box((0.36, 0.03, 0.235), (0, 0, 0), coat, 0.006), panel(0.335, 0.205, (0, 0.0155, 0.017), desktop(stream))]
    return asset_from_parts(
        deck, keys, touch, all_transformed(lid, turn("x", between(stream, 12, 20)), shift(0, -0.09, 0.04))
    )


@register_asset("printer")
def printer(stream: Stream) -> Asset:
    """A box with paper behind, a printed sheet coming out in front, and buttons."""
    coat = pick(stream, GREY, DARK)
    lower = pad((0.45, 0.3, 0.11), (0, -0.03, 0), coat, 0.02)
    upper = pad((0.45, 0.28, 0.07), (0, -0.04, 0.14), coat, 0.025)
    middle = box((0.42, 0.25, 0.05), (0, -0.05, 0.1), BLACK)
    paper = painted("#fbfaf6", 0.9)
    out = [box((0.24, 0.2, 0.004), (0, 0.13, 0.118), paper, 0.001), box((0.28, 0.12, 0.012), (0, 0.15, 0.095), DARK)]
    ink = [box((0.16 - 0.05 * (i % 2), 0.008, 0.002), (0.0, 0.1 + 0.024 * i, 0.1215), BLACK, 0.0005) for i in range(5)]
    tray = [box((0.25, 0.005, 0.16), (0, 0, 0), paper), box((0.27, 0.012, 0.1), (0, -0.01, 0), coat)]
    feed = all_transformed(tray, turn("x", 20), shift(0, -0.13, 0.17))
    panel_ = [
        box((0.13, 0.006, 0.035), (-0.12, 0.098, 0.16), SCREEN),
        box((0.05, 0.004, 0.02), (-0.1, 0.102, 0.168), GREEN_LIGHT),
    ]
    colours = [pick(stream, GREEN_LIGHT, GREY, DARK) for _ in range(3)]
    buttons = [disc(0.009, 0.008, (0.06 + 0.035 * i, 0.098, 0.178), colours[i], sides=10) for i in range(3)]
    return asset_from_parts(lower, upper, middle, out, ink, feed, panel_, buttons)


@register_asset("projector")
def projector(stream: Stream) -> Asset:
    """A flat box with one large lens in front and slits beside it."""
    coat = pick(stream, WHITE, painted("#d9dcde"), painted("#efe9d8"))
    body = pad((0.35, 0.26, 0.115), (0, -0.02, 0.012), coat, 0.025)
    x = -0.09
    lens = [
        disc(0.055, 0.03, (x, 0.1, 0.07), BLACK, sides=24),
        ring(0.048, 0.007, (x, 0.132, 0.07), CHROME, "y"),
        ball((0.042, 0.014, 0.042), (x, 0.13, 0.07), painted("#20406e", 0.05)),
        ball((0.012, 0.006, 0.012), (x + 0.014, 0.143, 0.084), painted("#bcd6f0", 0.05), 6),
    ]
    slits = [box((0.13, 0.006, 0.006), (0.09, 0.108, 0.04 + 0.014 * i), BLACK, 0.001) for i in range(5)]
    feet = [cylinder(0.015, 0.014, (sx * 0.13, y, 0), BLACK, sides=10) for sx in (-1, 1) for y in (-0.11, 0.07)]
    keys = [cylinder(0.01, 0.006, (0.05 + 0.03 * i, -0.02, 0.127), DARK, sides=10) for i in range(4)]
    return asset_from_parts(body, lens, slits, feet, keys)


@register_asset("radio")
def radio(stream: Stream) -> Asset:
    """A box with a round speaker, a dial, knobs, a handle and an aerial."""
    coat = pick(stream, wooden(stream), painted("#b8352c"), painted("#2f6f7a"), painted("#d8c7a3"))
    h = 0.155
    body = pad((0.34, 0.11, h), (0, -0.01, 0), coat, 0.018)
    grid = [
        disc(0.058, 0.008, (0.095, 0.044, h / 2), BLACK, sides=28),
        *(ring(r, 0.003, (0.095, 0.053, h / 2), CHROME, "y", 6) for r in (0.018, 0.036, 0.057)),
    ]
    dial = [
        box((0.16, 0.006, 0.045), (-0.07, 0.046, 0.09), painted("#f3e6bd"), 0.002),
        box((0.003, 0.004, 0.04), (-0.05, 0.05, 0.0925), painted("#c8372d"), 0.001),
    ]
    marks = [box((0.002, 0.003, 0.012), (-0.135 + 0.0145 * i, 0.0495, 0.094), BLACK, 0.0005) for i in range(10)]
    knobs = [disc(0.021, 0.018, (x, 0.045, 0.045), CHROME, sides=18) for x in (-0.125, -0.07, -0.015)]
    bow = ((-0.14, h - 0.01), (-0.14, h + 0.035), (0.14, h + 0.035), (0.14, h - 0.01))
    grip = tube([(x, -0.01, z) for x, z in bow], 0.009, CHROME)
    aerial = capsule((-0.13, -0.05, h - 0.02), (-0.165, -0.05, 0.215), 0.003, CHROME, sides=6)
    return asset_from_parts(body, grid, dial, marks, knobs, grip, aerial)


@register_asset("air conditioner")
def air_conditioner(stream: Stream) -> Asset:
    """A long white box with a smooth front and a slatted air outlet below."""
    line = [(-0.11, 0.0), (0.04, 0.0), (0.1, 0.08), (0.115, 0.16), (0.11, 0.27), (0.08, 0.3), (-0.11, 0.3)]
    coat = pick(stream, WHITE, painted("#f4f4f2", 0.25), painted("#dfe3e4", 0.3))
    half = between(stream, 0.385, 0.4)
    body = extrusion(line, (-half, half), coat, "x", 0.012)
    slot = all_transformed([box((0.7, 0.01, 0.085), (0, 0, -0.0425), BLACK)], turn("x", -38), shift(0, 0.075, 0.042))
    level = [box((0.7, 0.012, 0.006), (0, 0.012, z), WHITE, 0.002) for z in (-0.03, -0.008, 0.014)]
    slats = all_transformed(level, turn("x", -38), shift(0, 0.075, 0.045))
    grid = [
        box((0.66, 0.004, 0.006), (0, 0.1135, 0.2 + 0.016 * i), GREY, 0.001) for i in range(whole_number(stream, 2, 4))
    ]
    shown = [
        box((0.07, 0.005, 0.028), (-0.28, 0.114, 0.13), SCREEN, 0.001),
        box((0.02, 0.004, 0.012), (-0.28, 0.117, 0.138), GREEN_LIGHT, 0.001),
    ]
    return asset_from_parts(body, slot, slats, grid, shown)


@register_asset("sewing machine")
def sewing_machine(stream: Stream) -> Asset:
    """A base, a pillar and an arm with a needle; the wheel is on the user's right."""
    coat, trim = pick(
        stream,
        (painted("#1b1c1f", 0.15), BRASS),
        (WHITE, painted("#3f8f8a")),
        (painted("#7fb3a8", 0.25), CHROME),
        (painted("#a8322b", 0.2), BRASS),
    )
    base = [
        box((0.4, 0.17, 0.035), (0, 0, 0), wooden(stream), 0.006),
        pad((0.37, 0.14, 0.025), (0, 0, 0.035), coat, 0.01, steps=2),
    ]
    arch = points_of(
        "-0.17,0.05 -0.17,0.27 -0.15,0.29 0.15,0.29 0.17,0.27 0.17,0.14 0.105,0.14 0.1,0.19 0.06,0.205 "
        "-0.04,0.205 -0.07,0.19 -0.08,0.05"
    )
    arm = extrusion(arch, (-0.045, 0.045), coat, "y", 0.012)
    wheel = [
        disc(0.055, 0.022, (-0.195, 0, 0.24), coat, "x", 24),
        ring(0.05, 0.008, (-0.198, 0, 0.24), trim, "x"),
        disc(0.012, 0.03, (-0.2, 0, 0.24), trim, "x"),
    ]
    needle = [
        capsule((0.137, 0, 0.15), (0.137, 0, 0.1), 0.006, CHROME, sides=8),
        capsule((0.137, 0, 0.1), (0.137, 0, 0.062), 0.003, CHROME, sides=6),
        box((0.025, 0.05, 0.006), (0.137, 0.01, 0.062), CHROME),
    ]
    dials = [
        disc(0.026, 0.014, (-0.125, 0.044, 0.24), trim, sides=20),
        disc(0.014, 0.012, (-0.125, 0.044, 0.17), trim, sides=16),
        disc(0.012, 0.014, (0.14, 0.044, 0.22), trim, sides=16),
    ]
    label = [box((0.13, 0.003, 0.028), (0.02, 0.046, 0.238), trim, 0.001)]
    spool = [
        cylinder(0.004, 0.032, (-0.06, 0, 0.288), CHROME, sides=6),
        cylinder(0.017, 0.026, (-0.06, 0, 0.29), painted(pick(stream, "#c8372d", "#2c5fa8", "#e0a82e")), sides=14),
    ]
    return asset_from_parts(base, arm, wheel, needle, dials, label, spool, _fabric(stream))


def _fabric(stream: Stream) -> list[Mesh]:
    tone = srgb(pick(stream, "#d88aa0", "#7fa8d0", "#e0c070"))
    return [box((0.12, 0.15, 0.004), (0.125, 0.015, 0.061), Material(tone, 0.95), 0.001)]
