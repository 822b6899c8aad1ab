"""Words and pictures agree: whatever is listed shows, where geometry says and as far away, and nothing else does.

`python -m benchmarks.agreement` prints the figures of all 50 scenes.
"""

import importlib.util
from functools import cache

import pytest

from tests.render.sights import ENOUGH, Seen, seen
from tolman.render.assets.choose import builtin_source
from tolman.world import generate

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

SAMPLE = (25,)
"""One in which much is seen along walls."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(seed, marks=() if seed in SAMPLE else pytest.mark.slow) for seed in range(50)],
)
def scene_seen(request: pytest.FixtureRequest) -> Seen:
    return seen(generate(request.param), cache(builtin_source().asset))


def test_what_is_listed_shows_unless_another_thing_hides_it(scene_seen: Seen):
    """Text knows no occlusion: what others hide is told apart, and there must be little of it."""
    few = [sight for sight in scene_seen.sights if sight.pixels < ENOUGH]
    assert not [str(sight) for sight in few if not sight.is_hidden]
    assert len(few) < 0.05 * len(scene_seen.sights), [str(sight) for sight in few]


def test_walls_hide_little_of_what_is_listed(scene_seen: Seen):
    """From a doorway one sees along the wall: it must be thin."""
    assert not [str(sight) for sight in scene_seen.sights if sight.walled > sight.alone / 3]
    assert sum(sight.is_walled for sight in scene_seen.sights) < 0.05 * len(scene_seen.sights)


def test_nothing_shows_that_is_not_in_the_room_or_is_where_the_camera_stands(scene_seen: Seen):
    assert not scene_seen.strangers


def test_what_nothing_hides_is_where_a_pin_hole_camera_has_it(scene_seen: Seen):
    clear = [sight for sight in scene_seen.sights if sight.is_clear]
    assert len(clear) > 0.8 * len(scene_seen.sights)
    for sight in clear:
        assert abs(sight.shown - sight.outlined) < 1.5, str(sight)
        assert abs(sight.pixels - sight.alone) <= 0.02 * sight.alone + 2, str(sight)


def test_feet_are_as_far_away_as_geometry_says(scene_seen: Seen):
    for sight in scene_seen.sights:
        if sight.foot is not None:
            assert abs(sight.foot.depth - sight.foot.expected) < 0.15, str(sight)
            assert sight.foot.outside < 0.01, str(sight)


def test_things_stand_on_the_floor(scene_seen: Seen):
    """Lowest pixels of what is wholly in the picture; some have feet behind an edge that is nearer."""
    whole = [sight for sight in scene_seen.sights if sight.is_clear and not sight.cut]
    assert whole
    for sight in whole:
        assert sight.foot is not None
        assert -0.01 < sight.foot.height < 0.15, str(sight)
