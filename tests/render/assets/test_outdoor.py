"""Things under the sky: every kind has a model in its real size, standing, the same from the same seed."""

import numpy as np
import pytest

from tolman.core.errors import UnknownNameError
from tolman.render.assets.outdoor.animals import limb, smooth_body
from tolman.render.assets.outdoor.source import OUTDOOR_KINDS, outdoor_source
from tolman.render.assets.pack.source import read_pack_table
from tolman.render.shapes.mesh import Material
from tolman.render.shapes.sweep import joined, volume

BUILT_IN = outdoor_source("built-in")


@pytest.mark.parametrize("kind", sorted(OUTDOOR_KINDS))
def test_a_kind_stands_on_the_ground_in_its_real_size(kind: str):
    model = BUILT_IN.asset(kind, 1)
    low, high = model.bounds
    size = OUTDOOR_KINDS[kind]
    assert low[2] == pytest.approx(0, abs=1e-3)
    assert (high - low <= np.array([size.width, size.depth, size.height]) + 1e-3).all()
    assert max((high - low) / np.array([size.width, size.depth, size.height])) == pytest.approx(1, abs=1e-3)
    assert (low + high)[:2] == pytest.approx([0, 0], abs=1e-3)
    assert sum(len(mesh.triangles) for mesh in model.meshes) < 60_000
    for mesh in model.meshes:
        assert np.isfinite(mesh.points).all()
        assert mesh.normals is None or np.isfinite(mesh.normals).all()


def test_the_pack_stands_for_kinds_that_there_are():
    assert read_pack_table().outdoors.keys() <= OUTDOOR_KINDS.keys()


def test_a_taxi_is_yellow():
    colours = [mesh.material.colour for mesh in BUILT_IN.asset("taxi", 2).meshes]
    assert any(isinstance(c, tuple) and c[0] > 0.7 and 0.3 < c[1] < 0.7 and c[2] < 0.05 for c in colours)


def test_limbs_become_one_skin_seen_from_outside():
    coat = Material((0.5, 0.4, 0.3))
    body = smooth_body([limb((0, 0, 0), (0, 1, 0), 0.3, coat), limb((0, 1, 0), (0, 1, 0.8), 0.2, coat)], blend=0.02)
    assert len(body) == 1
    straight = np.pi * 0.3**2 * 1 + np.pi * 0.2**2 * 0.8 + 2 / 3 * np.pi * (0.3**3 * 2)
    assert 0.8 * straight < volume(joined(body)) < 1.1 * straight
    mesh = body[0]
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    assert mesh.normals is not None
    agree = (np.cross(b - a, c - a) * mesh.normals[mesh.triangles[:, 0]]).sum(axis=1)
    assert (agree > 0).mean() > 0.99


def test_what_there_is_not_is_told():
    with pytest.raises(UnknownNameError, match="no outdoor kind"):
        BUILT_IN.asset("piano", 0)
    with pytest.raises(UnknownNameError, match="auto, pack or built-in"):
        outdoor_source("somewhere")
