"""The whole reply of a scripted agent to a conversation: a pure function from text to text."""

from collections.abc import Sequence

from tolman.errors import UnknownNameError
from tolman.explore.heard import HeardEpisode
from tolman.models.handed import Handed
from tolman.models.scripted.act import explore, look_for_changes
from tolman.models.scripted.answer import answer
from tolman.models.scripted.conversation import Message, Understood, understand
from tolman.models.scripted.ideal import AGENT_NAME as IDEAL
from tolman.models.scripted.ideal import EXPLORES_AS, ideal_answer, with_best_map
from tolman.models.scripted.maps import say_global_map, say_local_map
from tolman.models.scripted.mind import Mind, believing, knowing
from tolman.models.scripted.points import say_points

ORACLE = "oracle"
AGENTS = (IDEAL, ORACLE, "planner", "random", "scout", "strategist")
LOST = "I could not make out what is wanted of me."
NO_ANSWER = "I do not know."


def reply_to(agent: str, messages: Sequence[Message], handed: Handed | None = None, seed: int = 0) -> str:
    """What an agent writes when it reads these messages. Only the oracle is let see what it was handed.

    Whatever the messages hold, there is a reply: an agent that can't make sense of them says so.
    """
    check_agent(agent)
    scene = handed if agent == ORACLE else None
    try:
        understood = understand(messages)
        thought, final = _reply(agent, understood, scene, seed)
    except Exception:
        # Words can contradict themselves in more ways than a list of cases would hold.
        return _worded(LOST, NO_ANSWER, messages)
    return _worded(thought, final, messages)


def check_agent(agent: str) -> None:
    """Refuse a name that no scripted agent has."""
    if agent not in AGENTS:
        raise UnknownNameError(f"there is no scripted agent {agent!r}; choose one of {', '.join(AGENTS)}")


def _reply(agent: str, understood: Understood, handed: Handed | None, seed: int) -> tuple[str, str]:
    """A thought and an answer."""
    heard = understood.heard
    if heard is None or understood.wanted == "nothing" or (agent == ORACLE and handed is None):
        return LOST, NO_ANSWER
    if understood.wanted == "actions" and understood.changed is None:
        thought = f"I have seen {len(heard.seen)} of {len(heard.brief.names)} objects and doors."
        return thought, str(explore(EXPLORES_AS if agent == IDEAL else agent, heard, handed, seed))
    mind = knowing(handed) if handed else believing(heard, understood.changed, understood.given, seed)
    if understood.wanted == "actions":
        left = understood.replies_left
        return mind.how, str(look_for_changes(heard, understood.changed or 0, mind, handed, left))
    if agent == IDEAL and not understood.given:
        if understood.wanted == "answer":
            best = ideal_answer(understood.text, mind, heard, understood.changed, seed)
            return _thought(understood, heard, with_best_map(mind, heard, heard.seen)), best or NO_ANSWER
        if understood.wanted in ("global map", "local map", "revision map"):
            mind = with_best_map(mind, heard, heard.brief.names)
    return _thought(understood, heard, mind), _said(understood, heard, mind)


def _thought(understood: Understood, heard: HeardEpisode, mind: Mind) -> str:
    """Where an answer comes from, with the map between tags where that is asked for."""
    if understood.wanted != "answer" or "<cogmap>" not in understood.text:
        return mind.how
    return f"{mind.how}\n<cogmap>{say_global_map(mind, heard, heard.seen)}</cogmap>"


def _said(understood: Understood, heard: HeardEpisode, mind: Mind) -> str:
    """The answer that is wanted, from what is in an agent's mind."""
    text = understood.text
    match understood.wanted:
        case "global map":
            return say_global_map(mind, heard, heard.seen)
        case "revision map":
            return say_global_map(mind, heard, heard.brief.names)
        case "local map":
            return say_local_map(mind, heard)
        case "points":
            return say_points(text, mind.world, heard)
        case _:
            return answer(text, mind) or NO_ANSWER


def _worded(thought: str, final: str, messages: Sequence[Message]) -> str:
    """A reply in the form that is asked for: thoughts first, unless only an answer is wanted."""
    asked = messages[-1][1] if messages else ""
    if "FINAL ANSWER:" in asked and "THINK:" not in asked:
        return f"FINAL ANSWER:\n{final}"
    return f"THINK:\n{thought}\nFINAL ANSWER:\n{final}"
