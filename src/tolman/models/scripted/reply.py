"""The whole reply of a scripted agent: a pure function from a conversation, or from reference answers, to text.

Answers are exact in the believed world, a guess where nothing fits, or the best answer of the ideal observer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.geometry import Cell, Heading, difference
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Term
from tolman.explore.agents.oracle import oracle_revision
from tolman.explore.agents.registry import make_explorer, make_text_explorer, text_explorer_names
from tolman.explore.agents.revisit import revisit
from tolman.explore.episode import AgentHistory, TextHistory
from tolman.ideal.best_map import ScoredNames
from tolman.ideal.observer import Observer, ObserverName, RelationsObserver, observer_of, prior_for
from tolman.ideal.question_content import parse_question_content, question_content
from tolman.models.call_context import AnswerCallContext, SceneCallContext
from tolman.models.scripted.believed_world import AgentBelief, belief_from_history, belief_from_truth
from tolman.models.scripted.conversation_parsing import ParsedConversation, RoleText, parse_conversation
from tolman.models.scripted.map_replies import global_map_reply, local_map_reply, unexplored_points_reply
from tolman.models.scripted.uncertain_replies import (
    ALWAYS_ABSTAINS,
    ALWAYS_ANSWERS,
    IdealSettings,
    in_condition,
    is_ideal,
    look_reply,
    reply_in_condition,
)
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


IDEAL = "ideal"
IDEAL_EXPLORER = "planner"
IDEAL_SETTINGS = IdealSettings(IDEAL)


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


def next_exploration_turn(
    agent: str, history: TextHistory, context: SceneCallContext | None, seed: int, horizon: int | None = None
) -> Actions:
    """The next turn of an exploration. With a context the agent is given the true scene."""
    name = IDEAL_EXPLORER if is_ideal(agent) else agent
    explorer = make_text_explorer(name, seed, horizon) if context is None else make_explorer(name, context.scene, seed)
    return explorer.act(history)


def next_revision_turn(
    history: TextHistory, changed: int, belief: AgentBelief, context: SceneCallContext | None, replies_left: int | None
) -> Actions:
    """The next turn of a revision: an observation, or the report if none is left to make, or only one turn."""
    report = Actions((), Term(belief.changes))
    if replies_left is not None and replies_left <= 1:
        return report
    if context:
        return oracle_revision(history, context.before or context.scene, context.scene)
    return revisit(history, changed) or report


ANSWER_AGENTS = ("oracle", "random", "constant")
"""The baseline agents of benchmarks whose reference replies are known beforehand."""


def reference_reply(agent: str, context: AnswerCallContext, seed: int = 0) -> str:
    """The reply of a baseline agent to a call. A guess depends only on the seed, the scene and the call."""
    check_answer_agent(agent)
    if agent == "oracle":
        return context.true
    if agent == "constant":
        return context.constant
    guesses = context.guesses
    return guesses[int(rng(seed, "guess", context.case, context.call).integers(len(guesses)))]


def check_answer_agent(agent: str) -> None:
    """Raise for a name that is not in `ANSWER_AGENTS`."""
    if agent not in ANSWER_AGENTS:
        raise UnknownNameError(f"tolman/{agent} does not take this benchmark; choose one of {', '.join(ANSWER_AGENTS)}")


ORACLE = "oracle"
AGENTS = (IDEAL, ALWAYS_ANSWERS, ALWAYS_ABSTAINS, ORACLE, "planner", "random", "scout", "strategist")
"""The scripted agents of Theory of Space; `ideal-temperature-T`, with a number, is one too."""
NOT_UNDERSTOOD = "I could not make out what is wanted of me."
NO_ANSWER = "I do not know."


def reply_to(
    agent: str,
    messages: Sequence[RoleText],
    context: SceneCallContext | None = None,
    seed: int = 0,
    observer: ObserverName | None = None,
    horizon: int | None = None,
) -> str:
    """The reply of an agent to these messages.

    Only the oracle uses the context, only the ideal agents `observer` (see `IdealSettings`), and only those that plan
    `horizon`.

    There is a reply to any messages: an agent that can't parse them says so.
    """
    check_agent(agent)
    visible = context if agent == ORACLE else None
    question = _question_in_other_words(agent, messages, context)
    try:
        conversation = parse_conversation(messages, asks=question is not None)
        how = IdealSettings(agent, observer)
        reasoning, final = _reply(agent, conversation, visible, seed, question, how, horizon)
    except Exception:
        # Messages can be inconsistent in more ways than can be listed.
        return _formatted_reply(NOT_UNDERSTOOD, NO_ANSWER, messages)
    return _formatted_reply(reasoning, final, messages)


def _question_in_other_words(
    agent: str, messages: Sequence[RoleText], context: SceneCallContext | None
) -> Question | None:
    """The question of a call whose wording is not ours, such as that of a released run; else None."""
    question = None if context is None else context.question
    if question is None or not messages or parse_kind(messages[-1][1]) is not None:
        return None
    if agent != ORACLE and find_kind(question.kind).in_pictures:
        raise SettingsError(
            f"tolman/{agent} can't see the picture of a released question of kind {question.kind}: use tolman/oracle, "
            "or leave that kind out of --kinds"
        )
    return question


def check_agent(agent: str) -> None:
    """Raise for a name that is neither in `AGENTS` nor a registered text explorer."""
    known = (*AGENTS, *(name for name in text_explorer_names() if name not in AGENTS))
    if agent not in known and not is_ideal(agent):
        raise UnknownNameError(f"there is no scripted agent {agent!r}; choose one of {', '.join(known)}")


def _reply(
    agent: str,
    conversation: ParsedConversation,
    context: SceneCallContext | None,
    seed: int,
    question: Question | None,
    how: IdealSettings,
    horizon: int | None,
) -> tuple[str, str]:
    """The reasoning and the final answer."""
    history = conversation.history
    if history is None or conversation.request == "nothing" or (agent == ORACLE and context is None):
        return NOT_UNDERSTOOD, NO_ANSWER
    if conversation.request == "actions" and conversation.changed is None:
        return exploration_reasoning(history), str(next_exploration_turn(agent, history, context, seed, horizon))
    belief = (
        belief_from_truth(context)
        if context
        else belief_from_history(history, conversation.changed, conversation.given, seed)
    )
    if conversation.request == "actions":
        left = conversation.replies_left
        return belief.source, str(next_revision_turn(history, conversation.changed or 0, belief, context, left))
    if is_ideal(agent) and not conversation.given:
        mapped = how.observer or "relations"
        if conversation.request == "answer":
            best = ideal_answer(conversation.text, belief, history, conversation.changed, seed, question, how)
            if "<cogmap>" in conversation.text:
                belief = with_best_map(belief, history, history.seen, conversation.changed, seed, mapped)
            return _reasoning(conversation, history, belief), best or NO_ANSWER
        if conversation.request in ("global map", "local map", "revision map"):
            belief = with_best_map(belief, history, history.brief.names, conversation.changed, seed, mapped)
    return _reasoning(conversation, history, belief), _final_answer(conversation, history, belief, question)


def exploration_reasoning(history: AgentHistory) -> str:
    """The reasoning before a turn of an exploration."""
    return f"I have seen {len(history.seen)} of {len(history.brief.names)} objects and doors."


def _reasoning(conversation: ParsedConversation, history: TextHistory, belief: AgentBelief) -> str:
    """The reasoning before an answer, with the map in tags where it is asked for."""
    if conversation.request != "answer" or "<cogmap>" not in conversation.text:
        return belief.source
    return f"{belief.source}\n<cogmap>{global_map_reply(belief, history, history.seen)}</cogmap>"


def _final_answer(
    conversation: ParsedConversation, history: TextHistory, belief: AgentBelief, question: Question | None
) -> str:
    """The answer that is asked for, from an agent's belief."""
    text = conversation.text
    match conversation.request:
        case "global map":
            return global_map_reply(belief, history, history.seen)
        case "revision map":
            return global_map_reply(belief, history, history.brief.names)
        case "local map":
            return local_map_reply(belief, history)
        case "points":
            return unexplored_points_reply(text, belief.world, history)
        case _:
            return answer(text, belief, question) or NO_ANSWER


def _formatted_reply(reasoning: str, final: str, messages: Sequence[RoleText]) -> str:
    """A reply in the requested format: reasoning first, unless only an answer is asked for."""
    asked = messages[-1][1] if messages else ""
    return formatted_reply(reasoning, final, think="FINAL ANSWER:" not in asked or "THINK:" in asked)


def formatted_reply(reasoning: str, final: str, *, think: bool) -> str:
    """A reply with its labels; the reasoning is left out where only an answer is asked for."""
    return f"THINK:\n{reasoning}\nFINAL ANSWER:\n{final}" if think else f"FINAL ANSWER:\n{final}"
