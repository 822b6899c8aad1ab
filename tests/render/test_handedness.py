"""Right is right: a known scene, in words, in a view, in a panorama and from above.

y
5  .  L  .  R  .
4  .  .  .  .  .      A looks north from (3, 3): L is to its left, R to its right, B behind it.
3  .  .  A  .  .
2  .  .  .  .  .
1  .  .  .  B  .
x  1  2  3  4  5
"""

import importlib.util
import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.hand_built import one_room, thing
from tests.render.posts import post, with_posts
from tolman.core.bins import EgoBin
from tolman.core.geometry import Heading
from tolman.render.renderer import Renderer
from tolman.sense import look
from tolman.world import START

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

PLACES = {"left": (2, 5), "right": (4, 5), "behind": (4, 1)}
OFF = math.degrees(math.atan2(1, 2))
"""All three are one cell aside and two ahead or back."""


@cache
def renderer() -> Renderer:
    return Renderer(with_posts(one_room(*(thing(name, cell) for name, cell in PLACES.items()))), post, "draft")


def middle(ids: NDArray[np.int32], name: str) -> tuple[float, float]:
    """Row and column of the middle of a thing's pixels."""
    rows, columns = np.nonzero(ids == renderer().scene.names.index(name) + 1)
    return float(rows.mean()) + 0.5, float(columns.mean()) + 0.5


def test_words_have_left_on_the_left_and_right_on_the_right():
    sightings, _ = look(renderer().scene, renderer().scene.pose_at(START, Heading.NORTH))
    assert {s.name: s.direction for s in sightings} == {"left": EgoBin.FRONT_LEFT, "right": EgoBin.FRONT_RIGHT}


@pytest.mark.parametrize("field", [90.0, 95.0])
def test_views_do_too(field: float):
    size = 192
    ids = renderer().ego(renderer().scene.pose_at(START, Heading.NORTH), field=field, size=size).ids
    reach = math.tan(math.radians(field) / 2)
    for name, side in (("left", -1), ("right", 1)):
        column = middle(ids, name)[1] / size * 2 - 1
        assert abs(math.degrees(math.atan(column * reach)) - side * OFF) < 1.5
    assert set(np.unique(ids).tolist()) == {0, 1, 2}


def test_from_behind_left_and_right_change_places():
    """Who looks south sees what stands there, one cell to the east, on the left."""
    ids = renderer().ego(renderer().scene.pose_at(START, Heading.SOUTH), size=192).ids
    assert set(np.unique(ids).tolist()) == {0, 3}
    assert middle(ids, "behind")[1] < 96


@pytest.mark.parametrize("heading", list(Heading))
def test_panoramas_run_clockwise_from_behind(heading: Heading):
    """Columns from the middle are degrees clockwise from the heading."""
    width = 360
    ids = renderer().panorama(renderer().scene.pose_at(START, heading), width=width).ids
    for name, bearing in (("left", -OFF), ("right", OFF), ("behind", 180 - OFF)):
        wanted = (bearing - heading.degrees + 180) % 360
        assert abs(middle(ids, name)[1] - wanted) < 1.5


def test_from_above_north_is_up_and_east_is_right():
    scale = 24.0
    ids = renderer().top_down(scale=scale).ids
    (west, _), (_, north) = renderer().scene.bounds
    for name, (x, y) in PLACES.items():
        row, column = middle(ids, name)
        assert abs(column / scale - (x - west + 0.5)) < 0.1
        assert abs(row / scale - (north + 0.5 - y)) < 0.1
