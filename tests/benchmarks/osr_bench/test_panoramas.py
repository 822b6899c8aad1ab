"""Panoramas turned, cut and made smaller, tried on pictures whose every pixel says where it looks."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.osr_bench.panoramas import CUBE_VIEWS, Pixels, downscaled, png, read_panorama, rotated, view
from tolman.core.errors import SceneFileError

WIDTH = 512


def all_around() -> Pixels:
    """Red and green tell the azimuth (sine and cosine, so that nothing jumps behind), blue the elevation."""
    bearing = ((np.arange(WIDTH) + 0.5) / WIDTH - 0.5) * 2 * math.pi
    rise = 0.5 - (np.arange(WIDTH // 2) + 0.5) / (WIDTH // 2)
    around = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1) * 120 + 127.5
    picture = np.empty((WIDTH // 2, WIDTH, 3))
    picture[..., :2], picture[..., 2] = around[None], (rise * 240 + 127.5)[:, None]
    return np.rint(picture).astype(np.uint8)


PANORAMA = all_around()


def looks(pixel: Pixels) -> tuple[float, float]:
    """Clockwise degrees from ahead and degrees up that a pixel tells."""
    right, ahead, rise = (pixel.astype(float) - 127.5) / (120, 120, 240)
    return math.degrees(math.atan2(right, ahead)) % 360, math.degrees(rise * math.pi)


def apart(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


@given(st.integers(-720, 720))
def test_after_a_turn_the_middle_shows_what_lies_that_way(degrees: int) -> None:
    columns = rotated(PANORAMA, degrees)[WIDTH // 4, [WIDTH // 2 - 1, WIDTH // 2]].astype(float).mean(axis=0)
    assert apart(looks(columns)[0], degrees) < 1.5


@given(st.integers(0, WIDTH), st.integers(0, WIDTH))
def test_turns_by_whole_pixels_move_pixels_and_add_up(a: int, b: int) -> None:
    one, other = a * 360 / WIDTH, b * 360 / WIDTH
    assert np.array_equal(rotated(PANORAMA, one), np.roll(PANORAMA, -a, axis=1))
    assert np.array_equal(rotated(rotated(PANORAMA, one), other), rotated(PANORAMA, one + other))


@pytest.mark.parametrize("name", CUBE_VIEWS)
def test_the_middle_of_a_view_looks_where_its_name_says(name: str) -> None:
    heading, rise = CUBE_VIEWS[name]
    cut = view(PANORAMA, heading, rise)
    middle = cut[len(cut) // 2, len(cut) // 2]
    bearing, up = looks(middle)
    assert abs(up - rise) < 3
    if rise == 0:
        assert apart(bearing, heading) < 3


def test_views_are_neither_mirrored_nor_upside_down() -> None:
    cut = view(PANORAMA, 90)
    left, right = looks(cut[len(cut) // 2, 0]), looks(cut[len(cut) // 2, -1])
    assert apart(left[0], 45) < 2
    assert apart(right[0], 135) < 2
    top, bottom = looks(cut[0, len(cut) // 2]), looks(cut[-1, len(cut) // 2])
    assert abs(top[1] - 45) < 2
    assert abs(bottom[1] + 45) < 2


def test_edges_of_views_meet() -> None:
    views = {name: view(PANORAMA, *way).astype(int) for name, way in CUBE_VIEWS.items()}
    for one, other in (("ahead", "right"), ("right", "behind"), ("behind", "left"), ("left", "ahead")):
        assert abs(views[one][:, -1] - views[other][:, 0]).max() < 8
    assert abs(views["up"][-1] - views["ahead"][0]).max() < 8
    assert abs(views["down"][0] - views["ahead"][-1]).max() < 8


def test_a_smaller_picture_shows_the_same_and_a_small_one_is_left_alone() -> None:
    small = downscaled(PANORAMA, 64)
    assert small.shape == (32, 64, 3)
    assert apart(looks(small[16, 48])[0], 90) < 5
    assert downscaled(PANORAMA, 1024) is PANORAMA


def test_files_come_back_and_others_are_refused() -> None:
    assert np.array_equal(read_panorama(png(PANORAMA), "it"), PANORAMA)
    with pytest.raises(SceneFileError, match="twice as wide as high"):
        read_panorama(png(PANORAMA[:, :100]), "it")
    with pytest.raises(SceneFileError, match="can't be read"):
        read_panorama(b"\x89PNG\r\n\x1a\nnothing", "it")
