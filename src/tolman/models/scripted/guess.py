"""Guesses where a belief has no exact answer: the pose from which a listed view would look most alike."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from tolman.ask import Question, QuestionKind, find_kind, hear_kind, hear_question
from tolman.ask.coordinate_answers import say_points
from tolman.ask.kinds.perspective_taking import pose_of
from tolman.ask.locations import origin_cell
from tolman.ask.plan_answers import say_plan
from tolman.ask.views import sightings_from_json
from tolman.ask.walks import plan_to
from tolman.bins import ego_relation, facing_label
from tolman.geometry import Cell, Heading, difference
from tolman.sense import Sighting
from tolman.world import Pose, Room, Scene, Thing

MARGIN = 3
"""Cells by which a room may be larger than it is believed to be."""


def guess(text: str, world: Scene) -> str:
    """A readable answer to the question in a text, though nothing in the world fits it; empty where there is none."""
    question = hear_question(text, world)
    by_view = _BY_VIEW.get(question.kind) if question else None
    answer = by_view(question) if question and by_view else ""
    if answer:
        return answer
    kind = question.kind if question else hear_kind(text)
    if kind is None or (question is None and kind in _ABOUT_NAMES):
        return ""
    return find_kind(kind).constant(question or Question(kind, {}, {}, world, text))


_ABOUT_NAMES = (QuestionKind.ALLOCENTRIC_MAPPING, QuestionKind.MENTAL_ROTATION, QuestionKind.CHANGE_REPORT)
"""Kinds for which nothing can be said without the names that they ask about."""


def _decide(question: Question) -> str:
    poses = {pose: thing.name for thing in question.scene.things if (pose := pose_of(thing))}
    best = _most_alike(question, poses)
    return poses[best] if best else ""


def _go(question: Question) -> str:
    scene = question.scene
    poses = {Pose(item.cell, heading, item.rooms): item.name for item in scene.items for heading in Heading}
    best = _most_alike(question, poses)
    return say_plan(plan_to(scene, poses[best], best.heading) or ()) if best else ""


def _locate(question: Question) -> str:
    scene, heading = question.scene, Heading[str(question.parameters["heading"]).upper()]
    taken = {item.cell for item in scene.items}
    cells = ((cell, room.id) for room in scene.rooms for cell in _grown(room) if cell not in taken)
    best = _most_alike(question, (Pose(cell, heading, (room,)) for cell, room in cells))
    zero = origin_cell(scene, str(question.parameters["origin"]))
    return say_points([difference(best.cell, zero)]) if best else ""


_BY_VIEW: dict[str, Callable[[Question], str]] = {
    QuestionKind.PERSPECTIVE_DECISION: _decide,
    QuestionKind.VIEW_TO_ACTION: _go,
    QuestionKind.VIEW_TO_LOCATION: _locate,
}


def _grown(room: Room) -> Iterator[Cell]:
    """The floor of a room and some cells around it, those inside first."""
    yield from room.cells
    (x0, y0), (x1, y1) = room.low, room.high
    for x, y in product(range(x0 - MARGIN, x1 + MARGIN + 1), range(y0 - MARGIN, y1 + MARGIN + 1)):
        if not room.holds((x, y)):
            yield x, y


def _most_alike(question: Question, poses: Iterable[Pose]) -> Pose | None:
    """The pose from which what is shown looks most as it is shown; the first of several. Nobody stands on it."""
    shown, scene = sightings_from_json(question.parameters["shown"]), question.scene
    taken = {scene.item(seen.name).cell for seen in shown}
    free = (pose for pose in poses if pose.cell not in taken)
    return max(free, key=lambda pose: sum(_likeness(scene, pose, seen) for seen in shown), default=None)


def _likeness(scene: Scene, pose: Pose, seen: Sighting) -> int:
    """How many words of a sighting are right from a pose, one more if it is of the same room."""
    item = scene.item(seen.name)
    direction, how_far = ego_relation(difference(item.cell, pose.cell), pose.heading)
    front = item.front if isinstance(item, Thing) else None
    facing = None if front is None else facing_label(front, pose.heading)
    together = not set(item.rooms).isdisjoint(pose.rooms)
    return (direction == seen.direction) + (how_far == seen.distance) + (facing == seen.detail) + together
