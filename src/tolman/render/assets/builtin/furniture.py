"""Seats, tables, beds, cupboards and shelves."""

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset, whole_number
from tolman.render.assets.builtin.materials import (
    BRASS,
    IRON,
    PAINTS,
    STEEL,
    back_material,
    cloth,
    finish,
    metal,
    painted,
    reserved_material,
    stone,
    timber,
    wooden,
)
from tolman.render.assets.builtin.parts import HandleStyle, back_board, four_legs, handle, handle_style, leaf, leg_style
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, srgb, turn
from tolman.render.shapes.solids import box, cushion, cylinder, pad
from tolman.render.shapes.sweep import lathe, points_of, ring, tube


@register_asset("chair")
def chair(stream: Stream) -> Asset:
    """A dining chair with cushions on its seat and before its back; its back and rear legs are of dark wood."""
    wood, rear = _light_finish(stream), timber(stream, "#33200f", "#4a2e1c", 0.5)
    seat, top = between(stream, 0.44, 0.47), between(stream, 0.84, 0.9)
    style = leg_style(stream)
    legs = four_legs((0.44, 0.46), seat, 0.04, wood, style)[1::2]
    rear_legs = four_legs((0.44, 0.46), seat, 0.04, rear, style)[::2]
    plate = box((0.46, 0.48, 0.035), (0, 0, seat), wood, 0.012)
    fabric = cloth(stream, "#2f4f9a", "#2f8a92", "#6a4a9c", "#3f8a4f")
    padded = pad((0.42, 0.43, 0.05), (0, 0.01, seat + 0.03), fabric, 0.03)
    posts = [box((0.035, 0.035, top - seat), (s * 0.2, -0.21, seat), rear) for s in (-1, 1)]
    rail = box((0.44, 0.03, 0.09), (0, -0.21, top - 0.09), rear, 0.012)
    cushioned = pad((0.37, 0.03, top - seat - 0.12), (0, -0.18, seat + 0.05), fabric, 0.014)
    behind = back_board(0.37, top - seat - 0.12, (0, -0.192, seat + 0.05), rear)
    back = [*posts, rail, cushioned, behind, *_backrest(stream, seat, top, rear)]
    return asset_from_parts(legs, rear_legs, plate, padded, all_transformed(back, turn("x", 6, (0, -0.21, seat))))


def _light_finish(stream: Stream) -> Material:
    return pick(
        stream,
        timber(stream, "#a97f4f", "#d6b07c", 0.5),
        timber(stream, "#b08e63", "#dcc097", 0.5),
        painted("#efece4", 0.5),
        painted("#a8b5a2", 0.5),
    )


def _backrest(stream: Stream, seat: float, top: float, wood: Material) -> list[Mesh]:
    style = pick(stream, "slats", "ladder", "panel")
    room = top - 0.09 - seat
    if style == "slats":
        number = whole_number(stream, 3, 5)
        return [
            box((0.022, 0.018, room), (0.34 * ((i + 0.5) / number - 0.5), -0.21, seat), wood, 0.004)
            for i in range(number)
        ]
    if style == "ladder":
        return [box((0.38, 0.02, 0.05), (0, -0.21, seat + room * k / 3), wood, 0.006) for k in (1, 2)]
    return [box((0.37, 0.018, room * 0.8), (0, -0.21, seat + room * 0.25), wood, 0.006)]


@register_asset("armchair")
def armchair(stream: Stream) -> Asset:
    """One deep seat between two arms."""
    return _upholstered(
        stream, "armchair", width=between(stream, 0.8, 0.85), depth=0.82, seats=1, height=between(stream, 0.86, 0.95)
    )


@register_asset("sofa")
def sofa(stream: Stream) -> Asset:
    """A sofa for two, much wider than deep and low, so that it is not mistaken for an armchair."""
    return _upholstered(stream, "sofa", width=1.38, depth=0.84, seats=2, height=between(stream, 0.78, 0.85))


