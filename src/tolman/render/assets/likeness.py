"""How alike two kinds of things look: the share of what either covers that looks the same, 3 m away, each of four sides
of one with each of the other.

Things are drawn in flat colours with a little shade, quickly and without any randomness. No light is traced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tolman.render.assets.plain_room import Standing, camera, middle_of
from tolman.render.assets.thing_sheet import SIDES
from tolman.render.building.things import ModelOf
from tolman.render.engine.parts import Part
from tolman.render.engine.stage import Hits, Stage
from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.model import Mesh
from tolman.world.vocabulary import Kind

Floats = NDArray[np.float32]

METRES = 3.0
MOST_ALIKE = 0.6
"""Two kinds may look the same in at most this share of what either covers."""
_CUT, _STEP, _CELL = 176, 2, 2
"""Pixels of the part of a view that is compared, how many go into one that is looked at, and how many of those into a
square over which colours are averaged."""
_SAME = 14.0
"""Two colours closer than this in CIE Lab are the same at a glance. What is covered and what is not are 100 apart."""
_SUN = np.array([0.35, -0.5, 0.79], np.float32)
_TO_XYZ = np.array([[0.4339, 0.3762, 0.1898], [0.2127, 0.7152, 0.0721], [0.0178, 0.1095, 0.8727]])
"""From linear sRGB, relative to white."""


@dataclass(frozen=True, order=True)
class Likeness:
    """Two kinds and the largest share of their pictures that is the same, over all looks and sides compared."""

    share: float
    kinds: tuple[str, str]


def likenesses(kinds: Sequence[Kind], model_of: ModelOf, looks: Sequence[int] = (0, 1, 2)) -> list[Likeness]:
    """All pairs of kinds, the most alike first. `looks` are seeds of models; any look may meet any other."""
    seen = {kind.name: np.stack(list(_sights(kind, model_of, looks))) for kind in kinds}
    found = [Likeness(_most_alike(seen[a], seen[b]), (a, b)) for a, b in combinations(seen, 2)]
    return sorted(found, reverse=True)


def _sights(kind: Kind, model_of: ModelOf, looks: Sequence[int]) -> Iterator[Floats]:
    for look in looks:
        meshes = Standing(kind, model_of, look).meshes
        stage = Stage([Part(mesh, number) for number, mesh in enumerate(meshes, start=1)])
        for side in SIDES:
            coarse = replace(middle_of(camera(METRES, side), _CUT), width=_CUT // _STEP, height=_CUT // _STEP)
            yield _sight(stage.hits(coarse), meshes)


def _sight(hits: Hits, meshes: Sequence[Mesh]) -> Floats:
    """Squares with how much is covered, of 100, and the mean colour times that share, in Lab."""
    colours = np.array([(0.0, 0.0, 0.0), *(_colour(mesh.material) for mesh in meshes)], np.float32)
    there = hits.ids > 0
    shade = 0.55 + 0.45 * np.abs(hits.normals @ _SUN)
    seen = _lab((colours[np.maximum(hits.ids, 0)] * shade[..., None]).astype(np.float32))
    layers = np.concatenate([np.full((*there.shape, 1), 100.0), seen], axis=-1) * there[..., None]
    cells = _CUT // _STEP // _CELL
    return layers.reshape(cells, _CELL, cells, _CELL, 4).mean(axis=(1, 3)).reshape(-1, 4).astype(np.float32)


def _colour(material: Material) -> tuple[float, ...]:
    if not isinstance(material.colour, Texture):
        return material.colour
    encoded = material.colour.image.reshape(-1, 3)[::7] / 255
    return tuple((encoded**2.2).mean(axis=0).tolist())


def _lab(linear: Floats) -> Floats:
    ratio = np.maximum(linear @ _TO_XYZ.T, 0)
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)


def _most_alike(some: Floats, others: Floats) -> float:
    """Each of some sights against each of the others, squares that both leave free not counted."""
    shares: list[float] = []
    for sight in some:
        either = (sight[:, 0] > 0) | (others[..., 0] > 0)
        apart = others - sight
        same = (np.einsum("ijk,ijk->ij", apart, apart) < _SAME**2) & either
        shares.append(float((np.count_nonzero(same, axis=1) / np.maximum(np.count_nonzero(either, axis=1), 1)).max()))
    return max(shares)
