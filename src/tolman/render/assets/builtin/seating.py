"""Things to sit on."""

from tolman.render.assets.builtin.coats import coat
from tolman.render.assets.builtin.draws import between, pick, whole
from tolman.render.assets.builtin.legs import four_legs, leg_style
from tolman.render.assets.builtin.materials import IRON, cloth, finish, metal, wooden
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.lathe import lathe
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.solids import box, cushion, cylinder, pad
from tolman.render.shapes.sweep import ring, tube
from tolman.render.shapes.transforms import all_moved, shift, turn


@model("chair")
def chair(stream: Stream) -> Model:
    """A dining chair."""
    wood = finish(stream)
    seat, top = between(stream, 0.44, 0.47), between(stream, 0.84, 0.9)
    legs = four_legs((0.44, 0.46), seat, 0.04, wood, leg_style(stream))
    plate = box((0.46, 0.48, 0.035), (0, 0, seat), wood, 0.012)
    padded = [pad((0.42, 0.43, 0.05), (0, 0.01, seat + 0.03), cloth(stream), 0.03)] if stream.random() < 0.5 else []
    posts = [box((0.035, 0.035, top - seat), (s * 0.2, -0.21, seat), wood) for s in (-1, 1)]
    rail = box((0.44, 0.03, 0.09), (0, -0.21, top - 0.09), wood, 0.012)
    back = [*posts, rail, *_backrest(stream, seat, top, wood)]
    return built(legs, plate, padded, all_moved(back, turn("x", 6, (0, -0.21, seat))))


def _backrest(stream: Stream, seat: float, top: float, wood: Material) -> list[Mesh]:
    style = pick(stream, "slats", "ladder", "panel")
    room = top - 0.09 - seat
    if style == "slats":
        number = whole(stream, 3, 5)
        return [
            box((0.022, 0.018, room), (0.34 * ((i + 0.5) / number - 0.5), -0.21, seat), wood, 0.004)
            for i in range(number)
        ]
    if style == "ladder":
        return [box((0.38, 0.02, 0.05), (0, -0.21, seat + room * k / 3), wood, 0.006) for k in (1, 2)]
    return [box((0.37, 0.018, room * 0.8), (0, -0.21, seat + room * 0.25), wood, 0.006)]


@model("armchair")
def armchair(stream: Stream) -> Model:
    """One deep seat between two arms."""
    return _upholstered(
        stream, "armchair", width=between(stream, 0.8, 0.85), depth=0.82, seats=1, height=between(stream, 0.86, 0.95)
    )


@model("sofa")
def sofa(stream: Stream) -> Model:
    """A sofa for two, much wider than deep so that it is not taken for an armchair, and low for its width."""
    return _upholstered(stream, "sofa", width=1.38, depth=0.84, seats=2, height=between(stream, 0.78, 0.85))


def _upholstered(stream: Stream, kind: str, width: float, depth: float, seats: int, height: float) -> Model:
    fabric = coat(kind, stream)
    accent = coat(kind, stream) if stream.random() < 0.4 else fabric
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
    upright = all_moved([lying], turn("x", 82), shift(0, behind + 0.05, 0.44 + tall / 2))
    rests = [mesh.moved(shift(x)) for x in middles for mesh in upright]
    return built(legs, base, arms, back, cushions, rests)


@model("stool")
def stool(stream: Stream) -> Model:
    """A round seat on four legs, with no back."""
    wood = finish(stream)
    height, radius = between(stream, 0.44, 0.48), between(stream, 0.165, 0.185)
    splayed = stream.random() < 0.6
    span = 0.36 if splayed else 0.27
    legs = four_legs((span, span), height - 0.03, 0.045, wood, "splayed" if splayed else "round")
    seat = cylinder(radius, 0.045, (0, 0, height - 0.045), wood if stream.random() < 0.5 else wooden(stream), sides=32)
    return built(legs, seat, ring(0.19 if splayed else 0.16, 0.009, (0, 0, 0.16), wood, sides=6))


@model("pouf")
def pouf(stream: Stream) -> Model:
    """A round, soft seat with a seam around its middle."""
    fabric = coat("pouf", stream)
    height, radius = between(stream, 0.34, 0.4), 0.25
    side = [
        (0.7, 0.0),
        (0.9, 0.06),
        (0.99, 0.25),
        (0.99, 0.46),
        (0.95, 0.5),
        (0.99, 0.54),
        (0.98, 0.78),
        (0.85, 0.95),
        (0.5, 1.0),
        (0.04, 0.985),
    ]
    profile = [(0.0, 0.0), *((r * radius, z * height) for r, z in side), (0.0, 0.98 * height)]
    button = cylinder(0.02, 0.012, (0, 0, height * 0.978), cloth(stream), sides=10)
    return built(lathe(profile, fabric, 32), button)


@model("bench")
def bench(stream: Stream) -> Model:
    """A park bench of slats on iron sides."""
    wood, iron = wooden(stream), pick(stream, IRON, metal("#20402c", 0.5))
    number = whole(stream, 3, 4)
    seats = [
        box((1.5, 0.42 / number - 0.02, 0.03), (0, 0.2 - 0.42 * i / number, 0.43), wood, 0.006) for i in range(number)
    ]
    rests = [box((1.5, 0.025, 0.09), (0, -0.24 - 0.03 * i, 0.55 + 0.12 * i), wood, 0.006) for i in range(3)]
    frames: list[Mesh] = []
    for x in (-0.65, 0.65):
        frames.append(tube([(x, 0.24, 0), (x, 0.22, 0.42), (x, -0.22, 0.42), (x, -0.27, 0)], 0.022, iron, sides=8))
        frames.append(tube([(x, -0.22, 0.42), (x, -0.25, 0.6), (x, -0.33, 0.88)], 0.02, iron, sides=8))
        frames.append(tube([(x, 0.22, 0.42), (x, 0.22, 0.62), (x, -0.26, 0.64)], 0.02, iron, sides=8))
    return built(seats, rests, frames)
