"""Answers of scripted agents: exact in the believed world, a guess where nothing fits, or the best answer of the ideal
observer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product

from tolman.ask import Question, QuestionKind, find_kind, parse_kind, parse_question
from tolman.ask.coordinate_answers import format_points
from tolman.ask.kinds.perspective_taking import pose_of
from tolman.ask.odds import odds_slots
from tolman.ask.plans import describe_steps, format_plan, moves_from_json, moves_to_json, plan_of_steps, plan_to
from tolman.ask.settling import looks_in
from tolman.ask.views import origin_cell, sightings_from_json
from tolman.belief.map_scores import MapScale
from tolman.core.bins import ego_relation, facing_label
from tolman.core.geometry import Cell, Heading, difference
from tolman.explore.actions import Term
from tolman.explore.episode import TextHistory
from tolman.ideal.best_map import ScoredNames
from tolman.ideal.observer import Observer, ObserverName, RelationsObserver, observer_of, prior_for
from tolman.ideal.question_content import parse_question_content, question_content
from tolman.models.scripted.believed_world import AgentBelief, belief_from_history
from tolman.models.scripted.uncertain_replies import IdealSettings, in_condition, look_reply, reply_in_condition
from tolman.sense import Sighting
from tolman.world import AGENT, Item, Pose, Room, Scene, Thing

MARGIN = 3
"""Cells by which a room may exceed its believed size."""


def question_about(text: str, world: Scene, asked: Question | None = None) -> Question | None:
    """The question in a text, or the same as one that is `asked` in other words, about a believed world.

    None where it does not fit that world, as when the steps of a plan lead nowhere in it.
    """
    if asked is None:
        return parse_question(text, world)
    parameters = dict(asked.parameters)
    if asked.kind == QuestionKind.ACTION_TO_VIEW:
        steps = describe_steps(asked.scene, moves_from_json(parameters["plan"]))
        plan = plan_of_steps(world, [*steps])
        if not plan:
            return None
        parameters["plan"] = moves_to_json(plan)
    return Question(asked.kind, parameters, {}, world, asked.text)


def guess(text: str, world: Scene, asked: Question | None = None) -> str:
    """A parseable answer to a question although nothing in the world fits it; empty without a question."""
    question = question_about(text, world, asked)
    by_view = _CLOSEST_BY_KIND.get(question.kind) if question else None
    answer = by_view(question) if question and by_view else ""
    if answer:
        return answer
    kind = question.kind if question else asked.kind if asked else parse_kind(text)
    if kind is None or (question is None and kind in _ABOUT_NAMES):
        return ""
    return find_kind(kind).constant(question or Question(kind, {}, {}, world, text))


_ABOUT_NAMES = (QuestionKind.ALLOCENTRIC_MAPPING, QuestionKind.MENTAL_ROTATION, QuestionKind.CHANGE_REPORT)
"""Kinds that can't be answered without the names that they ask about."""


def _closest_object(question: Question) -> str:
    poses = {pose: thing.name for thing in question.scene.things if (pose := pose_of(thing))}
    best = _closest_pose(question, poses)
    return poses[best] if best else ""


def _plan_to_closest_pose(question: Question) -> str:
    scene = question.scene
    poses = {Pose(item.cell, heading, item.rooms): item.name for item in scene.items for heading in Heading}
    best = _closest_pose(question, poses)
    return format_plan(plan_to(scene, poses[best], best.heading) or ()) if best else ""


def _closest_cell(question: Question) -> str:
    scene, heading = question.scene, Heading[str(question.parameters["heading"]).upper()]
    taken = {item.cell for item in scene.items}
    cells = ((cell, room.id) for room in scene.rooms for cell in _cells_around(room) if cell not in taken)
    best = _closest_pose(question, (Pose(cell, heading, (room,)) for cell, room in cells))
    zero = origin_cell(scene, str(question.parameters["origin"]))
    return format_points([difference(best.cell, zero)]) if best else ""


_CLOSEST_BY_KIND: dict[str, Callable[[Question], str]] = {
    QuestionKind.PERSPECTIVE_DECISION: _closest_object,
    QuestionKind.VIEW_TO_ACTION: _plan_to_closest_pose,
    QuestionKind.VIEW_TO_LOCATION: _closest_cell,
}


def _cells_around(room: Room) -> Iterator[Cell]:
    """The cells of a room, then those within `MARGIN` around it."""
    yield from room.cells
    (x0, y0), (x1, y1) = room.low, room.high
    for x, y in product(range(x0 - MARGIN, x1 + MARGIN + 1), range(y0 - MARGIN, y1 + MARGIN + 1)):
        if not room.holds((x, y)):
            yield x, y


