"""What a benchmark gives for an export, its cases as single-turn questions with one right answer, and how they become
multiple choice: wrong answers, their order, and the choice that a reply names.

Whoever has not seen the picture or the log should be at chance. Where the questions of a kind share a few answers,
some are dropped until no answer is right more often than chance, and wrong answers are drawn so that, given these,
each is equally likely to be the right one. Right answers are spread evenly over the letters.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from string import ascii_uppercase
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from tolman.core.errors import GenerationError
from tolman.core.grouping import grouped
from tolman.core.reading import Mention, ParseFailure, final_answer, resolve_answer
from tolman.core.rules import STRICT
from tolman.core.seeds import digest, rng
from tolman.harness.options import OptionsClass
from tolman.harness.records import Call, LoggedCase

S = TypeVar("S", bound=OptionsClass)
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
C = TypeVar("C")


@dataclass(frozen=True)
class ItemPicture:
    """One picture of a question. Two of the same key are the same picture."""

    key: str
    load: Callable[[], bytes]
    """Reads or renders its PNG or JPEG file."""


@dataclass(frozen=True)
class PassiveItem:
    """One question that a model answers in a single turn."""

    case: str
    """Id of its case, by which errors are clustered."""
    call: str
    """Name of the reply in the record of the case."""
    kind: str
    content: tuple[str | ItemPicture, ...]
    """Text and pictures in the order in which they are read, without the choices."""
    answer: str
    distractors: Iterator[str] | None = None
    """Wrong answers; None where they are answers to other questions of the same kind."""
    spare: tuple[str, ...] = ()
    """Wrong answers for a set in which other questions have too few different ones."""
    least: int = 3
    """Number of wrong answers among the choices."""
    seed: int = 0
    """Seed of all draws about it; a secret for a sealed scene, so that the order of its choices tells nothing."""
    score: Callable[[str], float] = lambda answer: float("nan")  # noqa: ARG005
    """The benchmark's own grade of an answer, from 0 to 1; 1 for the right one only."""
    shared: bool = False
    """Whether `answer` is one of the few that all questions of the kind have, so that a frequent one can be guessed."""

    @property
    def id(self) -> str:
        return f"{self.case}/{self.call}"


@dataclass(frozen=True)
class Provenance:
    """Where the cases come from, and under which licence they may be passed on."""

    source: str
    licence: str
    """An SPDX identifier, or `other`."""


class ItemSource(ABC, Generic[S, O, C]):
    """The passive questions of one benchmark."""

    version: ClassVar[str]
    """Task version `N-X`: N changes with the scoring, X with the data."""
    paper: ClassVar[str]
    """The paper that the questions follow, in one line."""
    paper_address: ClassVar[str]
    """Where that paper is."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Options that have one value, or no effect, in a set; the command line leaves them out."""

    @abstractmethod
    def passive(self, options: O) -> O:
        """The options of a single-turn evaluation that come nearest to the given ones."""

    @abstractmethod
    def items(self, case: C, options: O) -> Sequence[PassiveItem]:
        """The questions of a case."""

    @abstractmethod
    def provenance(self, selection: S) -> Provenance: ...

    @abstractmethod
    def answered(self, case: C, options: O, replies: Mapping[str, Call], choices: int) -> LoggedCase[C, O, Any]:
        """The record of a case from replies by call; in them a choice was replaced by its text.

        `choices` is the number of choices of a question.
        """


AnySource = ItemSource[Any, Any, Any]


DRAWS = 48
"""Draws of wrong answers for one question."""


@dataclass(frozen=True)
class ChoiceItem:
    """A question with its choices, in the order of their letters."""

    item: PassiveItem
    choices: tuple[str, ...]
    right: int

    @property
    def letter(self) -> str:
        return ascii_uppercase[self.right]


def draw_choices(items: Sequence[PassiveItem], seed: int, *, balance: bool = True) -> list[ChoiceItem]:
    """The questions with their choices, the right one first; without those that have too few wrong answers.

    With `balance`, also without some whose answer is frequent.
    """
    found: dict[str, ChoiceItem] = {}
    for kind, asked in by_kind(items).items():
        kept = _balanced(asked, order_stream(asked, seed, kind)) if balance else asked
        for item in kept:
            wrong = _wrong_answers(item, kept, seed)
            if len(wrong) == item.least:
                found[item.id] = ChoiceItem(item, (item.answer, *wrong), 0)
    return [found[item.id] for item in items if item.id in found]


def arrange(drawn: Sequence[ChoiceItem], seed: int) -> list[ChoiceItem]:
    """The same with their choices in random order; right ones are spread evenly over the letters."""
    found: dict[str, ChoiceItem] = {}
    choices = {one.item.id: one.choices for one in drawn}
    for kind, asked in by_kind([one.item for one in drawn]).items():
        order = order_stream(asked, seed, f"{kind} letters").permutation(len(asked))
        for place, number in enumerate(order):
            item = asked[int(number)]
            found[item.id] = _arranged(item, choices[item.id][1:], place, seed)
    return [found[one.item.id] for one in drawn]


def by_kind(items: Sequence[PassiveItem]) -> dict[str, list[PassiveItem]]:
    """The questions of each kind. Raises if the benchmark's own grader refuses a right answer."""
    for item in items:
        score = item.score(item.answer)
        if score != 1:
            raise GenerationError(
                f"{item.id}: the right answer {item.answer!r} scores {score:g}, so it can't be exported"
            )
    return grouped(items, lambda item: item.kind)


