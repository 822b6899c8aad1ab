"""What a conversation says: the place, all turns so far, and what is wanted now. No text makes it raise.

Pages put the words of the world between instructions and forms of reply, so everything here is searched for.
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
"""Who speaks (`system`, `user` or `assistant`), and what they say."""
RequestKind = Literal["actions", "global map", "revision map", "local map", "points", "answer", "nothing"]
GivenMap = tuple[tuple[str, Placement], ...]
"""A map that a question comes with, by name: cells east and north of the start."""

_REPLIES_LEFT = re.compile(r"Replies left: ([0-9]{1,6})\.")


@dataclass(frozen=True)
class ParsedConversation:
    """The gist of a conversation."""

    heard: TextHistory | None = None
    """All turns so far, once the place has been described."""
    changed: int | None = None
    """How many things changed, once that was told."""
    wanted: RequestKind = "nothing"
    text: str = ""
    """The message in which it is wanted; for points, the plan."""
    given: GivenMap = ()
    replies_left: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether the phase has ended."""
        if self.heard is None or not self.heard.turns:
            return False
        last = self.heard.turns[-1]
        return last.phase == self.heard.phase and last.ended_phase


def parse_conversation(messages: Sequence[RoleText]) -> ParsedConversation:
    """The gist of a conversation whose last message asks for something."""
    said = tuple(message for message in messages if message[0] != "system")
    if not said or said[-1][0] != "user":
        return ParsedConversation()
    before, reply = _parse_before(said[:-1])
    text = said[-1][1]
    state = _parse_message(before, reply, text)
    left = _REPLIES_LEFT.findall(text)
    state = replace(state, replies_left=int(left[-1]) if left else None)
    wanted, what = _request_kind(text, state)
    return replace(state, wanted=wanted, text=what, given=_given_map(text, state) if wanted == "answer" else ())


@lru_cache(maxsize=512)
def _parse_before(said: tuple[RoleText, ...]) -> tuple[ParsedConversation, str | None]:
    """What was said before the last message, and the reply that the last message may be about.

    A conversation grows by a turn at a time, so what was made of its beginning is kept.
    """
    if not said:
        return ParsedConversation(), None
    state, reply = _parse_before(said[:-1])
    role, text = said[-1]
    return (state, text) if role == "assistant" else (_parse_message(state, reply, text), None)


def _parse_message(state: ParsedConversation, reply: str | None, text: str) -> ParsedConversation:
    """Take in one message of the world."""
    heard = state.heard
    if heard is None:
        brief = parse_brief(text)
        if brief is None:
            return state
        heard = parse_history(text, brief)
    elif reply is not None and not state.is_over:
        heard = parse_turn(heard, reply, text)
    changed = parse_change(text) if heard.phase == "explore" else None
    if changed is None:
        return replace(state, heard=heard)
    return replace(state, heard=begin_text_revision(heard), changed=changed)


def _request_kind(text: str, state: ParsedConversation) -> tuple[RequestKind, str]:
    """What a message asks for, and the part of it that says so."""
    asks: tuple[tuple[RequestKind, str], ...] = (
        ("global map", global_map_prompt()),
        ("revision map", revision_map_prompt()),
        ("local map", local_map_prompt()),
    )
    for wanted, words in asks:
        if words in text:
            return wanted, text
    for plan in ("unexplored", "unexplored_picture"):
        points = wording("tolman.belief", plan).read(text)
        if points is not None:
            return "points", points["plan"]
    if parse_kind(text) is not None:
        return "answer", text
    return ("nothing" if state.heard is None or state.is_over else "actions"), text


def _given_map(text: str, state: ParsedConversation) -> GivenMap:
    """The map that stands in a message, of things whose names are known."""
    names = state.heard.brief.names if state.heard else ()
    found = read_global_map(text, names, STRICT)
    return tuple(found.places.items()) if isinstance(found, CognitiveMap) else ()