def _upholstered(stream: Stream, kind: str, width: float, depth: float, seats: int, height: float) -> Asset:
    fabric = reserved_material(kind, stream)
    accent = reserved_material(kind, stream) if stream.random() < 0.4 else fabric
    foot, arm, arm_height = 0.1, between(stream, 0.13, 0.17), between(stream, 0.56, 0.64)
    inner = width - 2 * arm
    legs = four_legs((width * 0.9, depth * 0.85), foot + 0.02, 0.05, wooden(stream), "tapered")
    base = pad((width - 0.04, depth - 0.04, 0.22), (0, 0, foot), fabric, 0.03)
    arms = [pad((arm, depth, arm_height - foot), (s * (width - arm) / 2, 0, foot), fabric, 0.06) for s in (-1, 1)]
    back = pad((width - 0.02, 0.18, height - foot), (0, -depth / 2 + 0.09, foot), fabric, 0.07)
    each = inner / seats
    middles = [(i + 0.5) * each - inner / 2 for i in range(seats)]
    cushions = [pad((each - 0.012, depth - 0.2, 0.16), (x, 0.1, 0.3), accent, 0.05) for x in middles]
    tall, behind = height - 0.42, -depth / 2 + 0.19
    lying = cushion((each - 0.01, tall, 0.2), (0, 0, -0.1), accent, 0.3, steps=6)
    upright = all_transformed([lying], turn("x", 82), shift(0, behind + 0.05, 0.44 + tall / 2))
    rests = [mesh.moved(shift(x)) for x in middles for mesh in upright]
    return asset_from_parts(legs, base, arms, back, cushions, rests)


@register_asset("stool")
def stool(stream: Stream) -> Asset:
    """A round seat on four legs, with no back."""
    wood = finish(stream)
    height, radius = between(stream, 0.44, 0.48), between(stream, 0.165, 0.185)
    splayed = stream.random() < 0.6
    span = 0.36 if splayed else 0.27
    legs = four_legs((span, span), height - 0.03, 0.045, wood, "splayed" if splayed else "round")
    seat = cylinder(radius, 0.045, (0, 0, height - 0.045), wood if stream.random() < 0.5 else wooden(stream), sides=32)
    return asset_from_parts(legs, seat, ring(0.19 if splayed else 0.16, 0.009, (0, 0, 0.16), wood, sides=6))


@register_asset("pouf")
def pouf(stream: Stream) -> Asset:
    """A round, soft seat with a seam around its middle."""
    fabric = reserved_material("pouf", stream)
    height, radius = between(stream, 0.34, 0.4), 0.25
    side = points_of("0.7,0.0 0.9,0.06 0.99,0.25 0.99,0.46 0.95,0.5 0.99,0.54 0.98,0.78 0.85,0.95 0.5,1.0 0.04,0.985")
    profile = [(0.0, 0.0), *((r * radius, z * height) for r, z in side), (0.0, 0.98 * height)]
    button = cylinder(0.02, 0.012, (0, 0, height * 0.978), cloth(stream), sides=10)
    return asset_from_parts(lathe(profile, fabric, 32), button)


@register_asset("bench")
def bench(stream: Stream) -> Asset:
    """A park bench of slats on iron sides."""
    wood, iron = wooden(stream), pick(stream, IRON, metal("#20402c", 0.5))
    number = whole_number(stream, 3, 4)
    seats = [
        box((1.5, 0.42 / number - 0.02, 0.03), (0, 0.2 - 0.42 * i / number, 0.43), wood, 0.006) for i in range(number)
    ]
    rests = [box((1.5, 0.025, 0.09), (0, -0.24 - 0.03 * i, 0.55 + 0.12 * i), wood, 0.006) for i in range(3)]
    frames: list[Mesh] = []
    for x in (-0.65, 0.65):
        frames.append(tube([(x, 0.24, 0), (x, 0.22, 0.42), (x, -0.22, 0.42), (x, -0.27, 0)], 0.022, iron, sides=8))
        frames.append(tube([(x, -0.22, 0.42), (x, -0.25, 0.6), (x, -0.33, 0.88)], 0.02, iron, sides=8))
        frames.append(tube([(x, 0.22, 0.42), (x, 0.22, 0.62), (x, -0.26, 0.64)], 0.02, iron, sides=8))
    return asset_from_parts(seats, rests, frames)


@register_asset("table")
def table(stream: Stream) -> Asset:
    """A dining table, round or square."""
    wood, height = finish(stream), between(stream, 0.71, 0.74)
    if stream.random() < 0.5:
        return asset_from_parts(
            cylinder(0.47, 0.04, (0, 0, height - 0.04), wood, sides=48), _column(height - 0.04, wood)
        )
    legs = four_legs((0.86, 0.86), height - 0.04, 0.07, wood, leg_style(stream))
    apron = [box((0.76, 0.025, 0.09), (0, y, height - 0.13), wood) for y in (0.37, -0.37)]
    apron += [box((0.025, 0.76, 0.09), (x, 0, height - 0.13), wood) for x in (0.37, -0.37)]
    return asset_from_parts(box((0.94, 0.94, 0.04), (0, 0, height - 0.04), wood, 0.01), legs, apron)


def _column(height: float, wood: Material) -> list[Mesh]:
    profile = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.025), (0.1, 0.07), (0.06, 0.2), (0.05, 0.4), (0.09, height - 0.02)]
    return [lathe([*profile, (0.12, height), (0.0, height)], wood, 28)]


