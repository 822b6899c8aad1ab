"""Questions read back from their words, so that a scripted agent can be asked in the same words as a model."""

from collections.abc import Iterator

from tolman.ask.kinds.registry import Kind, find_kind, kind_names
from tolman.ask.question import Question, QuestionKind
from tolman.wording import wording
from tolman.world import Scene


def hear_kind(text: str) -> str | None:
    """The kind of question that stands in a text. One whose view is a picture can't be heard."""
    return next((kind.name for kind, _ in _standing_in(text)), None)


def hear_question(text: str, scene: Scene) -> Question | None:
    """The question that stands in a text, about a scene that someone knows or believes in.

    Its truth is left empty: it is for `oracle` to find in that scene. None where there is no question, or where what
    it says makes no sense in the scene, as may be if a belief is wrong.
    """
    for kind, parts in _standing_in(text):
        parameters = kind.hear(parts, scene)
        if parameters is not None:
            return Question(kind.name, parameters, {}, scene, text)
    return None


def _standing_in(text: str) -> Iterator[tuple[Kind, dict[str, str]]]:
    for name in (*kind_names(), QuestionKind.CHANGE_REPORT):
        parts = wording("tolman.ask", name).read(text)
        if parts is not None:
            yield find_kind(name), parts
