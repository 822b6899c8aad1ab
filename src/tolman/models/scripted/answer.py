"""Answers to questions, found in the world that an agent believes in by the same means as the right answer is."""

from itertools import chain

from tolman.ask import QuestionKind, find_kind, hear_kind, hear_question
from tolman.explore.actions import Term
from tolman.models.scripted.guess import guess
from tolman.models.scripted.mind import Mind
from tolman.world import Scene


def answer(text: str, mind: Mind) -> str:
    """An answer to the question that stands in a text; empty where it is about nothing that is known.

    What is asked may not fit the world most believed in, as when nobody there sees the view that is listed. Then other
    worlds are tried that agree with what was heard, and in the end there is a guess.
    """
    if hear_kind(text) == QuestionKind.CHANGE_REPORT:
        return str(Term(mind.changes))
    found = (_exact(text, world) for world in chain([mind.world], mind.others()))
    return next((reply for reply in found if reply), None) or guess(text, mind.world)


def _exact(text: str, world: Scene) -> str:
    question = hear_question(text, world)
    if question is None:
        return ""
    try:
        return find_kind(question.kind).oracle(question)
    except ValueError:
        return ""