def order_stream(items: Sequence[PassiveItem], seed: int, purpose: str) -> np.random.Generator:
    """A random stream for some questions; of sealed scenes it can't be had without their secret seeds."""
    return rng(seed, "export", purpose, digest([str(item.seed) for item in items]))


def _balanced(items: list[PassiveItem], stream: np.random.Generator) -> list[PassiveItem]:
    """The items without random ones of each answer that is right more often than chance."""
    if not all(item.shared for item in items):
        return items
    drawn = [items[int(place)] for place in stream.permutation(len(items))]
    by_answer = grouped(drawn, lambda item: item.answer)
    choices = min(len(by_answer), min(item.least for item in items) + 1)
    while True:
        most = max(map(len, by_answer.values()))
        total = sum(map(len, by_answer.values()))
        if most * choices <= total or most == 1:
            break
        for answer, listed in by_answer.items():
            by_answer[answer] = listed[: max(1, min(len(listed), most - 1))]
    kept = {item.id for listed in by_answer.values() for item in listed}
    return [item for item in items if item.id in kept]


def _wrong_answers(item: PassiveItem, others: Sequence[PassiveItem], seed: int) -> list[str]:
    """Different wrong answers, as far as there are enough."""
    drawn = (other.answer for other in others) if item.distractors is None else islice(item.distractors, DRAWS)
    counts = Counter(drawn)
    counts[item.answer] += item.distractors is not None
    fit = {answer: count for answer, count in counts.items() if answer == item.answer or item.score(answer) < 1}
    wrong: list[str] = []
    stream = rng(item.seed, "export", "distractors", item.id, seed)
    spare = (item.spare[int(place)] for place in stream.permutation(len(item.spare)))
    for answer in chain(_sampled(item, fit, stream), spare):
        if answer not in wrong and answer != item.answer and item.score(answer) < 1:
            wrong.append(answer)
        if len(wrong) == item.least:
            break
    return wrong


def _sampled(item: PassiveItem, counts: Mapping[str, int], stream: np.random.Generator) -> Iterator[str]:
    """Answers by their frequency: first a systematic sample that holds the right one, then all at random.

    Answers are laid out on a line, each as long as it is frequent, and one is taken at every fourth (for four choices)
    of the line. Such samples hold each answer as often as it is right, so they do not tell the right one.
    """
    answers = [str(answer) for answer in stream.permutation(sorted(counts))]
    ends = np.cumsum([counts[answer] for answer in answers])
    own = answers.index(item.answer)
    at = float(ends[own]) - float(stream.random()) * counts[item.answer]
    for number in range(1, item.least + 1):
        place = (at + number * float(ends[-1]) / (item.least + 1)) % float(ends[-1])
        yield answers[min(int(np.searchsorted(ends, place, side="right")), len(answers) - 1)]
    yield from answers


def _arranged(item: PassiveItem, wrong: Sequence[str], place: int, seed: int) -> ChoiceItem:
    stream = rng(item.seed, "export", "letters", item.id, seed)
    order = [wrong[int(number)] for number in stream.permutation(len(wrong))]
    right = place % (len(wrong) + 1)
    return ChoiceItem(item, (*order[:right], item.answer, *order[right:]), right)


# ---- replies ----

_MARKED = re.compile(r"\b(?:final\s{1,3})?answer\b(?:\s{1,3}is\b)?\s{0,9}[:=]*+", re.IGNORECASE)
_DECOR = re.compile(r"\\[a-z]*|[*_`\"“”{}$]|</?\w{1,20}>", re.IGNORECASE)


def find_choice(reply: str, choices: Sequence[str]) -> int | ParseFailure:
    """The index of the one choice that a reply names, by letter or by its text, or why there is none."""
    text = _DECOR.sub(" ", final_answer(reply[-20_000:], STRICT)).replace("’", "'").strip()
    marks = list(_MARKED.finditer(text))
    marked = _named(text[marks[-1].end() :].strip(), choices) if marks else ParseFailure.NO_ANSWER
    return _named(text, choices) if isinstance(marked, ParseFailure) else marked


def _named(text: str, choices: Sequence[str]) -> int | ParseFailure:
    letters = ascii_uppercase[: len(choices)]
    if (alone := re.fullmatch(rf"\(?([{letters}{letters.lower()}])\)?[.:)]?", text)) is not None:
        return letters.index(alone[1].upper())
    if (first := re.match(rf"\(?([{letters}])(?:[.):]|\s*+-)\s*+(.*)", text, re.DOTALL)) is not None:
        place = letters.index(first[1])
        if first[2].strip().rstrip(".").lower() in ("", choices[place].lower().rstrip(".")):
            return place
    found, rest = _spelt(text, choices)
    for match in re.finditer(rf"(?<![\w'-])\(?([{letters}])\)?(?![\w'])", rest):
        is_article = match[1] == "A" and re.match(r"\s{1,3}[a-z]", rest[match.end() :]) is not None
        if not is_article:
            found.append(Mention(*match.span(), letters.index(match[1])))
    return resolve_answer(text, sorted(found, key=lambda mention: mention.start))


def _spelt(text: str, choices: Sequence[str]) -> tuple[list[Mention[int]], str]:
    """Choices whose text occurs, except within that of a longer one, and the text with them blanked out."""
    found: list[Mention[int]] = []
    for place in sorted(range(len(choices)), key=lambda number: -len(choices[number])):
        words = re.compile(rf"(?<![\w-]){re.escape(choices[place])}(?![\w-])", re.IGNORECASE | re.ASCII)
        found += (Mention(*match.span(), place) for match in words.finditer(text))
        text = words.sub(lambda match: "\ufffc" * len(match[0]), text)
    return found, text
