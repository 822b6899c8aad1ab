"""Parser of a conversation: the brief, all turns so far, and what the last message asks for. Never raises.

Prompts embed the messages of the world between instructions, so everything is searched for within the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from tolman.ask import parse_kind
from tolman.belief.cognitive_map import (
    CognitiveMap,
    Placement,
    global_map_prompt,
    local_map_prompt,
    revision_map_prompt,
)
from tolman.belief.map_parsing import read_global_map
from tolman.core.rules import STRICT
from tolman.core.wording import wording
from tolman.explore.episode import TextHistory
from tolman.explore.messages import begin_text_revision, parse_brief, parse_change, parse_history, parse_turn

RoleText = tuple[str, str]
"""Role (`system`, `user` or `assistant`) and text of a message."""
RequestKind = Literal["actions", "global map", "revision map", "local map", "points", "answer", "nothing"]
GivenMap = tuple[tuple[str, Placement], ...]
"""A map given with a question, by name: cells east and north of the start."""

_REPLIES_LEFT = re.compile(r"Replies left: ([0-9]{1,6})\.")


@dataclass(frozen=True)
class ParsedConversation:
    """What a conversation contains."""

    history: TextHistory | None = None
    """The brief and all turns so far; None before the brief."""
    changed: int | None = None
    """The announced number of changes; None before."""
    request: RequestKind = "nothing"
    text: str = ""
    """The message with the request; for points, the plan."""
    given: GivenMap = ()
    replies_left: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether the phase has ended."""
        if self.history is None or not self.history.turns:
            return False
        last = self.history.turns[-1]
        return last.phase == self.history.phase and last.ended_phase


def parse_conversation(messages: Sequence[RoleText], *, asks: bool = False) -> ParsedConversation:
    """The content of a conversation whose last message is a request; `asks` if that is known to be a question."""
    said = tuple(message for message in messages if message[0] != "system")
    if not said or said[-1][0] != "user":
        return ParsedConversation()
    before, reply = _parse_before(said[:-1])
    text = said[-1][1]
    state = _parse_message(before, reply, text)
    left = _REPLIES_LEFT.findall(text)
    state = replace(state, replies_left=int(left[-1]) if left else None)
    request, content = ("answer", text) if asks else _request_kind(text, state)
    return replace(state, request=request, text=content, given=_given_map(text, state) if request == "answer" else ())


@lru_cache(maxsize=512)
def _parse_before(said: tuple[RoleText, ...]) -> tuple[ParsedConversation, str | None]:
    """The content of the messages before the last, and the reply that the last message may respond to.

    Cached, as a conversation grows by one turn at a time.
    """
    if not said:
        return ParsedConversation(), None
    state, reply = _parse_before(said[:-1])
    role, text = said[-1]
    return (state, text) if role == "assistant" else (_parse_message(state, reply, text), None)


def _parse_message(state: ParsedConversation, reply: str | None, text: str) -> ParsedConversation:
    """The content after one more message from the world."""
    history = state.history
    if history is None:
        brief = parse_brief(text)
        if brief is None:
            return state
        history = parse_history(text, brief)
    elif reply is not None and not state.is_over:
        history = parse_turn(history, reply, text)
    changed = parse_change(text) if history.phase == "explore" else None
    if changed is None:
        return replace(state, history=history)
    return replace(state, history=begin_text_revision(history), changed=changed)


def _request_kind(text: str, state: ParsedConversation) -> tuple[RequestKind, str]:
    """What a message asks for, and the part of the text that matters."""
    prompts: tuple[tuple[RequestKind, str], ...] = (
        ("global map", global_map_prompt()),
        ("revision map", revision_map_prompt()),
        ("local map", local_map_prompt()),
    )
    for kind, prompt in prompts:
        if prompt in text:
            return kind, text
    for plan in ("unexplored", "unexplored_picture"):
        points = wording("tolman.belief", plan).read(text)
        if points is not None:
            return "points", points["plan"]
    if parse_kind(text) is not None:
        return "answer", text
    return ("nothing" if state.history is None or state.is_over else "actions"), text


def _given_map(text: str, state: ParsedConversation) -> GivenMap:
    """The map in a message, restricted to names in the brief."""
    names = state.history.brief.names if state.history else ()
    found = read_global_map(text, names, STRICT)
    return tuple(found.places.items()) if isinstance(found, CognitiveMap) else ()
