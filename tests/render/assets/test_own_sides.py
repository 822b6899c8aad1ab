"""A facing is asked about only where a picture can show it: no asset's side looks like another of its sides."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.command_line import Here
from tolman.render.assets.builtin.builder import ASSET_BUILDERS
from tolman.render.assets.builtin.library import TWO_TONED, builtin_asset
from tolman.render.assets.choose import LEAST_ASSETS, FallbackSource, builtin_source, find_source
from tolman.render.assets.own_sides import MOST_ALIKE, OwnLikeness, assets_of, meshes_likeness, own_likeness
from tolman.render.assets.pack.source import PackSource
from tolman.render.assets.source import PackMissingError
from tolman.render.shapes.mesh import Asset, Material, Mesh, srgb
from tolman.render.shapes.solids import box
from tolman.render.shapes.split import REAR_SHARE, split_at, two_toned
from tolman.world.vocabulary import KIND_BY_NAME, kind_in

KINDS = {name: kind for name in KIND_BY_NAME if (kind := kind_in(name))}
FRONTED = [kind for kind in KINDS.values() if kind.fronted]
GREY, RED = Material(srgb("#8d9196")), Material(srgb("#b8352c"))


def share(found: tuple[OwnLikeness, ...], *sides: str) -> float:
    return max(each.share for each in found if set(each.sides) == set(sides))


def plain_box(*extra: Mesh) -> tuple[Mesh, ...]:
    return box((0.6, 0.6, 0.9), (0, 0, 0), GREY), *extra


def test_a_plain_box_is_the_same_from_all_sides_and_a_panel_tells_one_side_apart():
    alike = meshes_likeness(plain_box())
    assert len(alike) == 6 * 3
    assert min(each.share for each in alike) > 0.95
    panel = box((0.5, 0.01, 0.8), (0, -0.305, 0.05), RED)  # towards the south, where fronts are
    found = meshes_likeness(plain_box(panel))
    assert share(found, "front", "back") < MOST_ALIKE
    assert share(found, "left", "right") > 0.95, "both sides are still plain"


def test_a_mirror_image_is_not_the_same_side():
    """A profile with its front to the left differs from one with its front to the right."""
    chair = box((0.5, 0.6, 0.45), (0, -0.1, 0), GREY), box((0.5, 0.1, 0.9), (0, 0.15, 0), GREY)
    assert share(meshes_likeness(chair), "left", "right") < MOST_ALIKE


def test_likeness_does_not_depend_on_the_order_of_meshes():
    meshes = builtin_asset("desk", 0).meshes
    assert meshes_likeness(meshes) == pytest.approx(meshes_likeness(meshes[::-1]))


def untreated(kind: str) -> Asset:
    """A built-in asset before its rear part got another shade."""
    builtin_asset(kind, 0)  # loads the builders
    return ASSET_BUILDERS[kind](np.random.default_rng(0)).fitted(*size(kind))


def size(kind: str) -> tuple[float, float, float]:
    return KINDS[kind].width, KINDS[kind].depth, KINDS[kind].height


@pytest.mark.parametrize("kind", ["bookcase", "suitcase", "oven", "wardrobe"])
def test_known_bad_assets_fail_and_pass_once_their_rear_part_has_another_shade(kind: str):
    asset = untreated(kind)
    assert kind in TWO_TONED
    assert own_likeness(KINDS[kind], asset)[0].share > MOST_ALIKE
    assert own_likeness(KINDS[kind], two_toned(asset, REAR_SHARE))[0].share <= MOST_ALIKE


@pytest.mark.parametrize(
    "looks", [pytest.param(1, id="one of each"), pytest.param(8, id="eight of each", marks=pytest.mark.slow)]
)
def test_every_side_of_every_built_in_asset_with_a_front_can_be_told(looks: int):
    failing = failing_kinds(lambda kind: assets_of(builtin_source(), kind, looks))
    assert not failing


def test_every_side_of_every_asset_of_the_pack_can_be_told_and_there_are_four_of_each_kind():
    try:
        source = find_source("pack")
    except PackMissingError:
        pytest.skip("the furniture pack is not fetched")
    assert isinstance(source, FallbackSource)
    pack = source.sources[0]
    assert isinstance(pack, PackSource)
    assert not failing_kinds(lambda kind: (pack.named_asset(name, kind) for name in pack.names(kind)))
    for kind in FRONTED:
        few = len(pack.names(kind.name)) < LEAST_ASSETS
        assert (builtin_source() in source.owners(kind.name)) == few


def failing_kinds(assets: Callable[[str], Iterable[Asset]]) -> dict[str, OwnLikeness]:
    failing: dict[str, OwnLikeness] = {}
    for kind in FRONTED:
        for asset in assets(kind.name):
            worst = own_likeness(kind, asset)[0]
            if worst.share > MOST_ALIKE:
                failing[kind.name] = worst
    return failing


def test_a_cut_keeps_the_surface_and_splits_it_at_the_plane():
    mesh = max(builtin_asset("bed", 1).meshes, key=lambda part: part.area)
    front, rear = split_at(mesh, 0.05)
    assert front is not None
    assert rear is not None
    assert front.area + rear.area == pytest.approx(mesh.area, rel=1e-4)
    assert front.points[:, 1].min() >= 0.05 - 1e-5
    assert rear.points[:, 1].max() <= 0.05 + 1e-5
    assert split_at(mesh, -9.0)[1] is None


def test_two_tones_keep_the_shape_and_lighten_what_is_dark():
    for code, dark in (("#d8d2c4", False), ("#141416", True)):
        asset = two_toned(Asset((box((1, 1, 1), (0, 0, 0), Material(srgb(code))),)), 0.4)
        assert asset.bounds[1][2] == pytest.approx(1.0)
        front, rear = (np.array(mesh.material.colour).mean() for mesh in asset.meshes)
        assert (rear > 2 * front) if dark else (front > 2 * rear)


@pytest.mark.slow
def test_the_command_prints_the_sides_and_fails_for_a_folder_with_a_plain_box(tmp_path: Path, here: Here):
    trimesh: Any = pytest.importorskip("trimesh")
    crate = trimesh.creation.box((0.5, 0.9, 0.5))
    (tmp_path / "box.glb").write_bytes(trimesh.Scene([crate]).export(file_type="glb"))
    (tmp_path / "models.toml").write_text('[[model]]\nkind = "chair"\nfile = "box.glb"\nfront = "+z"\n')
    done = here("assets", "check", "--assets", tmp_path, "--looks", "1", "--sides-only")
    assert done.returncode == 1
    assert "more than 80% the same: chair" in done.stdout
