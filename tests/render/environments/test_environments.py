"""Places under the sky: noise, ground, light and cameras, without and with the engine."""

import importlib.util
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.render.camera import look_at
from tolman.render.environments.environment import Sky, add_haze
from tolman.render.environments.scenery import stone
from tolman.render.environments.terrain import Noise, copies, ground, ring_places
from tolman.render.shapes.mesh import Material
from tolman.render.shapes.solids import box

HAS_ENGINE = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")
GREY = Material((0.5, 0.5, 0.5), roughness=1.0)


def test_noise_is_the_same_on_a_grid_and_point_by_point():
    noise = Noise(3, "a")
    x, y = np.linspace(-20, 20, 30, dtype=np.float32)[None], np.linspace(5, 9, 20, dtype=np.float32)[:, None]
    everywhere = noise(x + 0 * y, y + 0 * x, 1.7)
    np.testing.assert_allclose(noise(x, y, 1.7), everywhere, atol=1e-5)
    assert 0 <= everywhere.min() < 0.4
    assert 0.6 < everywhere.max() <= 1
    assert not np.allclose(Noise(4, "a")(x, y, 1.7), everywhere)


def test_ground_is_where_its_height_says():
    land = Noise(0, "land")
    mesh = ground(lambda x, y: 3 * land(x, y, 20.0), lambda x, y: np.zeros((y.shape[0], x.shape[1], 3)), pixels=32)
    x, y, z = mesh.points.T
    np.testing.assert_allclose(z, 3 * land(x, y, 20.0), atol=1e-4)
    assert mesh.points.min() == pytest.approx(-420)
    assert mesh.normals is not None
    assert (mesh.normals[:, 2] > 0.5).all()
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()  # all triangles are seen from above


def test_copies_stand_on_the_ground_and_keep_apart():
    stream = rng(0, "copies")
    places = ring_places(stream, 30, 5.0, 20.0, 2.0)
    made = copies(stone(stream, GREY, 3), places, lambda x, y: 0.1 * x + 0 * y, stream, (1.0, 1.0), 0.0)
    each = made.points.reshape(len(places), -1, 3)
    np.testing.assert_allclose(
        each[:, :, 2].min(axis=1), 0.1 * places[:, 0] + each[0, :, 2].min() - 0.1 * places[0, 0], atol=1e-4
    )
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 99 * np.eye(len(places))
    assert gaps.min() >= 2
    out = np.linalg.norm(places, axis=1)
    assert (out >= 5).all()
    assert (out <= 20).all()


@pytest.mark.parametrize("cover", [0.0, 0.5, 1.0])
def test_a_white_sheet_in_the_open_comes_out_white(cover: float):
    sky = Sky(120, 40, cover, 0.3, exposure=1.0, seed=5).picture()
    rows = len(sky)
    down = (np.arange(rows) + 0.5) / rows * np.pi
    share = np.clip(np.cos(down), 0, None) * np.sin(down) * (np.pi / rows) ** 2
    assert float((sky.mean(axis=-1) * share[:, None]).sum() / math.pi) == pytest.approx(1, rel=1e-3)
    assert (sky >= 0).all()
    row, column = divmod(int(sky.mean(axis=-1).argmax()), 2 * rows)
    if cover < 0.8:
        assert abs(90 - (row + 0.5) / rows * 180 - 40) < 2
        assert abs((column + 0.5) / (2 * rows) * 360 - 120) < 2
        assert sky.max() > 100
    else:
        assert sky.max() < 5  # no sun behind clouds


def test_the_middle_of_a_picture_is_what_is_looked_at():
    camera = look_at((3.0, -8.0, 5.0), (1.0, 2.0, 0.5), 53.13, 224)
    column, row, ahead = camera.pixels(np.array([[1.0, 2.0, 0.5]]))[0]
    assert (column, row) == pytest.approx((112, 112))
    assert ahead == pytest.approx(math.dist((3, -8, 5), (1, 2, 0.5)))
    higher = camera.pixels(np.array([[1.0, 2.0, 1.5]]))[0]
    assert higher[1] < row  # up is up
    rows, columns = np.array([17.0], np.float32), np.array([200.0], np.float32)
    origin, way = camera.rays(rows, columns)
    back = camera.pixels((origin + 7 * way).astype(np.float64))
    assert back[0, :2] == pytest.approx((200, 17), abs=1e-2)


