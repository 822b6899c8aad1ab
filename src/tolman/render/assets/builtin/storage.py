"""Cupboards and shelves: what stands against a wall, its doors or openings to the front."""

from tolman.render.assets.builtin.coats import back, coat
from tolman.render.assets.builtin.draws import between, pick, whole
from tolman.render.assets.builtin.fronts import HandleStyle, back_board, handle, handle_style, leaf
from tolman.render.assets.builtin.legs import four_legs, leg_style
from tolman.render.assets.builtin.materials import BRASS, IRON, PAINTS, STEEL, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.solids import box
from tolman.render.shapes.transforms import turn


@model("bookcase")
def bookcase(stream: Stream) -> Model:
    """Open shelves full of books; the back is a plain board."""
    wood, shelves = coat("bookcase", stream), whole(stream, 4, 5)
    w, d, h = 0.9, 0.32, between(stream, 1.7, 1.8)
    sides = [box((0.028, d, h), (s * (w / 2 - 0.014), 0, 0), wood) for s in (-1, 1)]
    rear = [
        box((w - 0.04, 0.012, h - 0.05), (0, -d / 2 + 0.012, 0.03), wood),
        back_board(w - 0.01, h - 0.05, (0, -d / 2, 0.03)),
    ]
    levels = [0.06 + i * (h - 0.088) / shelves for i in range(shelves + 1)]
    boards = [box((w - 0.05, d - 0.01, 0.025), (0, 0, z), wood) for z in levels]
    room = levels[1] - levels[0] - 0.025
    rows = [_row_of_books(stream, w - 0.08, room, z + 0.025) for z in levels[:-1]]
    return built(sides, rear, boards, *rows)


def _row_of_books(stream: Stream, width: float, room: float, z: float) -> list[Mesh]:
    books: list[Mesh] = []
    covers = [painted(code, 0.6) for code in (*PAINTS, "#4a3424", "#1f2f45", "#702a2a")]
    x, end = -width / 2, width / 2 - between(stream, 0.0, 0.3)
    while x < end - 0.06:
        thick, tall = between(stream, 0.025, 0.06), room * between(stream, 0.62, 0.92)
        books.append(box((thick - 0.002, 0.2, tall), (x + thick / 2, 0.02, z), pick(stream, *covers), 0.003))
        x += thick
    if end < width / 2 - 0.1:
        lean = box((0.035, 0.2, room * 0.8), (x + 0.085, 0.02, z), pick(stream, *covers), 0.003)
        books.append(lean.moved(turn("y", -14, (x + 0.1, 0, z))))
    return books


@model("cabinet")
def cabinet(stream: Stream) -> Model:
    """Two doors on short legs, perhaps a drawer above them."""
    wood, style, metal = coat("cabinet", stream), handle_style(stream), pick(stream, STEEL, BRASS, IRON)
    w, d, h, foot = 0.78, 0.4, between(stream, 0.84, 0.9), pick(stream, 0.06, 0.14)
    parts: list[Mesh] = [
        box((w, d, h - foot - 0.02), (0, 0, foot), wood),
        box((w + 0.02, d + 0.03, 0.022), (0, 0, h - 0.022), wood),
        *four_legs((w - 0.04, d - 0.04), foot + 0.005, 0.045, wood, leg_style(stream)),
        back_board(w - 0.02, h - foot - 0.05, (0, -d / 2, foot + 0.01), back("cabinet")),
    ]
    drawer = pick(stream, 0.0, 0.16)
    door = h - foot - 0.05 - drawer
    for s in (-1, 1):
        parts += leaf(w / 2 - 0.02, door, (s * w / 4, d / 2, foot + 0.01), wood, panelled=True)
        parts += handle(style, (s * 0.045, d / 2 + 0.03, foot + 0.7 * door), metal, upright=True)
        if drawer:
            parts += leaf(w / 2 - 0.02, drawer - 0.02, (s * w / 4, d / 2, foot + door + 0.02), wood)
            parts += handle(style, (s * w / 4, d / 2 + 0.018, foot + door + drawer / 2), metal)
    return built(parts)


@model("dresser")
def dresser(stream: Stream) -> Model:
    """A wide chest with two columns of drawers."""
    wood, style, metal = coat("dresser", stream), handle_style(stream), pick(stream, STEEL, BRASS, IRON)
    w, d, h, foot = 0.95, 0.44, between(stream, 0.78, 0.85), pick(stream, 0.05, 0.12)
    rows = whole(stream, 3, 4)
    parts = _chest(w, d, h, foot, wood)
    each = (h - foot - 0.05) / rows
    for i in range(rows):
        z = foot + 0.015 + i * each
        for s in (-1, 1):
            parts += leaf(w / 2 - 0.03, each - 0.025, (s * w / 4, d / 2, z), wood)
            parts += handle(style, (s * w / 4, d / 2 + 0.018, z + each / 2 - 0.01), metal, 0.16)
    return built(parts)


def _chest(w: float, d: float, h: float, foot: float, wood: Material) -> list[Mesh]:
    return [
        box((w - 0.02, d, h - foot - 0.02), (0, 0, foot), wood),
        box((w, d + 0.025, 0.025), (0, 0, h - 0.025), wood, 0.008),
        *four_legs((w - 0.06, d - 0.04), foot + 0.005, 0.055, wood, "tapered"),
        back_board(w - 0.04, h - foot - 0.05, (0, -d / 2, foot + 0.01), back("dresser")),
    ]


@model("wardrobe")
def wardrobe(stream: Stream) -> Model:
    """Tall doors with long handles, and a cornice."""
    wood, metal = coat("wardrobe", stream), pick(stream, STEEL, BRASS, IRON)
    style: HandleStyle = pick(stream, "bar", "bow")
    w, d, h = 0.96, 0.55, between(stream, 1.85, 1.95)
    doors, low = whole(stream, 2, 3), pick(stream, 0.08, 0.34)
    parts: list[Mesh] = [
        box((w - 0.02, d - 0.03, h - 0.05), (0, -0.01, 0), wood),
        box((w, d, 0.05), (0, -0.005, h - 0.05), wood, 0.015),
        box((w, d, 0.06), (0, -0.005, 0), wood),
        back_board(w - 0.04, h - 0.14, (0, -d / 2 + 0.005, 0.07), back("wardrobe")),
    ]
    each, face = (w - 0.04) / doors, d / 2 - 0.025
    for i in range(doors):
        x = (i + 0.5) * each - (w - 0.04) / 2
        parts += leaf(each - 0.012, h - low - 0.07, (x, face, low), wood, panelled=True)
        side = 1 if i < doors / 2 else -1
        parts += handle(style, (x + side * (each / 2 - 0.035), face + 0.03, h * 0.52), metal, 0.28, upright=True)
    if low > 0.2:
        for s in (-1, 1):
            parts += leaf(w / 2 - 0.03, low - 0.09, (s * w / 4, face, 0.075), wood)
            parts += handle(style, (s * w / 4, face + 0.018, low / 2 + 0.03), metal, 0.2)
    return built(parts)
