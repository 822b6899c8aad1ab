"""Questions read back from their words, so that a scripted agent can be asked in the same words as a model."""

from collections.abc import Iterator
from functools import cache

from tolman.ask.kinds.registry import find_kind, kind_names
from tolman.ask.question import Question, QuestionKind
from tolman.sense import hear_sightings
from tolman.wording import Wording, wording
from tolman.world import Scene


def hear_kind(text: str) -> str | None:
    """The kind of question that stands in a text.

    One whose view is a picture can't be heard, but where the view is told instead, it is one of its kind in words.
    """
    return next((kind for kind, _ in hear_parts(text)), None)


def hear_question(text: str, scene: Scene) -> Question | None:
    """The question that stands in a text, about a scene that someone knows or believes in.

    Its truth is left empty: it is for `oracle` to find in that scene. None where there is no question, or where what
    it says makes no sense in the scene, as may be if a belief is wrong.
    """
    for kind, parts in hear_parts(text):
        parameters = find_kind(kind).hear(parts, scene)
        if parameters is not None:
            return Question(kind, parameters, {}, scene, text)
    return None


def hear_parts(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The kinds of question that a text may hold, each with the parts that fill the gaps of its wording."""
    for kind in (*kind_names(), QuestionKind.CHANGE_REPORT):
        parts = wording("tolman.ask", kind).read(text)
        if parts is not None:
            yield kind, parts
    for kind in kind_names(in_pictures=True):
        parts = _described(kind).read(text)
        if parts is not None and hear_sightings(parts["view"]):
            yield find_kind(kind).stream, parts


@cache
def _described(kind: str) -> Wording:
    """The wording of a kind that comes with a picture, in which the view is told instead."""
    return Wording(wording("tolman.ask", kind).text.replace("<image>", "$view"))
