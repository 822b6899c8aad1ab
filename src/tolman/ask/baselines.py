"""What one scores without having seen the world: by chance, with one constant answer, and from the names alone."""

from statistics import fmean

from tolman.ask.kinds.registry import find_kind
from tolman.ask.question import Question
from tolman.rules import Rules
from tolman.seeds import rng


def chance_level(question: Question, rules: Rules) -> float:
    """Mean score of all valid answers, each as likely as the next. Each kind's class says which they are."""
    kind = find_kind(question.kind)
    return fmean(kind.grade(question, answer, rules).score for answer in kind.answers(question))


def constant_reply(question: Question) -> str:
    """The same answer to every question of a kind, as far as names allow."""
    return find_kind(question.kind).constant(question)


def blind_reply(question: Question, seed: int) -> str:
    """A guess by someone who knows the names and the format, but never saw the world."""
    return find_kind(question.kind).blind(question, rng(seed, "ask", "blind", question.id))
