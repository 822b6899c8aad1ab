"""Built-in models: every kind has one, of the right size, closed, with a front exactly where its kind has one."""

import hashlib
import json
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tolman.core.errors import SettingsError, UnknownNameError
from tolman.render.assets.builtin.library import BUILTIN_KINDS, BUILTIN_OUTDOOR_KINDS, builtin_asset
from tolman.render.assets.choose import BUILTIN_VERSION
from tolman.render.assets.outdoor.source import OUTDOOR_KINDS, OUTDOOR_VERSION, OutdoorSource
from tolman.render.shapes.mesh import Asset, Mesh, Texture
from tolman.render.shapes.sweep import volume
from tolman.world.vocabulary import KIND_BY_NAME, ObjectKind, kind_in

Floats = NDArray[np.float64]
PIXELS = 24
MOST_TRIANGLES = 6000
FRONTLESS = [kind.name for kind in KIND_BY_NAME.values() if not kind.fronted]
FRONTED = [
    kind
    for kind in BUILTIN_KINDS
    if kind not in FRONTLESS and (kind not in BUILTIN_OUTDOOR_KINDS or BUILTIN_OUTDOOR_KINDS[kind].fronted)
]


@cache
def made(kind: str, seed: int = 0) -> Asset:
    return builtin_asset(kind, seed)


def size_of(kind: str) -> ObjectKind:
    return BUILTIN_OUTDOOR_KINDS[kind] if kind in BUILTIN_OUTDOOR_KINDS else (kind_in(kind) or KIND_BY_NAME[kind])


def test_every_kind_of_the_world_has_a_model() -> None:
    assert set(KIND_BY_NAME) | set(BUILTIN_OUTDOOR_KINDS) == set(BUILTIN_KINDS)
    assert {"person", "car", "tree", "rock", "traffic cone"} <= set(BUILTIN_OUTDOOR_KINDS)


def test_an_unknown_kind_and_a_bad_seed_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="flying carpet"):
        builtin_asset("flying carpet", 0)
    with pytest.raises(SettingsError):
        builtin_asset("chair", -1)


@pytest.mark.parametrize("kind", BUILTIN_KINDS)
def test_it_stands_on_the_floor_and_fills_its_kinds_size(kind: str) -> None:
    for seed in (0, 1):
        low, high = made(kind, seed).bounds
        limits = np.array([size_of(kind).width, size_of(kind).depth, size_of(kind).height])
        assert low[2] == pytest.approx(0, abs=1e-4)
        assert np.abs(low[:2] + high[:2]).max() < 1e-3
        assert (high - low <= limits + 1e-3).all()
        assert ((high - low) / limits).max() >= 0.85


@pytest.mark.parametrize("kind", BUILTIN_KINDS)
def test_its_meshes_are_sound(kind: str) -> None:
    for seed in (0, 1):
        model = made(kind, seed)
        assert sum(len(mesh.triangles) for mesh in model.meshes) <= MOST_TRIANGLES
        for mesh in model.meshes:
            _check_numbers(mesh)


def _check_numbers(mesh: Mesh) -> None:
    assert np.isfinite(mesh.points).all()
    assert mesh.triangles.min() >= 0
    assert mesh.triangles.max() < len(mesh.points)
    assert mesh.normals is not None
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-3)
    textured = isinstance(mesh.material.colour, Texture)
    assert (mesh.coordinates is not None) == textured
    if mesh.coordinates is not None:
        assert np.isfinite(mesh.coordinates).all()


@pytest.mark.parametrize("kind", BUILTIN_KINDS)
def test_closed_bodies_are_seen_from_outside(kind: str) -> None:
    closed = [body for mesh in made(kind).meshes for body in _closed_bodies(mesh)]
    assert closed
    assert all(volume(body) > 0 for body in closed)


def _closed_bodies(mesh: Mesh) -> list[Mesh]:
    """Connected parts of a mesh in which two triangles meet at each edge, vertices at one spot taken as one."""
    _, spot = np.unique(np.round(mesh.points * 1e5).astype(np.int64), axis=0, return_inverse=True)
    triangles = spot.ravel()[mesh.triangles]
    whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    triangles, corners = triangles[whole], mesh.triangles[whole]
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    number = int(spot.max()) + 1
    parts = _connected(number, edges)
    bodies: list[Mesh] = []
    for part in np.unique(parts[triangles[:, 0]]):
        mine = parts[triangles[:, 0]] == part
        sides = np.sort(edges[np.tile(mine, 3)], axis=1)
        if (np.unique(sides, axis=0, return_counts=True)[1] % 2 == 0).all():
            bodies.append(Mesh(mesh.points, corners[mine], mesh.material))
    return bodies


