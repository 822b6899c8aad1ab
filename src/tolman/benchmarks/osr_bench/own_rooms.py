"""Rooms of our own: a seed gives a furnished space, its true map and its pictures."""

from tolman.benchmarks.osr_bench.chart import Handedness, chart
from tolman.benchmarks.osr_bench.grid_map import SIZE, GridMap
from tolman.world.space import Space, SpaceSettings, space


def room_map(room: Space, size: int = SIZE, handedness: Handedness = "true") -> GridMap:
    """The true map of a space: north is up, and each piece is in the cell of its middle."""
    objects = ((piece.category, (piece.x, piece.y)) for piece in room.pieces)
    return chart(room.layout, objects, size=size, handedness=handedness)


def panorama_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    width: int = 1024,
    turn: float = 0.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The panorama of the space that a seed makes, as a PNG file; kept in the cache folder once it is made.

    `turn` is the camera's direction in clockwise degrees from north: it is in the middle column. `assets` names the
    source of models.
    """
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415 maps need no renderer

    return SpacePictures(space(seed, settings), preset, assets).panorama(width, turn)


def top_down_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    scale: float = 64.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The same space from above without its ceiling, north up, `scale` pixels a metre."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(space(seed, settings), preset, assets).top_down(scale)


def pixels_seen(
    seed: int, settings: SpaceSettings | None = None, *, width: int = 1024, assets: str = "auto"
) -> dict[int, int]:
    """How many pixels of its panorama each piece of a space covers, by the piece's number."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(space(seed, settings), "draft", assets).pixels_seen(width)
