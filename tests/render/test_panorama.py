"""A panorama has its heading in the middle, runs clockwise, and has everything in the column of its bearing."""

import importlib.util
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.render.posts import post, true_bearing, with_posts
from tolman.core.geometry import Heading
from tolman.render.building.walls import EYE
from tolman.render.camera import Panorama
from tolman.render.renderer import Renderer
from tolman.world import START, Door, Pose, generate

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

WIDTH = 720
"""Two pixels a degree."""


def number_picture(renderer: Renderer, pose: Pose, width: int = WIDTH) -> NDArray[np.int32]:
    """Ids of a panorama without its light, which takes a hundredth of the time."""
    return renderer._traced.hits(Panorama(*pose.cell, EYE, pose.heading.degrees, width), pose.cell).ids


def shown_bearing(mask: NDArray[np.bool_]) -> float:
    """Mean of the columns' angles on the circle: what is behind may be at both ends."""
    angles = ((np.nonzero(mask)[1] + 0.5) / WIDTH - 0.5) * 2 * math.pi
    return math.degrees(math.atan2(np.sin(angles).mean(), np.cos(angles).mean()))


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow if seed else ()) for seed in range(50)])
def test_everything_in_the_room_is_in_the_column_of_its_bearing(seed: int):
    renderer = Renderer(with_posts(generate(seed)), post, "draft")
    scene, found = renderer.scene, 0
    for i, name in enumerate((START, *scene.names)):
        pose = scene.pose_at(name, Heading(i % 4))
        ids = number_picture(renderer, pose)
        for item in scene.items_in(pose.rooms):
            mask, true = ids == scene.names.index(item.name) + 1, true_bearing(item, pose)
            if item.cell == pose.cell:
                assert not mask.any()
            elif isinstance(item, Door):
                assert mask[:, int((true / 360 + 0.5) * WIDTH) % WIDTH].any(), (item, pose)
            else:
                off = (shown_bearing(mask) - true + 180) % 360 - 180
                assert abs(off) < 1.5, (item, pose)
                found += 1
    assert found > 40


def test_the_picture_is_the_same_as_its_outlines():
    """With light, the ids of a panorama are those that all scenes are tested with."""
    renderer = Renderer(with_posts(generate(0)), post, "draft")
    pose = renderer.scene.pose_at(START, Heading.EAST)
    outlines = np.maximum(number_picture(renderer, pose, 120), 0)  # rays through windows end at panes of the building
    assert (renderer.panorama(pose, width=120).ids == outlines).all()
