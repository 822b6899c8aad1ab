"""Replies of someone who knows the world, and of someone who gets it wrong on purpose."""

from tolman.ask.kinds.registry import find_kind
from tolman.ask.question import Question


def oracle_reply(question: Question) -> str:
    """An answer found in the scene, in the published format. How the question was sampled is not looked at."""
    return find_kind(question.kind).oracle(question)


def wrong_reply(question: Question) -> str:
    """A readable answer that scores 0 by construction."""
    return find_kind(question.kind).wrong(question)
