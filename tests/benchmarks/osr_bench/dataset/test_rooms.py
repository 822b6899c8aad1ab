"""A furnished space, its panorama, its view from above and its map tell the same, with east to the right."""

import importlib.util
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tolman.benchmarks.osr_bench.dataset.files import panorama_png, pixels_seen, room_map
from tolman.benchmarks.osr_bench.maps.grid import GridFrame
from tolman.benchmarks.osr_bench.panoramas import read_panorama
from tolman.world import Room
from tolman.world.space import Piece, Space, SpaceSettings, generate_space

rendered = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

CAMERA = (2.0, 2.0)
PLAIN = Space(
    (Room(1, (0, 0), (5, 5)),),
    (
        Piece(1, "sofa", 5.0, 2.0, 270, 1.9, 0.9, 0.85),
        Piece(2, "bookcase", 2.0, 5.3, 180, 0.9, 0.34, 1.9),
        Piece(3, "plant", 0.0, 0.0, 0, 0.6, 0.6, 1.3),
        Piece(4, "door", -0.55, 3.0, 90, 0.9, 0.1, 2.05),
        Piece(5, "window", 5.55, 4.0, 270, 1.2, 0.1, 1.25, 0.95),
    ),
    CAMERA,
)
"""The sofa is east of the camera, the bookcase north, the plant south-west, the door north-west."""


def test_a_map_holds_every_piece_once():
    for seed in range(30):
        made = generate_space(seed)
        truth = room_map(made)
        counted = {name: sum(piece.category == name for piece in made.pieces) for name in made.classes}
        assert truth.counts == counted
        assert room_map(made, size=25).counts == counted
        mirrored, wide = room_map(made, handedness="released"), GridFrame(made.layout)
        if math.isclose(wide.east - wide.west, 10 * wide.side):
            near = [
                (c, 9 - m) for name in made.classes for c, m in paired(truth.instances[name], mirrored.instances[name])
            ]
            assert all(abs(c - m) <= 1 for c, m in near)


def paired(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Columns of one map from the left beside those of another from the right, row by row."""
    one = sorted(some)
    other = sorted(others, key=lambda place: (place[0], -place[1]))
    return [(a[1], b[1]) for a, b in zip(one, other, strict=True)]


@cache
def built(seed: int | None = None):
    from tolman.render.assets.choose import builtin_source  # noqa: PLC0415
    from tolman.render.space_renderer import SpaceRenderer  # noqa: PLC0415

    return SpaceRenderer(PLAIN if seed is None else generate_space(seed), builtin_source().asset, "draft")


@rendered
def test_what_is_east_is_to_the_right_in_all_of_them():
    ids = built().hits(320).ids
    columns = {piece.category: middle(ids, piece.id) for piece in PLAIN.pieces}
    assert abs(columns["bookcase"] - 160) < 3
    assert abs(columns["sofa"] - 240) < 6
    assert columns["plant"] < 80
    assert 80 < columns["door"] < 160 < columns["window"] < 240
    above = built().top_down_hits(20).ids
    truth, place = room_map(PLAIN), GridFrame(PLAIN.layout)
    camera = place(CAMERA)
    for piece in PLAIN.pieces:
        [(row, column)] = truth.instances[piece.category]
        if piece.in_wall:
            continue
        down, across = (float(axis.mean()) / 20 for axis in np.nonzero(above == piece.id))
        assert math.isclose(across - 0.25 - 0.5, piece.x, abs_tol=0.1)
        assert math.isclose(5.5 + 0.25 - down, piece.y, abs_tol=0.1)
        assert np.sign(column - camera[1]) == np.sign(piece.x - CAMERA[0])
        assert np.sign(row - camera[0]) == -np.sign(piece.y - CAMERA[1])


def middle(ids: "np.ndarray[tuple[int, ...], np.dtype[np.int32]]", number: int) -> float:
    """The mean column of a piece that does not lie across the edge of the picture."""
    return float(np.nonzero(ids == number)[1].mean())


@rendered
@pytest.mark.parametrize("seed", [1, 2])
def test_every_piece_is_seen_where_it_is(seed: int):
    made = generate_space(seed)
    ids = built(seed).hits(720).ids
    x, y = made.camera
    for piece in made.pieces:
        seen = np.unique(np.nonzero(ids == piece.id)[1])
        assert len(seen), piece
        bearing = math.degrees(math.atan2(piece.x - x, piece.y - y))
        frame = 0.1 if piece.in_wall else 0.0
        half, away = math.hypot(piece.width, piece.depth) / 2 + frame, math.dist((x, y), (piece.x, piece.y))
        reach = math.degrees(math.asin(half / away)) if half < away else 180
        off = ((seen + 0.5) / 2 - 180 - bearing + 180) % 360 - 180
        assert np.abs(off).max() <= reach + 1.5, piece


@rendered
def test_turning_the_camera_rolls_the_picture_and_leaves_the_map():
    made = generate_space(1)
    before, renderer = room_map(made), built(1)
    plain = renderer.hits(320)
    for tenths in range(1, 10):
        turned = renderer.hits(320, turn=36.0 * tenths)
        rolled = np.roll(plain.ids, -32 * tenths, axis=1)
        assert (turned.ids != rolled).mean() < 0.002
    assert room_map(generate_space(1)) == before


@rendered
def test_nearly_all_pieces_show():
    counts = [count for seed in (1, 2) for count in pixels_seen(seed, assets="built-in").values()]
    assert sum(count < 40 for count in counts) <= 0.02 * len(counts)


@rendered
def test_a_panorama_is_made_once_always_the_same_and_turns_with_the_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = SpaceSettings(shapes=("rectangle",))
    files: list[bytes] = []
    for folder in ("one", "other", "one"):
        monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / folder))
        files.append(panorama_png(9, settings, width=96, preset="draft", assets="built-in"))
    assert files[0] == files[1] == files[2]
    [kept] = (tmp_path / "one").rglob("*.png")
    assert kept.read_bytes() == files[0]
    kept.write_bytes(b"damaged")
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "one"))
    assert panorama_png(9, settings, width=96, preset="draft", assets="built-in") == files[0]
    turned = panorama_png(9, settings, width=96, turn=90.0, preset="draft", assets="built-in")
    before, after = (smooth(read_panorama(data, "it")) for data in (files[0], turned))
    grain, change = np.abs(np.roll(before, -3, axis=1) - after).mean(), np.abs(before - after).mean()
    assert 2 * grain < change


def smooth(
    pixels: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]",
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Means over squares of eight pixels, in which grain is little."""
    return pixels.reshape(6, 8, 12, 8, 3).mean(axis=(1, 3))
