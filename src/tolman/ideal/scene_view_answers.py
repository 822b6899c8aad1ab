"""Best answers over possible scenes to questions that list a view: who has it, a plan to it, and its coordinates."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from tolman.ask.coordinate_answers import format_points
from tolman.ask.kinds.view_to_action import JUMPS
from tolman.ask.plans import format_plan
from tolman.core.geometry import Heading
from tolman.explore.topological_map import ViewPose, moves_along
from tolman.ideal.labels import FRONTLESS, closeness
from tolman.ideal.question_content import AnswerCases, BestAnswer, QuestionContent
from tolman.ideal.scene_prior import Bools, Floats, Ints
from tolman.ideal.scene_views import SceneViews, View, chance_of_targets, is_free, main_room, picked, room_of, score_of
from tolman.sense import Sighting
from tolman.world import START

NOT_FOUND = 1.0
"""Standard error of an answer to a question that would be asked in none of the scenes: a guess."""


def perspective_decision(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """The thing that most probably has the view."""
    things, shown = views.scenes.brief.things, content.shown
    views = views.take(np.flatnonzero(_from_things(views, shown).fits(shown).any(axis=1)))
    if not len(views.rows):
        return BestAnswer(things[0], 1 / len(things), False, NOT_FOUND)
    view, fronted = _from_things(views), views.fronts != FRONTLESS
    counts = np.where(fronted, view.count, 0)
    chance = counts * view.shown_chance(shown) / np.maximum(counts.sum(axis=1), 1)[:, None]
    views, chance, fits = _by_heading(views, shown, chance, view.fits(shown) & fronted, np.maximum(views.fronts, 0))
    weights = _asked(views, chance.sum(axis=1), fits)
    best = int(np.argmax(np.round(picked(views, weights) @ fits, 12)))
    true: Floats = views.weights[:, None] * (chance if (views.weights @ chance).any() else fits)
    row, thing = np.nonzero(true)
    cases = AnswerCases(views.rows[row], true[row, thing], {"object": (thing, things)})
    return score_of(views, things[best], weights, fits[:, best].astype(np.float64), cases)


def _by_heading(
    views: SceneViews, shown: Sequence[Sighting], chance: Floats, fits: Bools, headings: Ints
) -> tuple[SceneViews, Floats, Bools]:
    """Scenes, chances and fits of poses, one row for each heading of the true pose where a facing was never told.

    Then only poses with the true heading have the view as shown. `headings` are those of the poses.
    """
    if not any(map(views.is_free, shown)):
        return views, chance, fits
    row = np.repeat(np.arange(len(views.rows)), len(Heading))
    same = np.broadcast_to(headings, fits.shape)[row] == np.tile(np.arange(len(Heading)), len(views.rows))[:, None]
    return views.take(row), np.where(same, chance[row], 0.0), fits[row] & same


def _from_things(views: SceneViews, only: Sequence[Sighting] | None = None) -> View:
    """The views at the position and facing of every thing; of one without a front, to the north."""
    count = views.things
    return views.look(views.cells[:, :count], np.maximum(views.fronts, 0), views.inside[:, :count], only)


def _asked(views: SceneViews, chance: Floats, fits: Bools) -> Floats:
    """Weights of the scenes by the probability of the question; where it has none, of those in which a pose fits."""
    for likely in (chance, fits.any(axis=1).astype(np.float64)):
        if (views.weights * likely).any():
            return views.weights * likely
    return views.weights


PLANS_TRIED = 8
"""Final poses for which plans are compared, the most probable first."""


def view_to_action(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """The plan that most probably leads to the view."""
    shown = content.shown
    some = [views.look(views.cells, int(heading), views.inside, shown).fits(shown).any(axis=1) for heading in Heading]
    views = views.take(np.flatnonzero(np.any(some, axis=0)))
    if not len(views.rows):
        return BestAnswer("Rotate(180)", 1 / (len(Heading) * len(views.names)), False, NOT_FOUND)
    looks = [views.look(views.cells, int(heading), views.inside) for heading in Heading]
    poses = len(views.names) * len(Heading)
    fits = np.stack([look.fits(shown) for look in looks], axis=2).reshape(-1, poses)
    chance = _plan_chance(views, looks, shown).reshape(-1, poses)
    views, chance, fits = _by_heading(views, shown, chance, fits, np.arange(poses) % len(Heading))
    weights = _asked(views, chance.sum(axis=1), fits)
    chosen = picked(views, weights)
    order = np.argsort(-np.round(chosen @ fits, 12), kind="stable")
    best: tuple[float, str, Floats] = (-1.0, "", np.zeros(0))
    for pose in order[:PLANS_TRIED]:
        target, heading = divmod(int(pose), len(Heading))
        if float(chosen @ fits[:, pose]) <= best[0]:
            break
        for route in _routes(views, views.names[target]):
            right = (fits[:, pose] & _walkable(views, route)).astype(np.float64)
            chance = round(float(chosen @ right), 12)
            if chance > best[0]:
                best = chance, format_plan(moves_along(Heading.NORTH, route, Heading(heading))), right
    return score_of(views, best[1], weights, best[2])


def _plan_chance(views: SceneViews, looks: Sequence[View], shown: Sequence[Sighting]) -> Floats:
    """The probability of the question in each scene, by final name and heading: of a plan to a pose with this view."""
    settings, things = views.scenes.prior.settings, views.things
    ends = chance_of_targets(settings.rooms, settings.things_per_room, JUMPS)
    end = np.where(views.inside[:, :things] & 1, ends["main"], ends["leaf"])
    end = np.concatenate([end, np.full((len(end), len(views.names) - things), ends["door"])], axis=1)
    seeing = np.sum([look.count > 0 for look in looks], axis=0)
    shares = np.stack([look.count * look.shown_chance(shown) for look in looks], axis=2)
    return shares * (end / np.maximum(seeing, 1))[:, :, None]


Route = tuple[ViewPose, ...]


def _routes(views: SceneViews, target: str) -> list[Route]:
    """Routes to a name: along sight lines that were observed, straight from the start, or through one door."""
    known = views.scenes.told.topology.routes(START, {})
    routes: list[Route] = [known[target]] if target in known else []
    routes += [((target, heading),) for heading in Heading]
    for door in views.scenes.brief.doors:
        if door != target:
            routes += [((door, first), (target, second)) for first, second in product(Heading, Heading)]
    return routes


def _walkable(views: SceneViews, route: Route) -> Bools:
    """The scenes in which every step of a route from the start leads to something in view."""
    at, rooms = views.at(START), main_room(views)
    walkable = np.ones(len(views.weights), np.bool_)
    for name, heading in route:
        i = views.index(name)
        walkable &= views.look(at, int(heading), rooms).visible[:, i]
        at, rooms = views.cells[:, i], views.inside[:, i]
    return walkable


MOST_POINTS = 160
"""Cells compared, the most probable first."""


def view_to_location(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """The point of highest expected closeness to a cell that has the view."""
    origin, heading, shown = content.name("origin"), int(content.heading("heading")), content.shown
    places = _floor(views, origin)
    rooms = np.broadcast_to(room_of(views, origin)[:, None], places.shape[:2])
    views = views.take(np.flatnonzero(views.look(places, heading, rooms, shown).fits(shown).any(axis=1)))
    places, rooms = _floor(views, origin), room_of(views, origin)
    view = views.look(places, heading, np.broadcast_to(rooms[:, None], places.shape[:2]))
    free = is_free(views, places, rooms)
    fits = view.fits(shown) & free
    chance = np.where(free & (view.count >= LEAST_SHOWN), view.count * view.shown_chance(shown), 0.0)
    weights = views.weights[:, None] * (chance if chance.any() else fits)
    if not weights.any():
        return BestAnswer(format_points([(0.0, 0.0)]), math.exp(-1), False, NOT_FOUND)
    points = places - views.at(origin)[:, None]
    part = picked(views, weights.sum(axis=1)) > 0
    said = _closest(points[part], fits[part], weights[part])
    sums = weights.sum(axis=1)
    score = _expected(said[None], points, fits, weights)[:, 0] / np.maximum(sums, 1e-300)
    row, place = np.nonzero(weights)
    cases = AnswerCases(views.rows[row], weights[row, place], {"position": (points[row, place], None)})
    return score_of(views, format_points([(float(said[0]), float(said[1]))]), sums, score, cases)


LEAST_SHOWN = 2
"""Fewest names in view from a pose that is asked for by its coordinates."""


def _floor(views: SceneViews, origin: str) -> Ints:
    """The cells of the room of a pose whose coordinates count from an origin, of shape (scenes, cells, 2)."""
    side, count = views.scenes.prior.side, len(views.rows)
    number = np.zeros(count, np.int64) if origin == START else views.scenes.rooms[origin][views.rows]
    offsets = np.stack(np.divmod(np.arange(side**2), side), axis=1)
    return views.lows[np.arange(count), number][:, None] + offsets[None]


_AROUND = np.array([(0.0, 0.0), *((x / 4, y / 4) for x in range(-4, 5) for y in range(-4, 5) if x or y)])
"""Points tried around the best cell."""


def _closest(points: Ints, fits: Bools, weights: Floats) -> Floats:
    """The best point, given in each scene the cells that have the view and the weights of the true one among them."""
    cells, which = np.unique(points[fits], axis=0, return_inverse=True)
    mass = np.bincount(which.ravel(), weights[fits], len(cells))
    tried: Floats = cells[np.argsort(-np.round(mass, 12), kind="stable")[:MOST_POINTS]].astype(np.float64)
    best = tried[0]
    for around in (False, True):
        tried = best + _AROUND if around else tried
        sums: Floats = _expected(tried, points, fits, weights).sum(axis=0)
        best = tried[int(np.argmax(np.round(sums, 12)))]
    return best


def _expected(tried: Floats, points: Ints, fits: Bools, weights: Floats) -> Floats:
    """For each scene and point tried, the weighted closeness to the nearest cell that has the view."""
    scales: Floats = np.linalg.norm(points, axis=2)
    row, column = np.nonzero(fits)
    total = np.zeros((len(points), len(tried)))
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    if not len(starts):
        return total
    where = row[starts]
    for i in range(len(tried)):
        off: Floats = np.minimum.reduceat(np.linalg.norm(points[row, column] - tried[i], axis=1), starts)
        counted = weights[where] > 0
        close = np.zeros(counted.shape)
        at = np.nonzero(counted)
        close[at] = closeness(off[at[0]], scales[where][at])
        total[where, i] = (weights[where] * close).sum(axis=1)
    return total
