"""Finishes, windows, lamps and decor: enough of them, the same for the same seed, and in nobody's way."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tolman.core.geometry import Heading
from tolman.core.seeds import rng
from tolman.render.building.decor import room_decor
from tolman.render.building.finishes import random_finish
from tolman.render.building.floor_finishes import FLOORS
from tolman.render.building.lamps import LAMPS
from tolman.render.building.outlook import DAYLIGHT, outlook
from tolman.render.building.relief import SIDE, Pattern, Stream, Surface
from tolman.render.building.rooms import walls_of_room
from tolman.render.building.wall_finishes import WALLS
from tolman.render.building.walls import CEILING
from tolman.render.building.windows import WINDOW_KINDS
from tolman.render.shapes.mesh import Material, Texture
from tolman.world import START, generate

PATTERNS = [*FLOORS.items(), *WALLS.items()]


def test_there_are_enough_finishes_lamps_and_windows():
    assert min(len(FLOORS), len(WALLS)) >= 12
    assert min(len(LAMPS), len(WINDOW_KINDS)) >= 6


def test_the_documentation_counts_them():
    page = (Path(__file__).parents[3] / "docs" / "vision-world.md").read_text(encoding="utf-8")
    assert f"{len(FLOORS)} floors" in page
    assert f"{len(WALLS)} walls" in page
    assert f"{len(LAMPS)} kinds of ceiling lamps and {len(WINDOW_KINDS)} of windows" in page


@pytest.mark.parametrize(("name", "make"), PATTERNS, ids=[name for name, _ in PATTERNS])
def test_a_finish_repeats_has_relief_and_depends_on_its_stream_only(name: str, make: Callable[[Stream], Pattern]):
    one, other = (make(rng(5, name)).surface() for _ in range(2))
    assert isinstance(one.material.colour, Texture)
    assert isinstance(one.material.relief, Texture)
    assert one.material.colour.image.shape == (SIDE, SIDE, 3)
    assert isinstance(other.material.colour, Texture)
    assert isinstance(other.material.relief, Texture)
    assert one.material.colour.image.tobytes() == other.material.colour.image.tobytes()
    assert one.material.relief.image.tobytes() == other.material.relief.image.tobytes()
    normals = one.material.relief.image / 127.5 - 1
    assert np.abs(np.linalg.norm(normals, axis=-1) - 1).max() < 0.02
    assert normals[..., 2].min() > 0.6
    colour = one.material.colour.image.astype(float)
    edge = np.abs(colour[:, 0] - colour[:, -1]).mean()
    assert edge <= np.abs(np.diff(colour, axis=1)).mean(axis=(0, 2)).max() + 1


def test_walls_are_pale_or_dull_so_that_no_colour_of_a_thing_is_lost():
    for name, make in WALLS.items():
        for seed in range(6):
            surface: Surface = make(rng(seed, name)).surface()
            assert isinstance(surface.material.colour, Texture)
            mean = surface.material.colour.image.reshape(-1, 3).mean(axis=0)
            assert mean.max() - mean.min() < 70, name


def test_rooms_differ_by_seed():
    finishes = [random_finish(rng(seed, "finish", 1)) for seed in range(60)]
    means = {tuple(_mean(f.floor.material)) + tuple(_mean(f.wall.material)) for f in finishes}
    assert len(means) > 55


def _mean(material: Material) -> list[int]:
    assert isinstance(material.colour, Texture)
    return material.colour.image.reshape(-1, 3).mean(axis=0).round().astype(int).tolist()


def test_lamps_stay_where_views_from_above_begin():
    for name, (build, _) in LAMPS.items():
        meshes = list(build(2.0, 3.0, Material((1.0, 0.9, 0.8), emission=1.0)))
        assert min(float(mesh.points[:, 2].min()) for mesh in meshes) >= CEILING - 0.1, name
        assert any(mesh.material.emission > 0 for mesh in meshes)


def test_decor_lies_flat_or_hangs_flat_within_its_room():
    for seed in range(12):
        scene = generate(seed)
        for room in scene.rooms:
            walls = list(walls_of_room(scene, room, seed))
            for mesh in room_decor(room, walls, seed):
                low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
                assert high[2] <= 0.0081 or (low[2] > 1.3 and min(high[:2] - low[:2]) < 0.035)
                assert (low[:2] > np.array(room.low) - 0.96).all()
                assert (high[:2] < np.array(room.high) + 0.96).all()


def test_the_sky_lights_the_ground_alike_for_all_seeds():
    for seed in range(5):
        sky = outlook(seed)
        assert sky.shape == (192, 384, 3)
        assert np.isfinite(sky).all()
        assert sky.min() >= 0
        assert sky.tobytes() == outlook(seed).tobytes()
        down = (np.arange(96) + 0.5) / 192 * np.pi
        weight = np.sin(down) * np.cos(down) * (np.pi / 192) ** 2 / np.pi
        assert DAYLIGHT * 0.5 < (sky[:96].mean(axis=-1) * weight[:, None]).sum() < DAYLIGHT * 1.3


@pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")
def test_every_ray_ends_at_the_building_and_panes_are_in_the_wall():
    from tolman.render.assets.builtin.library import builtin_asset  # noqa: PLC0415
    from tolman.render.building.rooms import appearance_seed, window_panes  # noqa: PLC0415
    from tolman.render.renderer import Renderer  # noqa: PLC0415

    scene = generate(3)
    renderer = Renderer(scene, builtin_asset, "draft")
    assert window_panes(scene, appearance_seed(scene))
    for heading in Heading:
        hits = renderer.hits(scene.pose_at(START, heading), size=96)
        assert (hits.ids >= 0).all()
        assert np.isfinite(hits.depth).all()
