"""Where one must be to have a listed view."""

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from tolman.ask.coordinate_answers import say_points
from tolman.belief.relations import displacements
from tolman.ideal.best import Best
from tolman.ideal.closeness import closeness
from tolman.ideal.labels import Floats, Ints, to_ego
from tolman.ideal.told import Told
from tolman.ideal.worlds import Bools, Worlds, Zones

TRIED = 48
"""Points that are compared, the likeliest first."""
_FALL = 0.5
"""Share by which it is less likely that a room goes on one cell beyond all that was seen in it."""


def view_to_location(told: Told, worlds: Worlds) -> Best:
    """The point of highest expected closeness. Any free place that has the view may be the one that is asked for.

    So a world counts for as much as it has such places. Where no world has one, the origin is a fair
    guess: it is worth 1/e wherever the truth may be.
    """
    heading, shown = told.heading("heading"), told.shown
    rooms = _rooms(worlds, [seen.name for seen in shown])
    reach = worlds.knowledge.belief.extent
    offsets = min((displacements(seen.direction, seen.distance, heading, reach) for seen in shown), key=len)
    closest = next(seen for seen in shown if displacements(seen.direction, seen.distance, heading, reach) == offsets)
    places = worlds.cells[closest.name][:, None] - np.array(offsets, np.int64).reshape(-1, 2)[None]
    fits = worlds.places_fit(places, int(heading), shown) & worlds.looks_fit(int(heading), rooms, shown)[:, None]
    fits &= _free(worlds, places) & _inside(worlds, places, rooms)
    points = places - worlds.cells[told.name("origin")][:, None]
    which, column = np.nonzero(fits)
    likely = worlds.weights[which] * _floor(worlds, places, rooms)[which, column]
    return _nearest(points[which, column], which, likely, worlds.exact)


def _rooms(worlds: Worlds, names: Sequence[str]) -> Zones | None:
    """The rooms that all names share; None where nothing was told of any."""
    known = [zones for name in names if (zones := worlds.zones(name)) is not None]
    return reduce(_both, known) if known else None


def _both(a: Zones, b: Zones) -> Zones:
    return a & b


def _free(worlds: Worlds, places: Ints) -> Bools:
    """Where nothing stands."""
    free = np.ones(places.shape[:-1], np.bool_)
    for name in worlds.knowledge.brief.names:
        free &= (places != worlds.cells[name][:, None]).any(axis=2)
    return free


def _inside(worlds: Worlds, places: Ints, rooms: Zones | None) -> Bools:
    """What is not behind a wall that is known from a door in it."""
    inside = np.ones(places.shape[:-1], np.bool_)
    for (door, zone), inward in worlds.knowledge.known.into.items():
        if rooms is not None and rooms <= {zone}:
            inside &= to_ego(places - worlds.cells[door][:, None], int(inward))[..., 1] >= 1
    return inside


def _floor(worlds: Worlds, places: Ints, rooms: Zones | None) -> Floats:
    """How likely each place is floor: surely between the things of the room, and less with each cell beyond them."""
    inside = [worlds.cells[name] for name in worlds.cells if rooms and rooms <= (worlds.zones(name) or frozenset())]
    if not inside:
        return np.ones(places.shape[:-1])
    known = np.stack(inside)
    low, high = known.min(axis=0)[:, None], known.max(axis=0)[:, None]
    beyond = np.maximum(np.maximum(low - places, places - high), 0).sum(axis=2)
    return np.power(_FALL, beyond)


def _nearest(points: Ints, which: Ints, weights: Floats, exact: bool) -> Best:
    """The best of the likeliest points and the origin. `which` tells the world of each right point, in order."""
    if not len(points):
        return Best(say_points([(0.0, 0.0)]), math.exp(-1), False)
    tried = _likeliest(points, weights)
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    apart = np.linalg.norm(points[:, None] - tried[None], axis=2)
    off = np.minimum.reduceat(apart, starts, axis=0)[np.cumsum(np.isin(np.arange(len(which)), starts)) - 1]
    close = closeness(off, np.linalg.norm(points, axis=1)[:, None])
    expected: Floats = np.average(close, axis=0, weights=weights)
    best = int(np.argmax(np.round(expected, 12)))
    x, y = tried[best].tolist()
    return Best(say_points([(float(x), float(y))]), float(expected[best]), exact)


def _likeliest(points: Ints, weights: Floats) -> Ints:
    distinct, number = np.unique(points, axis=0, return_inverse=True)
    order = np.argsort(-np.round(np.bincount(number.ravel(), weights, len(distinct)), 12), kind="stable")
    return np.concatenate([distinct[order[:TRIED]], np.zeros((1, 2), np.int64)])
