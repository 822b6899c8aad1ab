"""What a conversation says: the place, all turns so far, and what is wanted now. No text makes it raise.

Pages put the words of the world between instructions and forms of reply, so everything here is searched for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from tolman.ask import hear_kind
from tolman.belief.cognitive_map import CognitiveMap, Placed
from tolman.belief.probes import ask_global_map, ask_local_map, ask_revision_map
from tolman.belief.read_map import read_global_map
from tolman.explore.hear import begin_heard_revision, hear_brief, hear_change, hear_history, hear_turn
from tolman.explore.heard import HeardEpisode
from tolman.rules import STRICT
from tolman.wording import wording

Message = tuple[str, str]
"""Who speaks (`system`, `user` or `assistant`), and what they say."""
Wanted = Literal["actions", "global map", "revision map", "local map", "points", "answer", "nothing"]
GivenMap = tuple[tuple[str, Placed], ...]
"""A map that a question comes with, by name: cells east and north of the start."""

_LEFT = re.compile(r"Replies left: ([0-9]{1,6})\.")


@dataclass(frozen=True)
class Understood:
    """The gist of a conversation."""

    heard: HeardEpisode | None = None
    """All turns so far, once the place has been described."""
    changed: int | None = None
    """How many things changed, once that was told."""
    wanted: Wanted = "nothing"
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


def understand(messages: Sequence[Message]) -> Understood:
    """The gist of a conversation whose last message asks for something."""
    said = tuple(message for message in messages if message[0] != "system")
    if not said or said[-1][0] != "user":
        return Understood()
    before, reply = _listen(said[:-1])
    text = said[-1][1]
    state = _hear(before, reply, text)
    left = _LEFT.findall(text)
    state = replace(state, replies_left=int(left[-1]) if left else None)
    wanted, what = _wanted(text, state)
    return replace(state, wanted=wanted, text=what, given=_given(text, state) if wanted == "answer" else ())


@lru_cache(maxsize=512)
def _listen(said: tuple[Message, ...]) -> tuple[Understood, str | None]:
    """What was said before the last message, and the reply that the last message may be about.

    A conversation grows by a turn at a time, so what was made of its beginning is kept.
    """
    if not said:
        return Understood(), None
    state, reply = _listen(said[:-1])
    role, text = said[-1]
    return (state, text) if role == "assistant" else (_hear(state, reply, text), None)


def _hear(state: Understood, reply: str | None, text: str) -> Understood:
    """Take in one message of the world."""
    heard = state.heard
    if heard is None:
        brief = hear_brief(text)
        if brief is None:
            return state
        heard = hear_history(text, brief)
    elif reply is not None and not state.is_over:
        heard = hear_turn(heard, reply, text)
    changed = hear_change(text) if heard.phase == "explore" else None
    if changed is None:
        return replace(state, heard=heard)
    return replace(state, heard=begin_heard_revision(heard), changed=changed)


def _wanted(text: str, state: Understood) -> tuple[Wanted, str]:
    """What a message asks for, and the part of it that says so."""
    asks: tuple[tuple[Wanted, str], ...] = (
        ("global map", ask_global_map()),
        ("revision map", ask_revision_map()),
        ("local map", ask_local_map()),
    )
    for wanted, words in asks:
        if words in text:
            return wanted, text
    for plan in ("unexplored", "unexplored_picture"):
        points = wording("tolman.belief", plan).read(text)
        if points is not None:
            return "points", points["plan"]
    if hear_kind(text) is not None:
        return "answer", text
    return ("nothing" if state.heard is None or state.is_over else "actions"), text


def _given(text: str, state: Understood) -> GivenMap:
    """The map that stands in a message, of things whose names are known."""
    names = state.heard.brief.names if state.heard else ()
    found = read_global_map(text, names, STRICT)
    return tuple(found.places.items()) if isinstance(found, CognitiveMap) else ()
