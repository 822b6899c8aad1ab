"""Beds."""

from tolman.render.assets.builtin.coats import coat
from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import cloth, finish, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.model import Model
from tolman.render.shapes.solids import box, cushion, pad
from tolman.render.shapes.transforms import turn


@model("bed")
def bed(stream: Stream) -> Model:
    """A headboard at the back, pillows before it, a blanket over the foot, which is the front."""
    wood, sheet = finish(stream), painted("#f0eee8", 0.9)
    blanket, w, d = cloth(stream), 0.92, 0.94
    head, pillows = between(stream, 0.54, 0.6), pick(stream, 1, 2)
    board = pick(
        stream,
        box((0.95, 0.045, head), (0, -0.465, 0), wood, 0.012),
        pad((0.95, 0.09, head - 0.05), (0, -0.445, 0.05), coat("bed", stream), 0.04),
    )
    frame = box((w, d, 0.1), (0, 0, 0.09), wood, 0.01)
    feet = [box((0.05, 0.05, 0.1), (s * 0.42, y, 0), wood) for s in (-1, 1) for y in (-0.42, 0.42)]
    mattress = pad((w - 0.03, d - 0.05, 0.14), (0, 0.01, 0.18), sheet, 0.04)
    cover = pad((w + 0.01, 0.58, 0.17), (0, 0.2, 0.165), blanket, 0.045)
    fold = pad((w + 0.012, 0.11, 0.175), (0, -0.1, 0.165), sheet, 0.045)
    each = (w - 0.1) / pillows
    heads = [
        cushion((each * 0.94, 0.24, 0.11), ((i + 0.5) * each - (w - 0.1) / 2, -0.29, 0.31), sheet, 0.4).moved(
            turn("x", -14, (0, -0.29, 0.31))
        )
        for i in range(pillows)
    ]
    foot = [box((w + 0.02, 0.035, 0.3), (0, 0.47, 0), wood, 0.01)] if stream.random() < 0.4 else []
    return built(board, frame, feet, mattress, cover, fold, heads, foot)
