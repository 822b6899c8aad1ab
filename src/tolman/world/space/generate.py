"""A furnished space from a seed."""

from dataclasses import replace

import numpy as np

from tolman.errors import GenerationError
from tolman.seeds import check_seed, rng
from tolman.world.space.furnish import furnish
from tolman.world.space.outline import Point
from tolman.world.space.settings import FEWEST_CLASSES, SpaceSettings
from tolman.world.space.shapes import floor
from tolman.world.space.sight import pixels, shares_seen
from tolman.world.space.site import Site, meets
from tolman.world.space.values import Piece, Space, on_floor

_TRIES = 20
_EYES = 6
"""Places of the camera that are compared."""
_ROOM = (0.75, 0.55, 0.4)
"""Metres around the camera that are free, the most first."""
_SHARE, _PIXELS = 0.34, 250
"""How much of a piece must be seen for it to stay, and about how large it must be in a panorama of 1024 by 512."""

_LARGE = 2000
"""Pixels of a piece beyond which it makes no place of the camera better."""


def space(seed: int, settings: SpaceSettings | None = None) -> Space:
    """The furnished space that a seed makes: all its pieces can be seen from its camera."""
    check_seed(seed)
    settings = settings or SpaceSettings()
    for attempt in range(_TRIES):
        site = Site(floor(rng(seed, "space", "floor", attempt), settings.shapes), settings, rng(seed, "space", attempt))
        furnish(site)
        made = _seen(site, str(seed))
        if made is not None and len(made.classes) >= FEWEST_CLASSES:
            return made
    raise GenerationError(f"seed {seed} gives no space with {FEWEST_CLASSES} classes; try another seed or more shapes")


def _seen(site: Site, label: str) -> Space | None:
    """The space from the best place of the camera, without what can't be seen well from there."""
    eyes = _eyes(site)
    if not eyes:
        return None
    shares = shares_seen(site.pieces, site.cells, eyes)
    sizes = shares * pixels(site.pieces, eyes)
    good = (shares >= _SHARE) & (sizes >= _PIXELS)
    best = int(np.argmax(good.sum(axis=1) + np.minimum(sizes / _LARGE, 1).mean(axis=1)))
    kept = _with_supports(site, good[best].tolist())
    return Space(site.rooms, tuple(replace(p, id=i) for i, p in enumerate(kept, start=1)), eyes[best], label)


def _with_supports(site: Site, good: list[bool]) -> list[Piece]:
    """Pieces that are well seen and do not stand on one that is not."""
    return [p for p in site.pieces if good[p.id - 1] and (p.id not in site.on or good[site.on[p.id] - 1])]


def _eyes(site: Site) -> list[Point]:
    """Some places where someone could stand, with as much room as there is, and not on a rug if that can be."""
    xs, ys = [x for x, _ in site.cells], [y for _, y in site.cells]
    solid = [piece.box for piece in site.pieces if not (piece.flat or piece.in_wall)]
    rugs = [piece.box for piece in site.pieces if piece.flat]
    for room, taken in ((_ROOM[0], solid + rugs), *((room, solid) for room in _ROOM)):
        found: list[Point] = []
        for _ in range(12 * _EYES):
            x = round(site.between(min(xs), max(xs)), 2)
            y = round(site.between(min(ys), max(ys)), 2)
            near = (x - room, x + room, y - room, y + room, 0.0, 2.0)
            if on_floor(site.cells, near) and not meets(near, taken):
                found.append((x, y))
            if len(found) == _EYES:
                return found
        if found:
            return found
    return []