@register_asset("coffee table")
def coffee_table(stream: Stream) -> Asset:
    """A low table with a shelf below its top, round or square."""
    wood, height = wooden(stream), between(stream, 0.38, 0.42)
    top = pick(stream, wood, stone(stream, "#e6e2da", "#9a948a"), Material(srgb("#cfe0dc"), 0.05, transparency=0.85))
    if stream.random() < 0.5:
        return asset_from_parts(
            cylinder(0.4, 0.03, (0, 0, height - 0.03), top, sides=40),
            cylinder(0.32, 0.02, (0, 0, 0.12), wood, sides=40),
            four_legs((0.6, 0.6), height - 0.03, 0.04, pick(stream, wood, IRON), "round"),
        )
    return asset_from_parts(
        box((0.8, 0.8, 0.035), (0, 0, height - 0.035), top, 0.008),
        box((0.7, 0.7, 0.02), (0, 0, 0.12), wood),
        four_legs((0.76, 0.76), height - 0.035, 0.055, wood),
    )


@register_asset("desk")
def desk(stream: Stream) -> Asset:
    """A desk with drawers and knee space at its front, and a back panel."""
    wood, style, metal = reserved_material("desk", stream), handle_style(stream), pick(stream, STEEL, IRON)
    height, side = between(stream, 0.72, 0.75), pick(stream, -1, 1)
    top = box((0.98, 0.58, 0.035), (0, 0, height - 0.035), wood, 0.006)
    board = box((0.92, 0.02, 0.42), (0, -0.25, height - 0.455), wood)
    stack, number = height - 0.035, whole_number(stream, 2, 4)
    case = box((0.36, 0.52, stack - 0.04), (side * 0.29, -0.01, 0.04), wood)
    each = (stack - 0.08) / number
    fronts: list[Mesh] = []
    for i in range(number):
        z = 0.06 + i * each
        fronts += leaf(0.33, each - 0.02, (side * 0.29, 0.25, z), wood)
        fronts += handle(style, (side * 0.29, 0.268, z + each / 2), metal)
    far = -side * 0.455
    legs = all_transformed(four_legs((0.04, 0.5), stack, 0.04, wood)[:2], shift(far))
    things = [
        box((0.21, 0.297, 0.004), (-side * 0.1, 0.05, height), painted("#f4f3ee", 0.9), 0.001),
        box((0.2, 0.14, 0.03), (side * 0.3, -0.12, height), cloth(stream), 0.004),
    ]
    return asset_from_parts(top, board, case, fronts, legs, things)


@register_asset("bed")
def bed(stream: Stream) -> Asset:
    """A headboard at the back, pillows before it, a blanket over the foot, which is the front."""
    wood, sheet = finish(stream), painted("#f0eee8", 0.9)
    blanket, w, d = cloth(stream), 0.92, 0.94
    head, pillows = between(stream, 0.54, 0.6), pick(stream, 1, 2)
    board = pick(
        stream,
        box((0.95, 0.045, head), (0, -0.465, 0), wood, 0.012),
        pad((0.95, 0.09, head - 0.05), (0, -0.445, 0.05), reserved_material("bed", stream), 0.04),
    )
    frame = box((w, d, 0.1), (0, 0, 0.09), wood, 0.01)
    feet = [box((0.05, 0.05, 0.1), (s * 0.42, y, 0), wood) for s in (-1, 1) for y in (-0.42, 0.42)]
    mattress = pad((w - 0.03, d - 0.05, 0.14), (0, 0.01, 0.18), sheet, 0.04)
    cover = pad((w + 0.01, 0.58, 0.17), (0, 0.2, 0.165), blanket, 0.045)
    fold = pad((w + 0.012, 0.11, 0.175), (0, -0.1, 0.165), sheet, 0.045)
    each = (w - 0.1) / pillows
    middles = [(i + 0.5) * each - (w - 0.1) / 2 for i in range(pillows)]
    flat = [cushion((each * 0.94, 0.24, 0.11), (x, -0.29, 0.31), sheet, 0.4) for x in middles]
    heads = all_transformed(flat, turn("x", -14, (0, -0.29, 0.31)))
    foot = [box((w + 0.02, 0.035, 0.3), (0, 0.47, 0), wood, 0.01)] if stream.random() < 0.4 else []
    return asset_from_parts(board, frame, feet, mattress, cover, fold, heads, foot)


@register_asset("bookcase")
def bookcase(stream: Stream) -> Asset:
    """Open shelves full of books; the back is a plain board."""
    wood, shelves = reserved_material("bookcase", stream), whole_number(stream, 4, 5)
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
    return asset_from_parts(sides, rear, boards, *rows)


