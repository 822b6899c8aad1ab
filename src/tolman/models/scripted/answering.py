"""Answers of scripted agents: exact in the believed world, a guess where nothing fits, or the ideal observer's best
answer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product

from tolman.ask import Question, QuestionKind, find_kind, parse_kind, parse_question
from tolman.ask.coordinate_answers import format_points
from tolman.ask.kinds.perspective_taking import pose_of
from tolman.ask.plans import format_plan, plan_to
from tolman.ask.views import origin_cell, sightings_from_json
from tolman.belief.map_scores import MapScale
from tolman.belief.posterior import posterior
from tolman.core.bins import ego_relation, facing_label
from tolman.core.geometry import Cell, Heading, difference
from tolman.explore.actions import Term
from tolman.explore.episode import TextHistory
from tolman.ideal.best_answer import best_answer
from tolman.ideal.best_map import ScoredNames, best_map
from tolman.ideal.question_content import parse_question_content
from tolman.ideal.worlds import ConsistentWorlds, consistent_worlds
from tolman.models.scripted.believed_world import AgentBelief, belief_from_history
from tolman.sense import Sighting
from tolman.world import AGENT, Item, Pose, Room, Scene, Thing

MARGIN = 3
"""Cells by which a room may be larger than it is believed to be."""


def guess(text: str, world: Scene) -> str:
    """A readable answer to the question in a text, though nothing in the world fits it; empty where there is none."""
    question = parse_question(text, world)
    by_view = _BY_VIEW.get(question.kind) if question else None
    answer = by_view(question) if question and by_view else ""
    if answer:
        return answer
    kind = question.kind if question else parse_kind(text)
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
    return format_plan(plan_to(scene, poses[best], best.heading) or ()) if best else ""


def _locate(question: Question) -> str:
    scene, heading = question.scene, Heading[str(question.parameters["heading"]).upper()]
    taken = {item.cell for item in scene.items}
    cells = ((cell, room.id) for room in scene.rooms for cell in _grown(room) if cell not in taken)
    best = _most_alike(question, (Pose(cell, heading, (room,)) for cell, room in cells))
    zero = origin_cell(scene, str(question.parameters["origin"]))
    return format_points([difference(best.cell, zero)]) if best else ""


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


def answer(text: str, mind: AgentBelief) -> str:
    """An answer to the question that stands in a text; empty where it is about nothing that is known.

    What is asked may not fit the world most believed in, as when nobody there sees the view that is listed. Then other
    worlds are tried that agree with what was heard, and in the end there is a guess.
    """
    if parse_kind(text) == QuestionKind.CHANGE_REPORT:
        return str(Term(mind.changes))
    found = (_exact(text, world) for world in chain([mind.world], mind.others()))
    return next((reply for reply in found if reply), None) or guess(text, mind.world)


def _exact(text: str, world: Scene) -> str:
    question = parse_question(text, world)
    if question is None:
        return ""
    try:
        return find_kind(question.kind).oracle(question)
    except ValueError:
        return ""


IDEAL_AGENT = "ideal"
IDEAL_EXPLORER = "planner"


def ideal_answer(text: str, mind: AgentBelief, heard: TextHistory, changed: int | None, seed: int) -> str:
    """The best answer. With a map in hand, or to a question of another sort, what follows from the mind's world."""
    told = parse_question_content(text, mind.world)
    best = None if told is None else best_answer(told, _worlds(heard, changed, seed))
    return best.reply if best else answer(text, mind)


def with_best_map(mind: AgentBelief, heard: TextHistory, names: Iterable[str]) -> AgentBelief:
    """The same mind, but believing in the positions that make the best map of some names."""
    if mind.beliefs is None:
        return mind
    known = mind.beliefs.knowledge
    stated = tuple(name for name in names if known.belief.is_constrained(name))
    scored = ScoredNames((*stated, AGENT), MapScale.of(mind.world))
    best = best_map(posterior(known.belief), heard.standing_on, stated, scored)
    return replace(mind, world=_with_positions(mind.world, best.cells))


@lru_cache(maxsize=16)
def _worlds(heard: TextHistory, changed: int | None, seed: int) -> ConsistentWorlds:
    beliefs = belief_from_history(heard, changed, (), seed).beliefs
    assert beliefs is not None  # noqa: S101 - none was handed anything
    return consistent_worlds(beliefs.knowledge, seed)


def _with_positions(world: Scene, cells: Mapping[str, Cell]) -> Scene:
    """A believed world with some things and doors elsewhere; its start is the origin."""

    def there(item: Item) -> Cell:
        return cells.get(item.name, item.cell)

    return replace(
        world,
        doors=tuple(replace(door, cell=there(door)) for door in world.doors),
        things=tuple(replace(thing, cell=there(thing)) for thing in world.things),
    )
