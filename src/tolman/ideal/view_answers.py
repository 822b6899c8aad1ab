"""Best answers to questions that list a view: the object that has it, a plan to it, and the coordinates of it."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from tolman.ask.coordinate_answers import format_points
from tolman.ask.plans import format_plan
from tolman.belief.possible_positions import displacements
from tolman.core.geometry import Heading
from tolman.explore.topological_map import moves_along
from tolman.ideal.labels import Floats, Ints, closeness, to_ego
from tolman.ideal.question_content import AnswerCases, BestAnswer, QuestionContent
from tolman.ideal.worlds import Bools, ConsistentWorlds, Zones
from tolman.world import START

T = TypeVar("T")


def perspective_decision(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """The object that most probably has the view."""
    fits = {
        name: worlds.chance_of_view(worlds.cells[name], worlds.fronts[name], worlds.zones(name), content.shown)
        for name in worlds.things
        if worlds.knowledge.fronts.get(name, 0) is not None
    }
    name, chance = _most_probable_fit(fits, worlds)
    names = tuple(fits)
    likely = worlds.weights[:, None] * np.stack([*fits.values()], axis=1)
    row, which = np.nonzero(likely)
    cases = AnswerCases(row, likely[row, which], {"object": (which, names)})
    return BestAnswer(name, chance, worlds.exact, 0.0, chance, cases)


def view_to_action(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """A plan to the most probable pose, along observed sight lines."""
    routes = worlds.knowledge.topology.routes(START, {})
    fits = {
        (name, heading): worlds.chance_of_view(worlds.cells[name], int(heading), worlds.zones(name), content.shown)
        for name in routes
        for heading in Heading
        if name != START or heading != Heading.NORTH
    }
    (name, heading), chance = _most_probable_fit(fits, worlds)
    return BestAnswer(format_plan(moves_along(Heading.NORTH, routes[name], heading)), chance, worlds.exact, 0.0, chance)


def _most_probable_fit(fits: Mapping[T, Floats], worlds: ConsistentWorlds) -> tuple[T, float]:
    """The most probable candidate (of ties the first), given that one fits; where none can, the first."""
    some = 1.0 - np.prod([1.0 - chance for chance in fits.values()], axis=0)
    total = float(worlds.weights @ some)
    if total <= 0:
        return next(iter(fits)), 1 / len(fits)
    chances = {candidate: round(float(worlds.weights @ chance) / total, 12) for candidate, chance in fits.items()}
    best = max(chances, key=lambda candidate: chances[candidate])
    return best, chances[best]


TRIED = 48
"""Most points that are compared, the most probable first."""
_FALLOFF = 0.5
"""Factor on the probability of floor for each cell beyond everything seen in the room."""


def view_to_location(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """The point of highest expected closeness. Any free cell with the view may be the one asked for.

    So a world counts in proportion to its number of such cells. Where no world has one, the answer is the origin, which
    scores 1/e wherever the truth is.
    """
    heading, shown = content.heading("heading"), content.shown
    rooms = _rooms(worlds, [seen.name for seen in shown])
    reach = worlds.knowledge.belief.extent
    offsets = min((displacements(seen.direction, seen.distance, heading, reach) for seen in shown), key=len)
    closest = next(seen for seen in shown if displacements(seen.direction, seen.distance, heading, reach) == offsets)
    places = worlds.cells[closest.name][:, None] - np.array(offsets, np.int64).reshape(-1, 2)[None]
    fits = worlds.places_fit(places, int(heading), shown) & worlds.looks_fit(int(heading), rooms, shown)[:, None]
    fits &= _free(worlds, places) & _inside(worlds, places, rooms)
    points = places - worlds.cells[content.name("origin")][:, None]
    which, column = np.nonzero(fits)
    likely = worlds.weights[which] * _floor(worlds, places, rooms)[which, column]
    return _closest_point(points[which, column], which, likely, worlds.exact)


def _rooms(worlds: ConsistentWorlds, names: Sequence[str]) -> Zones | None:
    """The rooms that all names share; None where the room of none is known."""
    listed = [zones for name in names if (zones := worlds.zones(name)) is not None]
    return listed[0].intersection(*listed[1:]) if listed else None


def _free(worlds: ConsistentWorlds, places: Ints) -> Bools:
    """Whether a cell is free."""
    free = np.ones(places.shape[:-1], np.bool_)
    for name in worlds.knowledge.brief.names:
        free &= (places != worlds.cells[name][:, None]).any(axis=2)
    return free


def _inside(worlds: ConsistentWorlds, places: Ints, rooms: Zones | None) -> Bools:
    """Whether a cell is not behind a wall that is known from a door in it."""
    inside = np.ones(places.shape[:-1], np.bool_)
    for (door, zone), inward in worlds.knowledge.topology.into.items():
        if rooms is not None and rooms <= {zone}:
            inside &= to_ego(places - worlds.cells[door][:, None], int(inward))[..., 1] >= 1
    return inside


def _floor(worlds: ConsistentWorlds, places: Ints, rooms: Zones | None) -> Floats:
    """Probability that a cell is floor: 1 between the things of the room, and less with each cell beyond them."""
    inside = [worlds.cells[name] for name in worlds.cells if rooms and rooms <= (worlds.zones(name) or frozenset())]
    if not inside:
        return np.ones(places.shape[:-1])
    stacked = np.stack(inside)
    low, high = stacked.min(axis=0)[:, None], stacked.max(axis=0)[:, None]
    beyond = np.maximum(np.maximum(low - places, places - high), 0).sum(axis=2)
    return np.power(_FALLOFF, beyond)


def _closest_point(points: Ints, which: Ints, weights: Floats, exact: bool) -> BestAnswer:
    """The best of the most probable points and the origin. `which` is the world of each right point, ascending."""
    if not len(points):
        return BestAnswer(format_points([(0.0, 0.0)]), math.exp(-1), False)
    distinct, number = np.unique(points, axis=0, return_inverse=True)
    order = np.argsort(-np.round(np.bincount(number.ravel(), weights, len(distinct)), 12), kind="stable")
    tried = np.concatenate([distinct[order[:TRIED]], np.zeros((1, 2), np.int64)])
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    apart = np.linalg.norm(points[:, None] - tried[None], axis=2)
    off = np.minimum.reduceat(apart, starts, axis=0)[np.cumsum(np.isin(np.arange(len(which)), starts)) - 1]
    close = closeness(off, np.linalg.norm(points, axis=1)[:, None])
    expected: Floats = np.average(close, axis=0, weights=weights)
    best = int(np.argmax(np.round(expected, 12)))
    x, y = tried[best].tolist()
    sure = float(np.average(off[:, best] == 0, weights=weights))
    cases = AnswerCases(which, weights, {"position": (points, None)})
    return BestAnswer(format_points([(float(x), float(y))]), float(expected[best]), exact, 0.0, sure, cases)
