"""With a slim post in place of every thing, pictures show each just where its cell is."""

import importlib.util
import math

import numpy as np
import pytest

from tests.render.pinhole import SIZE, bearing_of
from tests.render.posts import RADIUS, Shown, all_shown, post, with_posts
from tolman.core.bins import ego_bin
from tolman.core.geometry import Heading
from tolman.render.building.walls import EYE
from tolman.render.renderer import Renderer
from tolman.world import Door, generate

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


@pytest.fixture(
    scope="module", params=[pytest.param(seed, marks=pytest.mark.slow if seed else ()) for seed in range(50)]
)
def shown(request: pytest.FixtureRequest) -> list[Shown]:
    return list(all_shown(Renderer(with_posts(generate(request.param)), post, "draft")))


@pytest.fixture
def posts(shown: list[Shown]) -> list[Shown]:
    return [one for one in shown if not isinstance(one.item, Door)]


def test_every_post_is_at_the_bearing_of_its_cell(posts: list[Shown]):
    """All of them, those half behind another or half outside the picture too."""
    assert len(posts) > 40
    for one in posts:
        assert abs(bearing_of(one.columns) - one.bearing) < 1.5, (one.item, one.pose)


def test_every_post_is_as_far_away_as_its_cell(posts: list[Shown]):
    for one in posts:
        away = math.dist(one.item.cell, one.pose.cell) - RADIUS
        nearest = np.hypot(one.points[:, 0], one.points[:, 1]).min()
        assert abs(nearest - away) < 0.15, (one.item, one.pose)


def test_feet_of_posts_are_on_the_floor_of_their_cell(posts: list[Shown]):
    whole = [one for one in posts if one.is_whole]
    assert len(whole) > 0.8 * len(posts)
    for one in whole:
        x, y, z = one.points[one.rows.argmax()].tolist()
        assert abs(math.hypot(x, y) - math.dist(one.item.cell, one.pose.cell)) < 0.15, (one.item, one.pose)
        assert abs(z + EYE) < 0.15, (one.item, one.pose)


def test_the_word_for_a_direction_is_that_of_the_pixels(posts: list[Shown]):
    """Away from the edges of bins."""
    clear = [one for one in posts if min(abs(abs(one.bearing) - edge) for edge in (0.0, 22.5, 45.0)) > 1.5]
    assert len(clear) > 10
    for one in clear:
        assert ego_bin(bearing_of(one.columns)) == one.said.direction, (one.item, one.pose)


def test_doors_are_at_the_bearing_of_their_cell(shown: list[Shown]):
    """A door ahead has its middle there; one in a side wall, seen aslant, has some part of it there."""
    doors = [(one, one.item) for one in shown if isinstance(one.item, Door)]
    assert doors
    for one, door in doors:
        first, last = np.sort(one.columns)[[0, -1]].tolist()
        assert bearing_of(np.array([first])) - 0.5 < one.bearing < bearing_of(np.array([last])) + 0.5, (door, one.pose)
        is_ahead = (door.axis == "x") == (one.pose.heading in {Heading.EAST, Heading.WEST})
        if is_ahead and first > 0 and last < SIZE - 1:
            assert abs(bearing_of(one.columns) - one.bearing) < 1.5, (door, one.pose)