def _connected(number: int, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of so many spots the lowest one that edges lead to."""
    lowest = np.arange(number)
    while True:
        before = lowest.copy()
        for a, b in (edges.T, edges.T[::-1]):
            np.minimum.at(lowest, a, lowest[b])
        lowest = lowest[lowest]
        if (lowest == before).all():
            return lowest


def test_normals_look_the_same_way_as_the_triangles() -> None:
    for kind in BUILTIN_KINDS:
        for mesh in made(kind).meshes:
            a, b, c = (mesh.points[mesh.triangles[:, i]].astype(np.float64) for i in range(3))
            across = np.cross(b - a, c - a)
            assert mesh.normals is not None
            agree = (across * mesh.normals[mesh.triangles].sum(axis=1)).sum(axis=1)
            area = np.linalg.norm(across, axis=1)
            assert area[agree < 0].sum() <= 0.12 * area.sum(), kind


def _bytes(model: Asset) -> str:
    digest = hashlib.sha256()
    for mesh in model.meshes:
        for part in (mesh.points, mesh.triangles, mesh.normals, mesh.coordinates):
            digest.update(b"" if part is None else part.tobytes())
        colour = mesh.material.colour
        digest.update(colour.image.tobytes() if isinstance(colour, Texture) else repr(colour).encode())
    return digest.hexdigest()


def test_a_seed_decides_everything_and_seeds_differ() -> None:
    for kind in BUILTIN_KINDS[::4]:
        assert _bytes(made(kind)) == _bytes(builtin_asset(kind, 0)), kind
    alike = [kind for kind in BUILTIN_KINDS if _bytes(made(kind, 0)) == _bytes(made(kind, 1))]
    assert len(alike) <= 2, alike


@pytest.mark.parametrize("kind", FRONTED)
def test_an_onlooker_can_tell_the_front_from_the_back(kind: str) -> None:
    assert _unlike(_picture(kind, 0), _picture(kind, 2)) > 0.03


@pytest.mark.parametrize("kind", FRONTLESS)
def test_without_a_front_all_four_sides_look_alike(kind: str) -> None:
    first = _picture(kind, 0)
    unlike = max(_unlike(first, _picture(kind, quarters)) for quarters in (1, 2, 3))
    assert unlike < (0.2 if kind == "books" else 0.12)


def _picture(kind: str, quarters: int) -> Floats:
    """What is nearest to an onlooker at +y after so many quarter turns: colour, depth, and if there is anything."""
    points, colours = _samples(kind)
    half = np.abs(points[:, :2]).max()
    x, y = points[:, 0], points[:, 1]
    for _ in range(quarters):
        x, y = -y, x
    column = np.clip(((x / half + 1) / 2 * PIXELS).astype(int), 0, PIXELS - 1)
    row = np.clip((points[:, 2] / points[:, 2].max() * PIXELS).astype(int), 0, PIXELS - 1)
    nearest_last = np.argsort(y)
    picture = np.zeros((PIXELS, PIXELS, 5))
    values = np.column_stack([colours, y / half, np.ones(len(points))])
    picture[row[nearest_last], column[nearest_last]] = values[nearest_last]
    return picture


@lru_cache(1)
def _samples(kind: str, number: int = 80_000) -> tuple[Floats, Floats]:
    """Points spread evenly over the surfaces, and their colours."""
    model = made(kind)
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in model.meshes]).astype(np.float64)
    colours = np.concatenate([np.tile(_mean_colour(mesh), (len(mesh.triangles), 1)) for mesh in model.meshes])
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    stream = np.random.default_rng(0)
    chosen = stream.choice(len(area), number, p=area / area.sum())
    share = np.sort(stream.random((number, 2)), axis=1)
    u, v = share[:, :1], share[:, 1:] - share[:, :1]
    return a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen], colours[chosen]


def _mean_colour(mesh: Mesh) -> Floats:
    colour = mesh.material.colour
    if isinstance(colour, Texture):
        return (colour.image.reshape(-1, 3).mean(axis=0) / 255) ** 2.2
    return np.array(colour)


def _unlike(first: Floats, second: Floats) -> float:
    """Mean difference of two pictures where either shows something: 0 alike, 1 opposite."""
    seen = np.maximum(first[..., 4], second[..., 4])
    return float(np.abs(first - second).mean(axis=-1).sum() / seen.sum())


STORED_SIZES = Path(__file__).with_name("built_in_assets.json")


def test_assets_change_only_with_their_version() -> None:
    """Stored pictures are found by the version: raise it, and write the file again, if an asset is meant to change."""
    versions = [BUILTIN_VERSION, OUTDOOR_VERSION]
    sizes = {kind: _summary(builtin_asset(kind, 0)) for kind in BUILTIN_KINDS}
    sizes |= {f"outdoor {kind}": _summary(OutdoorSource(None).asset(kind, 0)) for kind in OUTDOOR_KINDS}
    if not STORED_SIZES.exists():
        STORED_SIZES.write_text(json.dumps([versions, sizes]).replace("],", "],\n") + "\n", encoding="utf-8")
        pytest.fail("the summaries were written; commit them")
    stored_versions, stored = json.loads(STORED_SIZES.read_text(encoding="utf-8"))
    assert stored_versions == versions
    assert list(stored) == list(sizes)
    for kind, size in sizes.items():
        assert size == pytest.approx(stored[kind], abs=1e-4), kind


def _summary(asset: Asset) -> list[float]:
    """Meshes, vertices, triangles, the mean and spread of the vertices, and the mean colour of the meshes."""
    points = np.concatenate([mesh.points for mesh in asset.meshes]).astype(np.float64)
    counts = len(asset.meshes), len(points), sum(len(mesh.triangles) for mesh in asset.meshes)
    colour = np.mean([_mean_colour(mesh) for mesh in asset.meshes], axis=0)
    return [*counts, *np.round([*points.mean(axis=0), *points.std(axis=0), *colour], 6).tolist()]
