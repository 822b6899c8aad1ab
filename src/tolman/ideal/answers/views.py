"""Who sees a listed view, and how to get to where it is seen."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from tolman.ask.plan_answers import say_plan
from tolman.explore.agents.routes import moves_along
from tolman.geometry import Heading
from tolman.ideal.best import Best
from tolman.ideal.labels import Floats
from tolman.ideal.told import Told
from tolman.ideal.worlds import Worlds
from tolman.world import START

T = TypeVar("T")


def perspective_decision(told: Told, worlds: Worlds) -> Best:
    """The thing that is most likely to have the view."""
    fits = {
        name: _seen_by(name, told, worlds) for name in worlds.things if worlds.knowledge.fronts.get(name, 0) is not None
    }
    name, chance = _likeliest(fits, worlds)
    return Best(name, chance, worlds.exact)


def _seen_by(name: str, told: Told, worlds: Worlds) -> Floats:
    return worlds.chance_of_view(worlds.cells[name], worlds.fronts[name], worlds.zones(name), told.shown)


def view_to_action(told: Told, worlds: Worlds) -> Best:
    """A plan to the likeliest pose, along lines of sight that are certain."""
    routes = worlds.knowledge.known.routes(START, {})
    fits = {
        (name, heading): worlds.chance_of_view(worlds.cells[name], int(heading), worlds.zones(name), told.shown)
        for name in routes
        for heading in Heading
        if name != START or heading != Heading.NORTH
    }
    (name, heading), chance = _likeliest(fits, worlds)
    return Best(say_plan(moves_along(Heading.NORTH, routes[name], heading)), chance, worlds.exact)


def _likeliest(fits: Mapping[T, Floats], worlds: Worlds) -> tuple[T, float]:
    """The first of those that most probably fit, given that any does. Where none can, one is as good as the next."""
    some = 1.0 - np.prod([1.0 - chance for chance in fits.values()], axis=0)
    total = float(worlds.weights @ some)
    if total <= 0:
        return next(iter(fits)), 1 / len(fits)
    chances = {candidate: round(float(worlds.weights @ chance) / total, 12) for candidate, chance in fits.items()}
    best = max(chances, key=lambda candidate: chances[candidate])
    return best, chances[best]
