"""The answer of highest expected score to a question of any kind, over possible scenes; here for relations, rotations
and coordinates of things.

Scenes are weighted by how likely the question is in each (`scene_views`).
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from tolman.ask import QuestionKind
from tolman.ask.coordinate_answers import format_points
from tolman.ask.kinds.mental_rotation import FEWEST, GAPS, MOST, STRAIGHT_AHEAD
from tolman.ask.plans import SeenTarget, parse_step
from tolman.ask.relations import RelationAnswer
from tolman.core.geometry import Heading
from tolman.core.seeds import rng
from tolman.explore.actions import Rotate
from tolman.ideal.best_points import PositionScore, best_points
from tolman.ideal.generative import WeightedScenes
from tolman.ideal.labels import CARDINAL, DISTANCE, EGO, FRONTLESS, SAME
from tolman.ideal.question_content import AnswerCases, BestAnswer, QuestionContent, most_probable, order_of, order_slot
from tolman.ideal.scene_prior import Bools, Floats, Ints
from tolman.ideal.scene_view_answers import perspective_decision, view_to_action, view_to_location
from tolman.ideal.scene_views import SceneViews, View, is_free, main_room, picked, room_of, score_of
from tolman.world import START


def direction(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """Where A is relative to B on a map."""
    bearings, distances = views.labels.on_map(views.at(content.name("of")) - views.at(content.name("from")))
    return _relation(views, views.weights, bearings, distances, CARDINAL)


def perspective_taking(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """Where a thing is for an observer at the position and facing of another."""
    at, of = views.index(content.name("at")), views.index(content.name("of"))
    things = views.things
    weights, chosen = views.weights, None
    able = np.zeros(len(weights))
    for i in range(things):
        view = _standing_on(views, i)
        seen = (view.visible[:, :things].sum(axis=1) > 0) & (views.fronts[:, i] != FRONTLESS)
        able += seen
        if i == at:
            chosen = view, seen / np.maximum(view.visible[:, :things].sum(axis=1), 1)
    if chosen is None:
        chosen = _standing_on(views, 0), np.zeros(len(weights))
    view, chance = chosen
    return _seen_relation(views, view, of, weights * chance / np.maximum(able, 1))


def _standing_on(views: SceneViews, i: int) -> View:
    """The view at the position and facing of a thing."""
    return views.look(views.cells[:, i], np.maximum(views.fronts[:, i], 0), views.inside[:, i])


def location_to_view(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """Where an object is for an observer at given coordinates."""
    origin, of = content.name("origin"), content.name("of")
    at = views.at(origin) + np.array(content.cell("cell"))
    rooms = room_of(views, origin)
    view = views.look(at, int(content.heading("heading")), rooms)
    chance = view.count * view.first_chance(of) * (view.count >= 2) * is_free(views, at, rooms)
    return _seen_relation(views, view, views.index(of), views.weights * chance)


def _seen_relation(views: SceneViews, view: View, of: int, weights: Floats) -> BestAnswer:
    """Where an object is that is said to be in view."""
    weights = np.where(view.visible[:, of], weights, 0.0)
    if not weights.any():
        weights = np.where(view.visible[:, of], views.weights, 0.0)
    return _relation(views, weights, view.direction[:, of], view.distance[:, of], EGO[:-1])


def _relation(
    views: SceneViews, weights: Floats, directions: Ints, distances: Ints, labels: tuple[object, ...]
) -> BestAnswer:
    """The most probable direction and the most probable distance; each is half the score."""
    weights = np.where((distances == SAME) | (directions >= len(labels)), 0.0, weights)
    if not weights.any():
        return BestAnswer(f"{labels[0]}, {DISTANCE[3]}", 1 / len(labels), False)
    where, _ = most_probable(directions, picked(views, weights))
    far, _ = most_probable(distances, picked(views, weights))
    score = ((directions == where).astype(np.float64) + (distances == far)) / 2
    answer = RelationAnswer(labels[where], DISTANCE[far])  # pyright: ignore[reportArgumentType]
    slots = {"direction": (directions, tuple(map(str, labels))), "distance": (distances, tuple(map(str, DISTANCE)))}
    return score_of(views, str(answer), weights, score, AnswerCases(views.rows, weights, slots))


def action_to_view(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """Where an object is after a plan, whose targets are described."""
    count = len(views.weights)
    at, heading, rooms = views.at(START), Heading.NORTH, main_room(views)
    before = np.zeros(count, np.int64)
    weights = views.weights
    for step in map(parse_step, content.names("steps")):
        if isinstance(step, Rotate):
            heading = heading.turned(step.degrees)
        elif step is not None:
            target, chance = _jump(views, at, heading, rooms, before, step)
            weights = weights * chance
            is_door = target >= views.things
            before = np.where(is_door, rooms, 0)
            at, rooms = views.cells[np.arange(count), target], views.inside[np.arange(count), target]
    of, seeing = views.index(content.name("of")), np.zeros(count)
    for other in Heading:
        seeing += views.look(at, int(other), rooms).count > 0
    view = views.look(at, int(heading), rooms)
    return _seen_relation(views, view, of, weights / np.maximum(seeing, 1))


def _jump(
    views: SceneViews, at: Ints, heading: Heading, rooms: Ints, before: Ints, step: SeenTarget
) -> tuple[Ints, Floats]:
    """The target of a step in each scene, and the probability that a random plan goes there; 0 where it is unclear."""
    view = views.look(at, int(heading), rooms)
    alike = view.visible & (view.direction == EGO.index(step.direction))
    alike &= view.distance == DISTANCE.index(step.distance)
    apart = views.cells - at[:, None]
    turned = views.labels.bearings(apart) - heading.degrees
    order = ((turned + 180) % 360) * 1e6 + np.hypot(apart[..., 0], apart[..., 1])
    target = np.argsort(np.where(alike, order, np.inf), axis=1, kind="stable")[:, (step.from_left or 1) - 1]
    count = alike.sum(axis=1)
    clear = count == 1 if step.from_left is None else count >= max(2, step.from_left)
    rows = np.arange(len(target))
    clear = clear & (_closest_heading(apart[rows, target]) == int(heading))
    things, here = views.things, views.inside & rooms[:, None] != 0
    here &= (apart != 0).any(axis=2)
    is_door = target >= things
    doors, room_things = here[:, things:].sum(axis=1), here[:, :things].sum(axis=1)
    beyond = (here[:, :things] & (views.inside[:, :things] & before[:, None] == 0)).sum(axis=1)
    is_beyond = views.inside[rows, target] & before == 0
    through = np.where(is_door | ~is_beyond, 0.0, 1.0 / np.maximum(beyond, 1))
    to_thing: Floats = np.where(doors > 0, 0.4, 1.0) / np.maximum(room_things, 1)
    usual: Floats = np.where(is_door, 0.6 / np.maximum(doors, 1), to_thing)
    return target, np.where(clear, np.where(before > 0, through, usual), 0.0)


def _closest_heading(apart: Ints) -> Ints:
    """The heading nearest to displacements; on a diagonal the first of north, east, south, west."""
    x, y = apart[..., 0], apart[..., 1]
    return np.argmax(np.stack([y, x, -y, -x], axis=-1), axis=-1)


RARELY = 1e-3
"""Weight of a scene in which the things of a rotation are closer together than the widest gap that is tried first."""
_TURNS = rng(0, "turns of rotation").random((32, MOST))
"""When each thing asked for may have had its turn, from 0 to 1, in a random order of all things."""


def mental_rotation(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """The order of objects during one full rotation at the start, from north."""
    names = content.names("things")
    bearings = views.labels.bearings(views.cells[:, : views.things])
    angles = np.round((bearings if content.name("turn") == "clockwise" else -bearings) % 360.0, 6)
    asked = np.array([views.index(name) for name in names])
    order = np.argsort(angles[:, asked], axis=1, kind="stable")
    weights = views.weights * _rotation_chance(angles, asked)
    weights = weights if weights.any() else views.weights
    codes = order @ len(names) ** np.arange(len(names))
    best, _ = most_probable(codes, picked(views, weights))
    cases = AnswerCases(views.rows, weights, {"order": order_slot(names, codes)})
    return score_of(views, order_of(names, best), weights, (codes == best).astype(np.float64), cases)


def _rotation_chance(angles: Floats, asked: Ints) -> Floats:
    """For each scene about how likely just these things are asked for, given the angles of all.

    Things are kept in random order where they are far enough from all kept before, and those with the smallest angles
    are asked for. So every other thing below the largest is too close to one of them that came first, and one too close
    to any of them came later.
    """
    mine = angles[:, asked]
    gap = np.diff(np.sort(mine, axis=1), axis=1).min(axis=1)
    off: Floats = np.abs((angles + 180.0) % 360.0 - 180.0)
    ahead: Bools = off <= STRAIGHT_AHEAD
    rest = np.array([i for i in range(angles.shape[1]) if i not in asked.tolist()], np.int64)
    other = angles[:, rest]
    rivals = np.abs(other[:, :, None] - mine[:, None]) <= GAPS[0]
    counts = (rivals.any(axis=2) | (other < mine.max(axis=1)[:, None])) & ~ahead[:, rest]
    chance = np.zeros(len(angles))
    for turn in _TURNS[:, : len(asked)]:
        earliest = np.where(rivals, turn, 1.0).min(axis=2)
        chance += np.where(counts, 1.0 - earliest, 1.0).prod(axis=1) / len(_TURNS)
    chance /= np.clip(len(asked) + _kept_beyond(angles, mine.max(axis=1)), FEWEST, MOST) - FEWEST + 1
    wide = np.where(gap > GAPS[0], chance, np.where(gap > GAPS[-1], RARELY, 0.0))
    return np.where(ahead[:, asked].any(axis=1), 0.0, wide)


def _kept_beyond(angles: Floats, largest: Floats) -> Ints:
    """About how many things beyond the largest angle asked for are kept too: any number of those kept is asked for."""
    count, last = np.zeros(len(angles), np.int64), largest
    for angle in np.sort(angles, axis=1).T:
        kept = angle > last + GAPS[0]
        count, last = count + kept, np.where(kept, angle, last)
    return count


def allocentric_mapping(content: QuestionContent, views: SceneViews) -> BestAnswer:
    """The coordinates of several things: see `best_points`."""
    cells = np.stack([views.at(name) for name in content.names("things")], axis=1)
    scale = np.sqrt((cells**2).sum(axis=2).mean(axis=1))
    best = best_points(
        cells, picked(views, views.weights), PositionScore(0.5, 0.5, math.comb(cells.shape[1] + 1, 2), scale)
    )
    reply = format_points([(float(x), float(y)) for x, y in best.points.tolist()])
    slots = {name: (cells[:, i], None) for i, name in enumerate(content.names("things"))}
    return score_of(views, reply, views.weights, best.scores, AnswerCases(views.rows, views.weights, slots))


_ANSWERS: Mapping[str, Callable[[QuestionContent, SceneViews], BestAnswer]] = {
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


GOOD_ERROR = 0.015
"""Standard error of an expected score above which it is computed again from more draws."""


def best_answer_in_scenes(content: QuestionContent, scenes: WeightedScenes) -> BestAnswer | None:
    """The reply of highest expected score over possible scenes; None for a kind of question without a ceiling."""
    best = answer_over(content, scenes)
    return best if best is None or best.error <= GOOD_ERROR else answer_over(content, scenes.finer)


def answer_over(content: QuestionContent, scenes: WeightedScenes) -> BestAnswer | None:
    """The same over just these scenes, however large its error."""
    answer = _ANSWERS.get(content.kind)
    return None if answer is None else answer(content, SceneViews.of(scenes))
