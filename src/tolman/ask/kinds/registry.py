"""Kinds of question by name. One file each: a new one is found as soon as its file is there."""

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar, TypeVar

import numpy as np

from tolman.ask.question import Grade, Json, Question
from tolman.errors import UnknownNameError
from tolman.rules import Rules
from tolman.world import Scene


class Kind(ABC):
    """All that there is to know about one kind of question."""

    name: ClassVar[str]
    stream: ClassVar[str]
    """Name of the random stream it is drawn from. A picture variant shares that of its text variant."""
    in_revision: ClassVar[bool] = False
    """Whether it is asked after the world has changed, and not among the others."""
    in_pictures: ClassVar[bool] = False
    """Whether a question comes with a picture of a view, and is left out where there are none."""

    @abstractmethod
    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        """A random question about a scene; None where a scene does not allow one."""

    def hear(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        """The parameters of a question, from the parts of its wording; None where they make no sense in the scene.

        A kind that does not say how it is read back can't be.
        """
        del parts, scene
        return None

    @abstractmethod
    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        """What a reply is worth under a rule set. Never raises, whatever the text."""

    @abstractmethod
    def oracle(self, question: Question) -> str:
        """The reply of someone who knows the scene, but not how the question was sampled."""

    @abstractmethod
    def wrong(self, question: Question) -> str:
        """A readable reply that scores 0 by construction."""

    @abstractmethod
    def answers(self, question: Question) -> Sequence[str]:
        """All valid answers, or a fixed sample of them where there are too many: the space of the chance level."""

    @abstractmethod
    def constant(self, question: Question) -> str:
        """The same reply to every question of this kind, as far as names allow."""

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        """A guess by someone who knows the names and the format, but never saw the world."""
        answers = self.answers(question)
        return answers[int(stream.integers(len(answers)))]


_KINDS: dict[str, Kind] = {}
K = TypeVar("K", bound=Kind)


def kind(cls: type[K]) -> type[K]:
    """Register a class as a kind of question."""
    _KINDS[cls.name] = cls()
    return cls


@cache
def _load() -> None:
    package = importlib.import_module("tolman.ask.kinds")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def kind_names(*, in_pictures: bool = False) -> tuple[str, ...]:
    """Names of the kinds that need words only, or of those that come with a picture, in alphabetical order."""
    _load()
    kinds = _KINDS.items()
    return tuple(sorted(name for name, k in kinds if k.in_pictures == in_pictures and not k.in_revision))


def find_kind(name: str) -> Kind:
    """The kind of that name."""
    _load()
    try:
        return _KINDS[name]
    except KeyError:
        raise UnknownNameError(f"there is no kind of question {name!r}; choose one of {', '.join(_KINDS)}") from None


def grade(question: Question, reply: str, rules: Rules) -> Grade:
    """What a reply to a question is worth under a rule set."""
    return find_kind(question.kind).grade(question, reply, rules)
