"""A picture depends on its scene and its camera, not on what was rendered before it."""

from importlib.util import find_spec

import numpy as np
import pytest

from tolman.core.geometry import Heading
from tolman.render.assets.builtin.library import builtin_asset
from tolman.render.building.walls import EYE
from tolman.render.camera import Perspective
from tolman.render.renderer import Renderer
from tolman.world import START, WorldSettings, generate

pytestmark = pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")


@pytest.mark.slow
@pytest.mark.parametrize("rooms", [1, 3])
def test_what_was_hidden_and_shown_again_looks_as_before(rooms: int):
    scene = generate(7, WorldSettings(rooms=rooms))
    used, fresh = (Renderer(scene, builtin_asset, "draft") for _ in range(2))
    for thing in scene.things[:4]:
        used.hits(scene.pose_at(thing.name, Heading.NORTH), size=16)
    for heading in Heading:
        pose = scene.pose_at(START, heading)
        one, other = used.ego(pose, size=48), fresh.ego(pose, size=48)
        assert one.rgb.tobytes() == other.rgb.tobytes()
        assert np.array_equal(one.normals, other.normals)


def test_views_traced_together_are_those_traced_alone():
    scene = generate(7, WorldSettings(rooms=1))
    renderer = Renderer(scene, builtin_asset, "draft")
    poses = [scene.pose_at(name, heading) for name in (START, scene.things[0].name) for heading in list(Heading)[:2]]
    cameras = [Perspective(*pose.cell, EYE, pose.heading.degrees, 90.0, 24, 24) for pose in poses]
    together = list(renderer.pictures(cameras, [pose.cell for pose in poses]))
    for pose, picture in zip(poses, together, strict=True):
        alone = renderer.ego(pose, size=24)
        assert picture.rgb.tobytes() == alone.rgb.tobytes()
        assert np.array_equal(picture.ids, alone.ids)
    assert np.array_equal(
        renderer.previews(poses, size=24)[0], Renderer(scene, builtin_asset, "preview").ego(poses[0], size=24).rgb
    )


@pytest.mark.slow
def test_pictures_of_several_sizes_come_from_one_stage():
    scene = generate(7, WorldSettings(rooms=1))
    renderer = Renderer(scene, builtin_asset, "draft")
    pose = scene.pose_at(START, Heading.EAST)
    small = renderer.ego(pose, size=32)
    assert renderer.panorama(pose, width=96).rgb.shape == (48, 96, 3)
    assert renderer.ego(pose, size=32).rgb.tobytes() == small.rgb.tobytes()