def _closest_pose(question: Question, poses: Iterable[Pose]) -> Pose | None:
    """The pose whose view agrees most with what is shown (of ties the first), not on a cell of an object shown."""
    shown, scene = sightings_from_json(question.parameters["shown"]), question.scene
    taken = {scene.item(seen.name).cell for seen in shown}
    free = (pose for pose in poses if pose.cell not in taken)
    return max(free, key=lambda pose: sum(_agreement(scene, pose, seen) for seen in shown), default=None)


def _agreement(scene: Scene, pose: Pose, seen: Sighting) -> int:
    """Number of labels of a sighting that are right from a pose, plus one if the object is in the same room."""
    item = scene.item(seen.name)
    direction, how_far = ego_relation(difference(item.cell, pose.cell), pose.heading)
    front = item.front if isinstance(item, Thing) else None
    facing = None if front is None else facing_label(front, pose.heading)
    same_room = not set(item.rooms).isdisjoint(pose.rooms)
    return (direction == seen.direction) + (how_far == seen.distance) + (facing == seen.detail) + same_room


def answer(text: str, belief: AgentBelief, asked: Question | None = None) -> str:
    """An answer to the question in a text, or to one `asked` in other words; empty where it has unknown names only.

    The question may not fit the believed world, as when no pose there has the listed view. Then the sampled worlds are
    tried, and at last a guess is made.
    """
    if parse_kind(text) == QuestionKind.CHANGE_REPORT:
        return str(Term(belief.changes))
    found = (_exact(text, world, asked) for world in chain([belief.world], belief.others()))
    return next((reply for reply in found if reply), None) or guess(text, belief.world, asked)


def _exact(text: str, world: Scene, asked: Question | None) -> str:
    question = question_about(text, world, asked)
    if question is None:
        return ""
    try:
        return find_kind(question.kind).oracle(question)
    except ValueError:
        return ""


IDEAL_AGENT = "ideal"
IDEAL_EXPLORER = "planner"
IDEAL_SETTINGS = IdealSettings(IDEAL_AGENT)


def ideal_answer(
    text: str,
    belief: AgentBelief,
    history: TextHistory,
    changed: int | None,
    seed: int,
    asked: Question | None = None,
    how: IdealSettings = IDEAL_SETTINGS,
) -> str:
    """The best answer of an ideal observer; for a kind without one, the answer from the believed world."""
    content = question_content(asked) if asked else parse_question_content(text, belief.world)
    used: ObserverName = how.observer or ("generative" if in_condition(text) else "relations")
    ideal = _observer(history, changed, seed, used)
    if content is not None and (looks := looks_in(text)):
        return look_reply(looks, content, ideal, how)
    best = None if content is None else ideal.best_answer(content)
    if best is None:
        return answer(text, belief, asked)
    slots = () if content is None else odds_slots(content.kind, content.parameters, history.brief.things)
    return reply_in_condition(text, best, slots, how) or best.reply


def with_best_map(
    belief: AgentBelief,
    history: TextHistory,
    names: Iterable[str],
    changed: int | None,
    seed: int,
    observer: ObserverName,
) -> AgentBelief:
    """The same belief with the positions of an ideal observer's best map of some names."""
    if belief.samples is None:
        return belief
    positions = belief.samples.knowledge.belief
    stated = tuple(name for name in names if positions.is_constrained(name))
    scored = ScoredNames((*stated, AGENT), MapScale.of(belief.world))
    ideal = (
        RelationsObserver(belief.samples.knowledge)
        if observer == "relations"
        else _observer(history, changed, seed, observer)
    )
    best = ideal.best_map(history.standing_on, stated, scored)
    return replace(belief, world=_with_positions(belief.world, best.cells))


@lru_cache(maxsize=16)
def _observer(history: TextHistory, changed: int | None, seed: int, name: ObserverName) -> Observer:
    """The ideal observer of a history; after a change of the world, the one of relations."""
    samples = belief_from_history(history, changed, (), seed).samples
    assert samples is not None  # noqa: S101 - a belief from a history has samples
    used: ObserverName = name if history.phase == "explore" else "relations"
    return observer_of(used, samples.knowledge, history.turns, prior_for(history.brief), seed)


def _with_positions(world: Scene, cells: Mapping[str, Cell]) -> Scene:
    """A believed world with some things and doors at other cells; its start is the origin."""

    def cell_of(item: Item) -> Cell:
        return cells.get(item.name, item.cell)

    return replace(
        world,
        doors=tuple(replace(door, cell=cell_of(door)) for door in world.doors),
        things=tuple(replace(thing, cell=cell_of(thing)) for thing in world.things),
    )
