"""Views of a scene are the same whatever came before, cameras look where they say, and engines are chosen clearly."""

import importlib.util
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from tolman.core.bins import ego_bin
from tolman.core.geometry import Heading, bearing
from tolman.render.assets.choose import builtin_source
from tolman.render.camera import Perspective, TopDown
from tolman.render.renderer import Renderer
from tolman.world import START, WorldSettings, generate

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


@cache
def rendered(seed: int, rooms: int = 3) -> Renderer:
    scene = generate(seed, WorldSettings(rooms=rooms))
    return Renderer(scene, builtin_source().asset, "draft")


@pytest.mark.slow
def test_the_same_view_gives_the_same_bytes_whatever_was_looked_at_before():
    scene = rendered(0).scene
    pose, other = scene.pose_at(START, Heading.NORTH), scene.pose_at(scene.doors[0].name, Heading.SOUTH)
    renderer = rendered(0)
    once = renderer.ego(pose, size=48)
    renderer.ego(other, size=48)
    again = renderer.ego(pose, size=48)
    assert once.rgb.tobytes() == again.rgb.tobytes()
    assert once.ids.tobytes() == again.ids.tobytes()
    assert once.rgb.std() > 5


def test_cameras_look_where_they_say():
    rows, columns = (np.array([24.0], np.float32), np.array([24.0], np.float32))
    for heading, (east, north) in {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}.items():
        _, direction = Perspective(0, 0, 1, heading, width=48, height=48).rays(rows, columns)
        assert np.allclose(direction[0], (east, north, 0), atol=1e-6)
    _, right = Perspective(0, 0, 1, 0, width=48, height=48).rays(rows, np.array([48.0], np.float32))
    assert ego_bin(bearing(float(right[0, 0]), float(right[0, 1]))) == "front-right"
    origin, down = TopDown(-2, -3, 2, 3, 2.5, 10).rays(np.array([0.0], np.float32), np.array([0.0], np.float32))
    assert np.allclose(origin[0], (-2, 3, 2.5))
    assert np.allclose(down[0], (0, 0, -1))


def test_an_engine_that_is_not_there_is_refused_in_one_sentence():
    """In processes of their own: an engine is chosen once."""
    ask = "from tolman.render.engine.variant import variant; variant()"
    for change, words in (
        ({"TOLMAN_RENDER_ENGINE": "cuda_ad_rgb"}, "does not run here"),
        ({"TOLMAN_RENDER_ENGINE": "steam"}, "choose one of"),
    ):
        env = {**os.environ, "CUDA_VISIBLE_DEVICES": "", **change}
        done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False, env=env)
        assert done.returncode != 0
        assert words in done.stderr.strip().splitlines()[-1], done.stderr
