"""The best direction and distance: the likeliest of each, as each is worth half a point."""

import numpy as np

from tolman.ask.relation_words import Relation
from tolman.geometry import Heading
from tolman.ideal.best import Best, likeliest
from tolman.ideal.labels import BEYOND, CARDINAL, DISTANCE, EGO, SAME, Floats, Ints
from tolman.ideal.told import Told
from tolman.ideal.worlds import FRONTLESS, Worlds
from tolman.world import START


def direction(told: Told, worlds: Worlds) -> Best:
    """Of one thing from another, on a map."""
    apart, weights, exact = _apart(worlds, told.name("of"), told.name("from"))
    bearings, distances = worlds.labels.on_map(apart)
    weights = np.where(distances == SAME, 0.0, weights)
    where, sure = likeliest(bearings, weights)
    far, sure_far = likeliest(distances, weights)
    return Best(str(Relation(CARDINAL[where], DISTANCE[far])), (sure + sure_far) / 2, exact)


def perspective_taking(told: Told, worlds: Worlds) -> Best:
    """Of one thing for someone who stands at another and faces its way."""
    at, of = told.name("at"), told.name("of")
    front = worlds.knowledge.fronts.get(at)
    if front is not None:
        apart, weights, exact = _apart(worlds, of, at)
        return in_view(worlds, apart, int(front), weights, exact)
    fronts = worlds.fronts.get(at, np.full(len(worlds), FRONTLESS))
    weights = np.where(fronts == FRONTLESS, 0.0, worlds.weights)
    return in_view(worlds, worlds.cells[of] - worlds.cells[at], fronts, weights, worlds.exact)


def location_to_view(told: Told, worlds: Worlds) -> Best:
    """Of one thing for someone at given coordinates."""
    apart, weights, exact = _apart(worlds, told.name("of"), told.name("origin"))
    return in_view(worlds, apart - np.array(told.cell("cell")), int(told.heading("heading")), weights, exact)


def in_view(worlds: Worlds, apart: Ints, heading: Ints | int, weights: Floats, exact: bool) -> Best:
    """Of something that the question says is in view. Where no world has it there, any place in view is as likely."""
    where, far = worlds.labels.seen(apart, heading)
    weights = np.where((where == BEYOND) | (far == SAME), 0.0, weights)
    if not weights.any():
        reach = np.arange(-worlds.knowledge.belief.extent, worlds.knowledge.belief.extent + 1)
        anywhere = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
        where, far = worlds.labels.seen(anywhere, int(Heading.NORTH))
        weights, exact = np.where((where == BEYOND) | (far == SAME), 0.0, 1.0), False
    best, sure = likeliest(where, weights)
    best_far, sure_far = likeliest(far, weights)
    return Best(str(Relation(EGO[best], DISTANCE[best_far])), (sure + sure_far) / 2, exact)


def _apart(worlds: Worlds, a: str, b: str) -> tuple[Ints, Floats, bool]:
    """Displacements from `b` to `a` with their weights: counted exactly where both were mentioned, else drawn."""
    mentioned = {*worlds.posterior.names, START}
    if worlds.exact or not {a, b} <= mentioned:
        return worlds.cells[a] - worlds.cells[b], worlds.weights, worlds.exact
    pair = worlds.posterior.pair(a, b)
    return np.array(list(pair), np.int64), np.array(list(pair.values())), worlds.posterior.exact
