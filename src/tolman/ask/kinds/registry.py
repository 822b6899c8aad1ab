"""Kinds of question by name, and what depends on the kind: sampling, grading, baselines, reference replies, and parsing
a question from its text.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import ClassVar, TypeVar

import numpy as np

from tolman.ask.question import PAPER_KINDS, VISION_KINDS, Grade, Json, Question, QuestionKind
from tolman.core.errors import UnknownNameError
from tolman.core.files import import_modules
from tolman.core.rules import Rules
from tolman.core.seeds import check_seed, rng
from tolman.core.wording import Wording, wording
from tolman.sense import parse_sightings
from tolman.world import Scene


class Kind(ABC):
    """One kind of question."""

    name: ClassVar[str]
    stream: ClassVar[str]
    """Name of the random stream for sampling. An image variant shares that of its text variant."""
    in_pictures: ClassVar[bool] = False
    """Whether a question has an image of a view, and so is asked only where images are shown."""

    @abstractmethod
    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        """A random question about a scene; None where the scene allows none."""

    @property
    def wording(self) -> Wording:
        """The wording of a question, `wordings/NAME.txt` of `tolman.ask`; without that file it is not parsed."""
        return wording("tolman.ask", self.name)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        """The parameters of a question from the parts of its wording; None where they do not fit the scene.

        A kind that does not override this can't be parsed from its text.
        """
        del parts, scene
        return None

    @abstractmethod
    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        """The grade of a reply under a rule set. Never raises, whatever the text."""

    @abstractmethod
    def oracle(self, question: Question) -> str:
        """A right reply, derived from the scene and not from how the question was sampled."""

    @abstractmethod
    def wrong(self, question: Question) -> str:
        """A parseable reply that scores 0 by construction."""

    @abstractmethod
    def answers(self, question: Question) -> Sequence[str]:
        """All valid answers, or a fixed sample where there are too many, over which the chance level is the mean."""

    @abstractmethod
    def constant(self, question: Question) -> str:
        """The same reply to every question of this kind, except for names."""

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        """A random guess from the names and the answer format alone."""
        answers = self.answers(question)
        return answers[int(stream.integers(len(answers)))]

    def choice(self, question: Question) -> str:
        """The right answer of a multiple-choice question, in the form in which `distractors` has the wrong ones."""
        return self.oracle(question)

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str] | None:
        """Draws of answers that are as plausible as the right one to a reader who has not seen the world; they may
        repeat, or be right as well. None where the answers to other questions of this kind serve."""
        del question, stream
        return None


_KINDS: dict[str, Kind] = {}
K = TypeVar("K", bound=Kind)


def kind(cls: type[K]) -> type[K]:
    """Register a class as a kind of question."""
    _KINDS[cls.name] = cls()
    return cls


def find_kind(name: str) -> Kind:
    """The kind of that name."""
    import_modules("tolman.ask.kinds")
    try:
        return _KINDS[name]
    except KeyError:
        raise UnknownNameError(f"there is no kind of question {name!r}; choose one of {', '.join(_KINDS)}") from None


def grade(question: Question, reply: str, rules: Rules) -> Grade:
    """The grade of a reply to a question under a rule set."""
    return find_kind(question.kind).grade(question, reply, rules)


QUESTIONS_PER_KIND = 3
TRIES = 20


def sample_questions(
    scene: Scene, seed: int, per_kind: int = QUESTIONS_PER_KIND, kinds: Sequence[str] | None = None
) -> tuple[Question, ...]:
    """Up to `per_kind` different questions of each kind, by default of `PAPER_KINDS`.

    Each question has its own random stream, so more questions never change the ones before. A scene may allow fewer.
    """
    check_seed(seed)
    asked: list[Question] = []
    for name in PAPER_KINDS if kinds is None else kinds:
        ids: set[str] = set()
        for number in range(per_kind):
            question = _sample_one(scene, seed, name, number, ids)
            if question is not None:
                ids.add(question.id)
                asked.append(question)
    return tuple(asked)


def _sample_one(scene: Scene, seed: int, name: str, number: int, ids: set[str]) -> Question | None:
    """One question whose id is not in `ids`; None where none is found."""
    kind = find_kind(name)
    stream = rng(seed, "ask", kind.stream, number)
    for _ in range(TRIES):
        question = kind.sample(scene, stream)
        if question is None or question.id not in ids:
            return question
    return None


def chance_level(question: Question, rules: Rules) -> float:
    """Mean score of all valid answers (see `Kind.answers`), the expectation of a uniform guess."""
    kind = find_kind(question.kind)
    return fmean(kind.grade(question, answer, rules).score for answer in kind.answers(question))


def constant_reply(question: Question) -> str:
    """The same answer to every question of a kind, except for names."""
    return find_kind(question.kind).constant(question)


def blind_reply(question: Question, seed: int) -> str:
    """A random guess from the names and the answer format alone."""
    return find_kind(question.kind).blind(question, rng(seed, "ask", "blind", question.id))


def oracle_reply(question: Question) -> str:
    """A right answer derived from the scene, in the published format."""
    return find_kind(question.kind).oracle(question)


def wrong_reply(question: Question) -> str:
    """A parseable answer that scores 0 by construction."""
    return find_kind(question.kind).wrong(question)


def parse_kind(text: str) -> str | None:
    """The kind of the question in a text, or None.

    A question with an image is recognised only where its view is described instead, as one of the text variant.
    """
    return next((kind for kind, _ in parse_parts(text)), None)


def parse_question(text: str, scene: Scene) -> Question | None:
    """The question in a text, about a true or believed scene.

    Its truth is empty; `Kind.oracle` derives it from the scene. None where there is no question, or where it does not
    fit the scene, as a belief may be wrong.
    """
    for kind, parts in parse_parts(text):
        parameters = find_kind(kind).parse_parameters(parts, scene)
        if parameters is not None:
            return Question(kind, parameters, {}, scene, text)
    return None


def parse_parts(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The kinds of question whose wording a text contains, each with the parts that fill it; published kinds first."""
    for kind in (*PAPER_KINDS, QuestionKind.CHANGE_REPORT):
        parts = find_kind(kind).wording.read(text)
        if parts is not None:
            yield kind, parts
    for kind in VISION_KINDS:
        parts = _described_wording(wording("tolman.ask", kind).text).read(text)
        if parts is not None and parse_sightings(parts["view"]):
            yield find_kind(kind).stream, parts
    for kind in sorted(set(_KINDS) - set(QuestionKind)):
        try:
            parts = _KINDS[kind].wording.read(text)
        except FileNotFoundError:
            continue
        if parts is not None:
            yield kind, parts


@cache
def _described_wording(text: str) -> Wording:
    """The wording of a question with an image, with a described view in its place."""
    return Wording(text.replace("<image>", "$view"))
