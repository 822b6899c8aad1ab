"""Every kind of thing can be made out from six metres, from its front and from its side, its plinth not counted."""

from functools import cache

import pytest

from tests.render.pinhole import corners_of, from_pose, silhouette
from tests.render.sights import ENOUGH
from tolman.core.geometry import Heading
from tolman.render.assets.choose import builtin_source
from tolman.render.building.things import placed_thing, silhouette_area
from tolman.render.shapes.mesh import Asset, Material
from tolman.render.shapes.solids import box
from tolman.world import Pose, Thing
from tolman.world.vocabulary import KIND_BY_NAME

HERE = Pose((0, 0), Heading.NORTH, (1,))


@cache
def made(kind: str, seed: int) -> Asset:
    return builtin_source().asset(kind, seed)


def pixels(kind: str, front: Heading, look: int) -> int:
    """Of a thing straight ahead, six metres away; `look` is the seed of its model."""
    seeds: list[int] = []

    def model_of(category: str, seed: int) -> Asset:
        seeds.append(seed)
        return made(category, seed)

    meshes = list(placed_thing(Thing(kind, kind, (0, 6), front, 1), model_of, look))
    without_plinth = meshes[: len(made(kind, seeds[0]).meshes)]
    return int(silhouette(from_pose(corners_of(without_plinth), HERE)).sum())


@pytest.mark.parametrize("look", [0, *(pytest.param(look, marks=pytest.mark.slow) for look in range(1, 10))])
def test_every_kind_has_enough_pixels_at_six_metres(look: int):
    found = {(kind, front.word): pixels(kind, front, look) for kind in KIND_BY_NAME for front in list(Heading)[:2]}
    assert not {what: count for what, count in found.items() if count < ENOUGH}


def test_a_shadow_is_as_large_as_what_throws_it():
    grey = Material((0.5, 0.5, 0.5))
    pair = Asset((box((0.4, 0.2, 1.0), (0, 0, 0), grey, 0.0), box((0.2, 0.2, 1.0), (0.1, 0.3, 0), grey, 0.0)))
    assert silhouette_area(pair, 0) == pytest.approx(0.4, abs=0.01)
    assert silhouette_area(pair, 1) == pytest.approx(0.4, abs=0.01)
