"""Two things of one scene are never taken for each other: names, sizes and looks."""

import importlib.util

import numpy as np
import pytest

from tolman.render.assets.appearance import (
    LEAST_RECOGNISABLE_PIXELS,
    MOST_SIMILAR,
    contact_sheet_entries,
    contact_sheet_pages,
    least_pixels,
    visual_similarities,
)
from tolman.render.assets.choose import builtin_source
from tolman.render.building.things import tinted_as_named
from tolman.render.shapes.mesh import Asset, Texture, srgb
from tolman.world import WorldSettings, generate
from tolman.world.vocabulary import COLOURS, KIND_BY_NAME, VOCABULARY_V1, ObjectKind

needs_engine = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")
SAMPLES = [
    pytest.param(VOCABULARY_V1[::3], (0,), id="some kinds"),
    pytest.param(VOCABULARY_V1, tuple(range(8)), id="all kinds, eight looks", marks=pytest.mark.slow),
]


def made(kind: str, seed: int) -> Asset:
    return builtin_source().asset(kind, seed)


@needs_engine
@pytest.mark.parametrize(("kinds", "looks"), SAMPLES)
def test_no_two_kinds_look_alike_from_any_side(kinds: tuple[ObjectKind, ...], looks: tuple[int, ...]):
    close = [pair for pair in visual_similarities(kinds, made, looks) if pair.share > MOST_SIMILAR]
    assert not close


@needs_engine
def test_the_measure_finds_what_is_alike_and_what_is_not():
    def model_of(kind: str, seed: int) -> Asset:
        return made("wardrobe" if kind == "wardrobe" else "oven", 0 * seed)

    kinds = [KIND_BY_NAME[name] for name in ("oven", "dishwasher", "wardrobe")]  # the first two are of one size
    first, *others = visual_similarities(kinds, model_of, (0,))
    assert first.kinds == ("oven", "dishwasher")
    assert first.share > 0.95
    assert all(other.share < 0.3 for other in others)


@needs_engine
@pytest.mark.parametrize(("kinds", "looks"), SAMPLES)
def test_every_kind_has_enough_pixels_six_metres_away(kinds: tuple[ObjectKind, ...], looks: tuple[int, ...]):
    """By the engine; `test_large_enough` has all kinds by numpy."""
    small = {kind.name: least_pixels(kind, made, looks) for kind in kinds}
    assert not {name: pixels for name, pixels in small.items() if pixels < LEAST_RECOGNISABLE_PIXELS}


def test_things_of_one_kind_have_different_colours_in_their_names():
    for seed in range(20):
        scene = generate(seed)
        assert len({thing.category for thing in scene.things}) == len(scene.things)
    crowd = generate(0, WorldSettings(rooms=32, things_per_room=5)).things
    assert len({thing.name for thing in crowd}) == len(crowd) > len(VOCABULARY_V1)
    words = {thing.name.removesuffix(thing.category).strip() for thing in crowd}
    assert words <= {"", *COLOURS}
    assert len(words) > 1


def test_a_colour_in_a_name_is_the_colour_of_the_model():
    plain = made("chair", 3)
    assert tinted_as_named(plain, "chair", "chair") is plain
    assert tinted_as_named(plain, "old chair", "chair") is plain
    for word in ("red", "blue", "green"):
        wanted = np.array(srgb(COLOURS[word]))
        assert np.abs(mean_colour(tinted_as_named(plain, f"{word} chair", "chair")) - wanted).max() < 0.12, word


def mean_colour(model: Asset) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Linear, over the surface."""
    colours: list[object] = []
    areas: list[float] = []
    for mesh in model.meshes:
        a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
        areas.append(float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()))
        colour = mesh.material.colour
        colours.append(
            ((colour.image.reshape(-1, 3) / 255) ** 2.2).mean(axis=0) if isinstance(colour, Texture) else colour
        )
    return np.average(np.array(colours, np.float64), axis=0, weights=areas)


@needs_engine
@pytest.mark.slow
def test_a_sheet_shows_each_thing_with_its_pixels():
    (cat,) = contact_sheet_entries([KIND_BY_NAME["cat"]], made, "draft")
    assert cat.pixels > LEAST_RECOGNISABLE_PIXELS
    (page,) = contact_sheet_pages([cat, cat, cat, cat])
    assert page.width > 3 * page.height / 2
    assert len(list(contact_sheet_pages([cat] * 16))) == 2
