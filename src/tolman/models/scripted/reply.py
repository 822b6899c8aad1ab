"""The whole reply of a scripted agent: a pure function from a conversation, or from reference answers, to text."""

from collections.abc import Sequence

from tolman.ask import Question, find_kind, parse_kind
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Term
from tolman.explore.agents.oracle import oracle_revision
from tolman.explore.agents.registry import make_explorer, make_text_explorer, text_explorer_names
from tolman.explore.agents.revisit import revisit
from tolman.explore.episode import AgentHistory, TextHistory
from tolman.ideal.observer import ObserverName
from tolman.models.call_context import AnswerCallContext, SceneCallContext
from tolman.models.scripted.answering import IDEAL_AGENT as IDEAL
from tolman.models.scripted.answering import IDEAL_EXPLORER, answer, ideal_answer, with_best_map
from tolman.models.scripted.believed_world import AgentBelief, belief_from_history, belief_from_truth
from tolman.models.scripted.conversation_parsing import ParsedConversation, RoleText, parse_conversation
from tolman.models.scripted.map_replies import global_map_reply, local_map_reply, unexplored_points_reply
from tolman.models.scripted.uncertain_replies import ALWAYS_ABSTAINS, ALWAYS_ANSWERS, IdealSettings, is_ideal


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
