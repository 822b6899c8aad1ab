"""Whether what an agent was told decides a question: decided, open, or about something that was never in view."""

from collections.abc import Collection
from typing import Literal, get_args

from tolman.ideal.question_content import BestAnswer, QuestionContent
from tolman.world import START

Decidability = Literal["decided", "open", "unseen"]
DECIDABILITIES: tuple[Decidability, ...] = get_args(Decidability)
LEAST_SURE = 0.99
"""Least probability of the most probable answer to a question that is decided."""
_ONE_NAME = ("of", "from", "at", "origin")


def names_asked(content: QuestionContent) -> tuple[str, ...]:
    """The things and doors that a question is about: those it asks for, counts from, or lists as being in view.

    The steps of a plan describe their targets, and do not name them.
    """
    asked = [content.name(key) for key in _ONE_NAME if key in content.parameters]
    asked += content.names("things") if "things" in content.parameters else ()
    asked += [seen.name for seen in content.shown] if "shown" in content.parameters else ()
    return tuple(dict.fromkeys(name for name in asked if name != START))


def decidability(content: QuestionContent, best: BestAnswer, seen: Collection[str]) -> Decidability:
    """The label of a question, given an observer's best answer to it and the names that were ever in view.

    Decided: one answer is right with a probability of `LEAST_SURE` or more. Unseen: not decided, and a name that the
    question is about was never in view. Open: all others.
    """
    if best.sure >= LEAST_SURE:
        return "decided"
    return "open" if set(names_asked(content)) <= set(seen) else "unseen"