def test_far_things_fade_and_the_sky_does_not():
    sky = np.full((32, 64, 3), 0.8, np.float32)
    light, depth = np.zeros((1, 3, 3), np.float32), np.array([[0.0, 100.0, np.inf]], np.float32)
    seen = add_haze(light, depth, sky, 100.0)
    assert seen[0, :, 0] == pytest.approx([0, 0.8 * (1 - math.exp(-1)), 0])


@HAS_ENGINE
def test_actors_move_and_come_back_as_they_were():
    from tolman.render.engine.traced_scene import TracedScene  # noqa: PLC0415
    from tolman.render.engine.values import RenderPreset, ScenePart  # noqa: PLC0415

    floor, post = box((40, 40, 1), (0, 0, -1), GREY), box((0.5, 0.5, 2), (0, 0, 0), GREY)
    east, west = (Sky(bearing, 35, 0, 0).picture() for bearing in (90, 270))
    stage = TracedScene([ScenePart(floor, 0, static=True), ScenePart(post, 1)], east)
    camera, preset = look_at((0.0, -9.0, 4.0), (0.0, 0.0, 0.5), 53.13, 48), RenderPreset("draft", 4, 3, 3, False)
    here, there = (np.column_stack([np.eye(3), [x, 0.0, 0.0]]) for x in (0.0, 1.5))
    stage.arrange({1: here}, east)
    first = stage.render(camera, preset)
    stage.arrange({1: there}, west)
    moved = stage.render(camera, preset)
    assert _column(moved.hits.ids) > _column(first.hits.ids) + 4
    assert _brighter_right(first.light, first.hits.ids) > 0.03  # the sun is in the east, the shadow in the west
    assert _brighter_right(moved.light, moved.hits.ids) < -0.03
    stage.arrange({1: None})
    assert not (stage.hits(camera).ids == 1).any()
    stage.arrange({1: here}, east)
    again = stage.render(camera, preset)
    assert (again.light == first.light).all()
    assert (again.hits.ids == first.hits.ids).all()


@HAS_ENGINE
@pytest.mark.slow
@pytest.mark.parametrize("moves", [3, 8])
def test_after_many_moves_a_picture_is_that_of_a_new_stage(moves: int):
    from tolman.render.engine.traced_scene import TracedScene  # noqa: PLC0415
    from tolman.render.engine.values import RenderPreset, ScenePart  # noqa: PLC0415

    floor, post = box((40, 40, 1), (0, 0, -1), GREY), box((0.5, 0.5, 2), (0, 0, 0), GREY)
    camera, preset = look_at((0.0, -9.0, 4.0), (0.0, 0.0, 0.5), 53.13, 16), RenderPreset("draft", 2, 3, 3, False)
    stream, parts = rng(0, "moves"), [ScenePart(floor, 0, static=True), ScenePart(post, 1)]
    used = TracedScene(parts, Sky(0, 30, 0, 0).picture())
    for number in range(moves):
        pose = np.column_stack([np.eye(3), [*stream.uniform(-2, 2, 2), 0.0]])
        light = Sky(float(stream.uniform(0, 360)), 30, 0, 0).picture()
        used.arrange({1: pose}, light)
        seen = used.render(camera, preset)
        if number in (2, moves - 1):
            fresh = TracedScene(parts, Sky(0, 30, 0, 0).picture())
            fresh.arrange({1: pose}, light)
            assert (fresh.render(camera, preset).light == seen.light).all()


def _column(ids: NDArray[Any]) -> float:
    return float((ids == 1).nonzero()[1].mean())


def _brighter_right(light: NDArray[Any], ids: NDArray[Any]) -> float:
    """How much brighter the ground is to the right of the post's foot than to the left of it."""
    rows, columns = np.nonzero(ids == 1)
    foot = light[rows.max() - 3 : rows.max() + 1].mean(axis=(0, 2))
    left, right = int(columns.min()), int(columns.max()) + 1
    return float(foot[right : right + 8].mean() - foot[left - 8 : left].mean())
