"""The answer of highest expected score to a question of any kind, over worlds consistent with the observations: for
relations, plans, rotations and coordinates, and for questions that list a view.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from tolman.ask import QuestionKind
from tolman.ask.coordinate_answers import format_points
from tolman.ask.plans import SeenTarget, format_plan, parse_step
from tolman.ask.relations import RelationAnswer
from tolman.belief.possible_positions import displacements
from tolman.core.bins import CardinalBin, EgoBin
from tolman.core.geometry import Heading
from tolman.explore.actions import Rotate
from tolman.explore.topological_map import moves_along
from tolman.ideal.best_map import candidates
from tolman.ideal.labels import BEYOND, CARDINAL, DISTANCE, EGO, SAME, Floats, Ints, closeness, pair_directions, to_ego
from tolman.ideal.question_content import AnswerCases, BestAnswer, QuestionContent, most_probable, order_of, order_slot
from tolman.ideal.worlds import FRONTLESS, Bools, ConsistentWorlds, Zones
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


def direction(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """Where A is relative to B on a map."""
    apart, weights, exact = _apart(worlds, content.name("of"), content.name("from"))
    bearings, distances = worlds.labels.on_map(apart)
    weights = np.where(distances == SAME, 0.0, weights)
    return _relation(bearings, distances, weights, CARDINAL, exact)


def perspective_taking(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """Where an object is for an observer at the position and facing of another."""
    at, of = content.name("at"), content.name("of")
    front = worlds.knowledge.fronts.get(at)
    if front is not None:
        apart, weights, exact = _apart(worlds, of, at)
        return best_relation_in_view(worlds, apart, int(front), weights, exact)
    fronts = worlds.fronts.get(at, np.full(len(worlds), FRONTLESS))
    weights = np.where(fronts == FRONTLESS, 0.0, worlds.weights)
    return best_relation_in_view(worlds, worlds.cells[of] - worlds.cells[at], fronts, weights, worlds.exact)


def location_to_view(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """Where an object is for an observer at given coordinates."""
    apart, weights, exact = _apart(worlds, content.name("of"), content.name("origin"))
    return best_relation_in_view(
        worlds, apart - np.array(content.cell("cell")), int(content.heading("heading")), weights, exact
    )


def best_relation_in_view(
    worlds: ConsistentWorlds, apart: Ints, heading: Ints | int, weights: Floats, exact: bool
) -> BestAnswer:
    """Where an object is that is said to be in view. If it is in view in no world, all cells in view are as likely."""
    where, far = worlds.labels.seen(apart, heading)
    weights = np.where((where == BEYOND) | (far == SAME), 0.0, weights)
    if not weights.any():
        reach = np.arange(-worlds.knowledge.belief.extent, worlds.knowledge.belief.extent + 1)
        anywhere = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
        where, far = worlds.labels.seen(anywhere, int(Heading.NORTH))
        weights, exact = np.where((where == BEYOND) | (far == SAME), 0.0, 1.0), False
    return _relation(where, far, weights, EGO, exact)


def _relation(
    directions: Ints, distances: Ints, weights: Floats, labels: Sequence[CardinalBin | EgoBin], exact: bool
) -> BestAnswer:
    """The most probable direction and the most probable distance; each is half the score."""
    where, sure = most_probable(directions, weights)
    far, sure_far = most_probable(distances, weights)
    both = float(weights @ ((directions == where) & (distances == far))) / float(weights.sum())
    slots = {"direction": (directions, tuple(map(str, labels))), "distance": (distances, tuple(map(str, DISTANCE)))}
    cases = AnswerCases(np.arange(len(weights)), weights, slots)
    answer = str(RelationAnswer(labels[where], DISTANCE[far]))
    return BestAnswer(answer, (sure + sure_far) / 2, exact, 0.0, min(both, 1.0), cases)


def _apart(worlds: ConsistentWorlds, a: str, b: str) -> tuple[Ints, Floats, bool]:
    """Displacements from `b` to `a` with their weights: exact where the evidence mentions both, else sampled."""
    mentioned = {*worlds.posterior.names, START}
    if worlds.exact or not {a, b} <= mentioned:
        return worlds.cells[a] - worlds.cells[b], worlds.weights, worlds.exact
    pair = worlds.posterior.pair(a, b)
    return np.array(list(pair), np.int64), np.array(list(pair.values())), worlds.posterior.exact


def action_to_view(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """Where an object is after a plan. Worlds in which the described plan is ambiguous or impossible do not count."""
    names = (START, *worlds.knowledge.brief.names)
    cells = np.stack([worlds.cells[name] for name in names], axis=1)
    shared = _shared(worlds, names)
    here, heading, weights = np.zeros(len(worlds), np.int64), Heading.NORTH, worlds.weights
    for step in map(parse_step, content.names("steps")):
        if isinstance(step, Rotate):
            heading = heading.turned(step.degrees)
        elif step is not None:
            here, unambiguous = _jump(worlds, cells, shared[here], here, heading, step)
            weights = np.where(unambiguous, weights, 0.0)
    of = names.index(content.name("of"))
    rows = np.arange(len(worlds))
    weights = np.where(shared[here, of], weights, 0.0)
    return best_relation_in_view(worlds, cells[:, of] - cells[rows, here], int(heading), weights, worlds.exact)


def _shared(worlds: ConsistentWorlds, names: Sequence[str]) -> Bools:
    """For each pair of names, by index, whether they may share a room."""
    zones = [worlds.zones(name) for name in names]
    return np.array([[worlds.together(a, b) for b in zones] for a in zones])


def _jump(
    worlds: ConsistentWorlds, cells: Ints, shared: Bools, here: Ints, heading: Heading, step: SeenTarget
) -> tuple[Ints, Bools]:
    """The target of a move in each world, by index, and the worlds in which it is unambiguous."""
    apart = cells - cells[np.arange(len(worlds)), here][:, None]
    direction, distance = worlds.labels.seen(apart, int(heading))
    alike = (direction == EGO.index(step.direction)) & (distance == DISTANCE.index(step.distance)) & shared
    alike[:, 0] = False
    order = np.where(alike, _from_left(worlds, apart, heading), np.inf)
    rank = (step.from_left or 1) - 1
    target = np.argsort(order, axis=1, kind="stable")[:, min(rank, order.shape[1] - 1)]
    count = alike.sum(axis=1)
    unambiguous = count == 1 if step.from_left is None else count >= max(2, step.from_left)
    return target, unambiguous


def _from_left(worlds: ConsistentWorlds, apart: Ints, heading: Heading) -> Floats:
    """A sort key that increases from left to right, and with distance for equal bearings."""
    bearings = worlds.labels.bearings(to_ego(apart, int(heading)))
    return bearings * 1e6 + np.hypot(apart[..., 0], apart[..., 1])


def mental_rotation(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """The order of objects during one full rotation at the start, from north."""
    names = content.names("things")
    cells = np.stack([worlds.cells[name] for name in names], axis=1)
    bearings = worlds.labels.bearings(cells)
    angles = np.round((bearings if content.name("turn") == "clockwise" else -bearings) % 360.0, 6)
    order = np.lexsort((np.hypot(cells[..., 0], cells[..., 1]), angles), axis=1)
    codes = order @ len(names) ** np.arange(len(names))
    best, sure = most_probable(codes, worlds.weights)
    cases = AnswerCases(np.arange(len(worlds)), worlds.weights, {"order": order_slot(names, codes)})
    return BestAnswer(order_of(names, best), sure, worlds.exact, 0.0, sure, cases)


def allocentric_mapping(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer:
    """The best among probable joint positions, their mean and median, and the most probable cells."""
    cells = np.stack([worlds.cells[name] for name in content.names("things")], axis=1)
    true = pair_directions(cells, worlds.labels)
    expected: list[tuple[float, Ints]] = []
    for said in candidates(cells):
        agree = (true == pair_directions(said[None], worlds.labels)).mean(axis=1)
        expected.append((float(worlds.weights @ (agree + _close(said, cells))) / 2, said))
    score, best = max(expected, key=lambda found: round(found[0], 12))
    sure = float(worlds.weights @ (cells == best).all(axis=(1, 2)))
    slots = {name: (cells[:, i], None) for i, name in enumerate(content.names("things"))}
    cases = AnswerCases(np.arange(len(worlds)), worlds.weights, slots)
    reply = format_points([(float(x), float(y)) for x, y in best.tolist()])
    return BestAnswer(reply, score, worlds.exact, 0.0, sure, cases)


def _close(said: Ints, true: Ints) -> Floats:
    """The closeness of one reply in each world; see `map_similarity`."""
    error = np.sqrt(((true - said) ** 2).sum(axis=2).mean(axis=1))
    scale = np.sqrt((true**2).sum(axis=2).mean(axis=1))
    return closeness(error, scale)


_ANSWERS: dict[str, Callable[[QuestionContent, ConsistentWorlds], BestAnswer]] = {
    QuestionKind.DIRECTION: direction,
    QuestionKind.PERSPECTIVE_TAKING: perspective_taking,
    QuestionKind.PERSPECTIVE_DECISION: perspective_decision,
    QuestionKind.ACTION_TO_VIEW: action_to_view,
    QuestionKind.VIEW_TO_ACTION: view_to_action,
    QuestionKind.ALLOCENTRIC_MAPPING: allocentric_mapping,
    QuestionKind.MENTAL_ROTATION: mental_rotation,
    QuestionKind.LOCATION_TO_VIEW: location_to_view,
    QuestionKind.VIEW_TO_LOCATION: view_to_location,
}


def best_answer(content: QuestionContent, worlds: ConsistentWorlds) -> BestAnswer | None:
    """The reply of highest expected score over some worlds; None for a kind of question without a ceiling."""
    answer = _ANSWERS.get(content.kind)
    return None if answer is None else answer(content, worlds)
