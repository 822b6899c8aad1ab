"""The questions of a scene."""

from collections.abc import Sequence

from tolman.ask.kinds.registry import find_kind, kind_names
from tolman.ask.question import Question
from tolman.seeds import check_seed, rng
from tolman.world import Scene

PER_KIND = 3
TRIES = 20


def ask_all(
    scene: Scene, seed: int, per_kind: int = PER_KIND, kinds: Sequence[str] | None = None
) -> tuple[Question, ...]:
    """`per_kind` different questions of each kind, of the nine kinds in words unless told otherwise.

    Each question has its own random stream, so asking more never changes the ones before. A scene that does not
    allow as many has fewer.
    """
    check_seed(seed)
    asked: list[Question] = []
    for name in kind_names() if kinds is None else kinds:
        ids: set[str] = set()
        for number in range(per_kind):
            question = _sample(scene, seed, name, number, ids)
            if question is not None:
                ids.add(question.id)
                asked.append(question)
    return tuple(asked)


def _sample(scene: Scene, seed: int, name: str, number: int, ids: set[str]) -> Question | None:
    """One question that is not among `ids` yet; None where none is found."""
    kind = find_kind(name)
    stream = rng(seed, "ask", kind.stream, number)
    for _ in range(TRIES):
        question = kind.sample(scene, stream)
        if question is None or question.id not in ids:
            return question
    return None
