"""The whole reply of a scripted agent: a pure function from a conversation, or from reference answers, to text."""

from collections.abc import Sequence

from tolman.core.errors import UnknownNameError
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Term
from tolman.explore.agents.oracle import oracle_revision
from tolman.explore.agents.registry import make_explorer, make_text_explorer
from tolman.explore.agents.revisit import revisit
from tolman.explore.episode import TextHistory
from tolman.models.call_context import AnswerCallContext, SceneCallContext
from tolman.models.scripted.answering import IDEAL_AGENT as IDEAL
from tolman.models.scripted.answering import IDEAL_EXPLORER, answer, ideal_answer, with_best_map
from tolman.models.scripted.believed_world import AgentBelief, belief_from_history, belief_from_truth
from tolman.models.scripted.conversation_parsing import ParsedConversation, RoleText, parse_conversation
from tolman.models.scripted.map_replies import global_map_reply, local_map_reply, unexplored_points_reply


def next_exploration_turn(agent: str, heard: TextHistory, handed: SceneCallContext | None, seed: int) -> Actions:
    """The next turn of an exploration. Only an agent that was handed the world may look at it."""
    explorer = make_text_explorer(agent, seed) if handed is None else make_explorer(agent, handed.scene, seed)
    return explorer.act(heard)


def next_revision_turn(
    heard: TextHistory, changed: int, mind: AgentBelief, handed: SceneCallContext | None, replies_left: int | None
) -> Actions:
    """The next turn of a revision: another look, or the report if nothing is left to look at, or no other reply."""
    report = Actions((), Term(mind.changes))
    if replies_left is not None and replies_left <= 1:
        return report
    if handed:
        return oracle_revision(heard, handed.before or handed.scene, handed.scene)
    return revisit(heard, changed) or report


ANSWER_AGENTS = ("oracle", "random", "constant")


def reference_reply(agent: str, handed: AnswerCallContext, seed: int = 0) -> str:
    """What an agent says to a call. A guess depends on the seed, the scene and the call, and on nothing else."""
    check_answer_agent(agent)
    if agent == "oracle":
        return handed.true
    if agent == "constant":
        return handed.constant
    guesses = handed.guesses
    return guesses[int(rng(seed, "guess", handed.case, handed.call).integers(len(guesses)))]


def check_answer_agent(agent: str) -> None:
    """Refuse a name that no such agent has."""
    if agent not in ANSWER_AGENTS:
        raise UnknownNameError(f"tolman/{agent} does not take this benchmark; choose one of {', '.join(ANSWER_AGENTS)}")


ORACLE = "oracle"
AGENTS = (IDEAL, ORACLE, "planner", "random", "scout", "strategist")
NOT_UNDERSTOOD = "I could not make out what is wanted of me."
NO_ANSWER = "I do not know."


def reply_to(agent: str, messages: Sequence[RoleText], handed: SceneCallContext | None = None, seed: int = 0) -> str:
    """What an agent writes when it reads these messages. Only the oracle is let see what it was handed.

    Whatever the messages hold, there is a reply: an agent that can't make sense of them says so.
    """
    check_agent(agent)
    scene = handed if agent == ORACLE else None
    try:
        understood = parse_conversation(messages)
        thought, final = _reply(agent, understood, scene, seed)
    except Exception:
        # Words can contradict themselves in more ways than a list of cases would hold.
        return _formatted_reply(NOT_UNDERSTOOD, NO_ANSWER, messages)
    return _formatted_reply(thought, final, messages)


def check_agent(agent: str) -> None:
    """Refuse a name that no scripted agent has."""
    if agent not in AGENTS:
        raise UnknownNameError(f"there is no scripted agent {agent!r}; choose one of {', '.join(AGENTS)}")


def _reply(agent: str, understood: ParsedConversation, handed: SceneCallContext | None, seed: int) -> tuple[str, str]:
    """A thought and an answer."""
    heard = understood.heard
    if heard is None or understood.wanted == "nothing" or (agent == ORACLE and handed is None):
        return NOT_UNDERSTOOD, NO_ANSWER
    if understood.wanted == "actions" and understood.changed is None:
        thought = f"I have seen {len(heard.seen)} of {len(heard.brief.names)} objects and doors."
        return thought, str(next_exploration_turn(IDEAL_EXPLORER if agent == IDEAL else agent, heard, handed, seed))
    mind = (
        belief_from_truth(handed) if handed else belief_from_history(heard, understood.changed, understood.given, seed)
    )
    if understood.wanted == "actions":
        left = understood.replies_left
        return mind.how, str(next_revision_turn(heard, understood.changed or 0, mind, handed, left))
    if agent == IDEAL and not understood.given:
        if understood.wanted == "answer":
            best = ideal_answer(understood.text, mind, heard, understood.changed, seed)
            return _thought(understood, heard, with_best_map(mind, heard, heard.seen)), best or NO_ANSWER
        if understood.wanted in ("global map", "local map", "revision map"):
            mind = with_best_map(mind, heard, heard.brief.names)
    return _thought(understood, heard, mind), _final_answer(understood, heard, mind)


def _thought(understood: ParsedConversation, heard: TextHistory, mind: AgentBelief) -> str:
    """Where an answer comes from, with the map between tags where that is asked for."""
    if understood.wanted != "answer" or "<cogmap>" not in understood.text:
        return mind.how
    return f"{mind.how}\n<cogmap>{global_map_reply(mind, heard, heard.seen)}</cogmap>"


def _final_answer(understood: ParsedConversation, heard: TextHistory, mind: AgentBelief) -> str:
    """The answer that is wanted, from what is in an agent's mind."""
    text = understood.text
    match understood.wanted:
        case "global map":
            return global_map_reply(mind, heard, heard.seen)
        case "revision map":
            return global_map_reply(mind, heard, heard.brief.names)
        case "local map":
            return local_map_reply(mind, heard)
        case "points":
            return unexplored_points_reply(text, mind.world, heard)
        case _:
            return answer(text, mind) or NO_ANSWER


def _formatted_reply(thought: str, final: str, messages: Sequence[RoleText]) -> str:
    """A reply in the form that is asked for: thoughts first, unless only an answer is wanted."""
    asked = messages[-1][1] if messages else ""
    if "FINAL ANSWER:" in asked and "THINK:" not in asked:
        return f"FINAL ANSWER:\n{final}"
    return f"THINK:\n{thought}\nFINAL ANSWER:\n{final}"
