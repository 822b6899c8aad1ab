"""Kinds of question by name, and all that goes by kind: sampling, grading, baselines, reference replies, and parsing
a question back from its text.
"""

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import ClassVar, TypeVar

import numpy as np

from tolman.ask.question import Grade, Json, Question, QuestionKind
from tolman.core.errors import UnknownNameError
from tolman.core.rules import Rules
from tolman.core.seeds import check_seed, rng
from tolman.core.wording import Wording, wording
from tolman.sense import parse_sightings
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
def _import_all() -> None:
    package = importlib.import_module("tolman.ask.kinds")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def kind_names(*, in_pictures: bool = False) -> tuple[str, ...]:
    """Names of the kinds that need words only, or of those that come with a picture, in alphabetical order."""
    _import_all()
    kinds = _KINDS.items()
    return tuple(sorted(name for name, k in kinds if k.in_pictures == in_pictures and not k.in_revision))


def find_kind(name: str) -> Kind:
    """The kind of that name."""
    _import_all()
    try:
        return _KINDS[name]
    except KeyError:
        raise UnknownNameError(f"there is no kind of question {name!r}; choose one of {', '.join(_KINDS)}") from None


def grade(question: Question, reply: str, rules: Rules) -> Grade:
    """What a reply to a question is worth under a rule set."""
    return find_kind(question.kind).grade(question, reply, rules)


QUESTIONS_PER_KIND = 3
TRIES = 20


def sample_questions(
    scene: Scene, seed: int, per_kind: int = QUESTIONS_PER_KIND, kinds: Sequence[str] | None = None
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
            question = _sample_one(scene, seed, name, number, ids)
            if question is not None:
                ids.add(question.id)
                asked.append(question)
    return tuple(asked)


def _sample_one(scene: Scene, seed: int, name: str, number: int, ids: set[str]) -> Question | None:
    """One question that is not among `ids` yet; None where none is found."""
    kind = find_kind(name)
    stream = rng(seed, "ask", kind.stream, number)
    for _ in range(TRIES):
        question = kind.sample(scene, stream)
        if question is None or question.id not in ids:
            return question
    return None


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


def oracle_reply(question: Question) -> str:
    """An answer found in the scene, in the published format. How the question was sampled is not looked at."""
    return find_kind(question.kind).oracle(question)


def wrong_reply(question: Question) -> str:
    """A readable answer that scores 0 by construction."""
    return find_kind(question.kind).wrong(question)


def parse_kind(text: str) -> str | None:
    """The kind of question that stands in a text.

    One whose view is a picture can't be heard, but where the view is told instead, it is one of its kind in words.
    """
    return next((kind for kind, _ in parse_parts(text)), None)


def parse_question(text: str, scene: Scene) -> Question | None:
    """The question that stands in a text, about a scene that someone knows or believes in.

    Its truth is left empty: it is for `oracle` to find in that scene. None where there is no question, or where what
    it says makes no sense in the scene, as may be if a belief is wrong.
    """
    for kind, parts in parse_parts(text):
        parameters = find_kind(kind).hear(parts, scene)
        if parameters is not None:
            return Question(kind, parameters, {}, scene, text)
    return None


def parse_parts(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The kinds of question that a text may hold, each with the parts that fill the gaps of its wording."""
    for kind in (*kind_names(), QuestionKind.CHANGE_REPORT):
        parts = wording("tolman.ask", kind).read(text)
        if parts is not None:
            yield kind, parts
    for kind in kind_names(in_pictures=True):
        parts = _described_wording(kind).read(text)
        if parts is not None and parse_sightings(parts["view"]):
            yield find_kind(kind).stream, parts


@cache
def _described_wording(kind: str) -> Wording:
    """The wording of a kind that comes with a picture, in which the view is told instead."""
    return Wording(wording("tolman.ask", kind).text.replace("<image>", "$view"))
