"""Who sees a listed view, and how to get to where it is seen."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from tolman.ask.plan_answers import say_plan
from tolman.explore.agents.routes import moves_along
from tolman.geometry import Heading
from tolman.ideal.best import Best
from tolman.ideal.told import Told
from tolman.ideal.worlds import Bools, Worlds
from tolman.world import START

T = TypeVar("T")


def perspective_decision(told: Told, worlds: Worlds) -> Best:
    """The thing that is most likely to have the view."""
    fits = {
        name: _seen_by(name, told, worlds) for name in worlds.things if worlds.knowledge.fronts.get(name, 0) is not None
    }
    name, chance = _likeliest(fits, worlds)
    return Best(name, chance, worlds.exact)


def _seen_by(name: str, told: Told, worlds: Worlds) -> Bools:
    return worlds.fits(worlds.cells[name], worlds.fronts[name], worlds.zones(name), told.shown)


def view_to_action(told: Told, worlds: Worlds) -> Best:
    """A plan to the likeliest pose, along lines of sight that are certain."""
    routes = worlds.knowledge.known.routes(START, {})
    fits = {
        (name, heading): worlds.fits(worlds.cells[name], int(heading), worlds.zones(name), told.shown)
        for name in routes
        for heading in Heading
        if name != START or heading != Heading.NORTH
    }
    (name, heading), chance = _likeliest(fits, worlds)
    return Best(say_plan(moves_along(Heading.NORTH, routes[name], heading)), chance, worlds.exact)


def _likeliest(fits: Mapping[T, Bools], worlds: Worlds) -> tuple[T, float]:
    """The first of those that fit most often, where any does. Where none ever does, one is as good as the next."""
    some = np.any(list(fits.values()), axis=0)
    total = float(worlds.weights[some].sum())
    if not total:
        return next(iter(fits)), 1 / len(fits)
    chances = {candidate: round(float(worlds.weights[found].sum()) / total, 12) for candidate, found in fits.items()}
    best = max(chances, key=lambda candidate: chances[candidate])
    return best, chances[best]
