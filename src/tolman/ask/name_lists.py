"""Names listed in a question, one comma between two of them."""

from collections.abc import Sequence

from tolman.world import Scene


def say_names(names: Sequence[str]) -> str:
    """Names as a list in a sentence."""
    return ", ".join(names)


def hear_names(words: str, scene: Scene) -> tuple[str, ...] | None:
    """The names that `say_names` listed; None unless all of them are of the scene."""
    names = tuple(words.split(", "))
    return names if all(name in scene for name in names) else None