def _row_of_books(stream: Stream, width: float, room: float, z: float) -> list[Mesh]:
    books: list[Mesh] = []
    covers = [painted(code, 0.6) for code in (*PAINTS, "#4a3424", "#1f2f45", "#702a2a")]
    x, end = -width / 2, width / 2 - between(stream, 0.0, 0.3)
    while x < end - 0.06:
        thick, tall = between(stream, 0.035, 0.075), room * between(stream, 0.62, 0.92)
        books.append(box((thick - 0.002, 0.2, tall), (x + thick / 2, 0.02, z), pick(stream, *covers), 0.003))
        x += thick
    if end < width / 2 - 0.1:
        lean = box((0.035, 0.2, room * 0.8), (x + 0.085, 0.02, z), pick(stream, *covers), 0.003)
        books.append(lean.moved(turn("y", -14, (x + 0.1, 0, z))))
    return books


@register_asset("cabinet")
def cabinet(stream: Stream) -> Asset:
    """Two doors on short legs, perhaps a drawer above them."""
    wood, style, metal = reserved_material("cabinet", stream), handle_style(stream), pick(stream, STEEL, BRASS, IRON)
    w, d, h, foot = 0.78, 0.4, between(stream, 0.84, 0.9), pick(stream, 0.06, 0.14)
    parts: list[Mesh] = [
        box((w, d, h - foot - 0.02), (0, 0, foot), wood),
        box((w + 0.02, d + 0.03, 0.022), (0, 0, h - 0.022), wood),
        *four_legs((w - 0.04, d - 0.04), foot + 0.005, 0.045, wood, leg_style(stream)),
        back_board(w - 0.02, h - foot - 0.05, (0, -d / 2, foot + 0.01), back_material("cabinet")),
    ]
    drawer = pick(stream, 0.0, 0.16)
    door = h - foot - 0.05 - drawer
    for s in (-1, 1):
        parts += leaf(w / 2 - 0.02, door, (s * w / 4, d / 2, foot + 0.01), wood, panelled=True)
        parts += handle(style, (s * 0.045, d / 2 + 0.03, foot + 0.7 * door), metal, upright=True)
        if drawer:
            parts += leaf(w / 2 - 0.02, drawer - 0.02, (s * w / 4, d / 2, foot + door + 0.02), wood)
            parts += handle(style, (s * w / 4, d / 2 + 0.018, foot + door + drawer / 2), metal)
    return asset_from_parts(parts)


@register_asset("dresser")
def dresser(stream: Stream) -> Asset:
    """A wide chest with two columns of drawers."""
    wood, style, metal = reserved_material("dresser", stream), handle_style(stream), pick(stream, STEEL, BRASS, IRON)
    w, d, h, foot = 0.95, 0.44, between(stream, 0.78, 0.85), pick(stream, 0.05, 0.12)
    rows = whole_number(stream, 3, 4)
    parts = [
        box((w - 0.02, d, h - foot - 0.02), (0, 0, foot), wood),
        box((w, d + 0.025, 0.025), (0, 0, h - 0.025), wood, 0.008),
        *four_legs((w - 0.06, d - 0.04), foot + 0.005, 0.055, wood, "tapered"),
        back_board(w - 0.04, h - foot - 0.05, (0, -d / 2, foot + 0.01), back_material("dresser")),
    ]
    each = (h - foot - 0.05) / rows
    for i in range(rows):
        z = foot + 0.015 + i * each
        for s in (-1, 1):
            parts += leaf(w / 2 - 0.03, each - 0.025, (s * w / 4, d / 2, z), wood)
            parts += handle(style, (s * w / 4, d / 2 + 0.018, z + each / 2 - 0.01), metal, 0.16)
    return asset_from_parts(parts)


@register_asset("wardrobe")
def wardrobe(stream: Stream) -> Asset:
    """Tall doors with long handles, and a cornice."""
    wood, metal = reserved_material("wardrobe", stream), pick(stream, STEEL, BRASS, IRON)
    style: HandleStyle = pick(stream, "bar", "bow")
    w, d, h = 0.96, 0.55, between(stream, 1.85, 1.95)
    doors, low = whole_number(stream, 2, 3), pick(stream, 0.08, 0.34)
    parts: list[Mesh] = [
        box((w - 0.02, d - 0.03, h - 0.05), (0, -0.01, 0), wood),
        box((w, d, 0.05), (0, -0.005, h - 0.05), wood, 0.015),
        box((w, d, 0.06), (0, -0.005, 0), wood),
        back_board(w - 0.04, h - 0.14, (0, -d / 2 + 0.005, 0.07), back_material("wardrobe")),
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
    return asset_from_parts(parts)
