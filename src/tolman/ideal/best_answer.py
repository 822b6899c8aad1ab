"""The answer of highest expected score to a question of any kind, over worlds consistent with the observations; here
for relations, plans, rotations and coordinates.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tolman.ask import QuestionKind
from tolman.ask.coordinate_answers import format_points
from tolman.ask.plans import SeenTarget, parse_step
from tolman.ask.relations import RelationAnswer
from tolman.core.bins import CardinalBin, EgoBin
from tolman.core.geometry import Heading
from tolman.explore.actions import Rotate
from tolman.ideal.best_map import candidates
from tolman.ideal.labels import BEYOND, CARDINAL, DISTANCE, EGO, SAME, Floats, Ints, closeness, pair_directions, to_ego
from tolman.ideal.question_content import AnswerCases, BestAnswer, QuestionContent, most_probable, order_slot
from tolman.ideal.view_answers import perspective_decision, view_to_action, view_to_location
from tolman.ideal.worlds import FRONTLESS, Bools, ConsistentWorlds
from tolman.world import START


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
    digits = len(names) ** np.arange(len(names))
    codes = order @ digits
    best, sure = most_probable(codes, worlds.weights)
    chosen = [names[best // int(digit) % len(names)] for digit in digits]
    cases = AnswerCases(np.arange(len(worlds)), worlds.weights, {"order": order_slot(names, codes)})
    return BestAnswer(", ".join(chosen), sure, worlds.exact, 0.0, sure, cases)


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
