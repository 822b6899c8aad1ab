"""Accuracy of strategies that read the question and the choices, but have not seen the picture or the log."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tolman.core.grouping import grouped
from tolman.harness.export.items import ChoiceItem, order_stream

_WORD = re.compile(r"\w+")
Pick = Callable[[ChoiceItem], int]


@dataclass(frozen=True)
class BlindAccuracy:
    """Shares of right answers, by strategy."""

    chance: float
    """Mean of one over the number of choices."""
    error: float
    """Standard error of a guess at chance, over all questions."""
    by_strategy: Mapping[str, float]

    @property
    def best(self) -> tuple[str, float]:
        """The best strategy and its accuracy."""
        return max(self.by_strategy.items(), key=lambda pair: pair[1])


def blind_accuracies(items: Sequence[ChoiceItem]) -> BlindAccuracy:
    """All strategies on some questions."""
    frequent, letter = _FrequentAnswer(items), Counter(one.right for one in items).most_common(1)[0][0]
    strategies: dict[str, Pick] = {
        "the most frequent letter": lambda one: min(letter, len(one.choices) - 1),
        "the longest choice": lambda one: _extreme(one, len),
        "the shortest choice": lambda one: _extreme(one, lambda choice: -len(choice)),
        "the choice most like the others": lambda one: _extreme(one, lambda choice: _likeness(choice, one)),
        "the choice least like the others": lambda one: _extreme(one, lambda choice: -_likeness(choice, one)),
        "the most frequent answer of other scenes": frequent.pick,
    }
    accuracies = {name: sum(pick(one) == one.right for one in items) / len(items) for name, pick in strategies.items()}
    chances = [1 / len(one.choices) for one in items]
    error = math.sqrt(sum(chance * (1 - chance) for chance in chances)) / len(items)
    return BlindAccuracy(sum(chances) / len(items), error, accuracies)


_ROUNDS = 20


def without_guessable(items: Sequence[ChoiceItem], seed: int) -> list[ChoiceItem]:
    """Drop random questions whose answer is guessed from how often it is right in other scenes, until such guesses are
    at chance (adversarial filtering). A kind is left as it is if they are within two standard errors of it."""
    kinds = grouped(items, lambda one: one.item.kind)
    kept: set[str] = set()
    for kind, asked in kinds.items():
        kept |= {one.item.id for one in _filtered(asked, seed, kind)}
    return [one for one in items if one.item.id in kept]


def _filtered(asked: list[ChoiceItem], seed: int, kind: str) -> list[ChoiceItem]:
    stream = order_stream([one.item for one in asked], seed, f"{kind} guessable")
    allowed = 2.0
    for _ in range(_ROUNDS):
        guess = _FrequentAnswer(asked)
        right = [one.item.id for one in asked if guess.pick(one) == one.right]
        chance = sum(1 / len(one.choices) for one in asked) / len(asked)
        error = math.sqrt(chance * (1 - chance) / len(asked))
        if len(right) / len(asked) <= chance + allowed * error:
            break
        allowed, excess = 0.5, math.ceil((len(right) - chance * len(asked)) / (1 - chance))
        dropped = {right[int(place)] for place in stream.permutation(len(right))[:excess]}
        asked = [one for one in asked if one.item.id not in dropped]
    return asked


def _extreme(one: ChoiceItem, value: Callable[[str], float]) -> int:
    """The choice of the largest value; of equal ones, one that depends on nothing but the question's name."""
    values = [value(choice) for choice in one.choices]
    best = [place for place, each in enumerate(values) if each == max(values)]
    return best[sum(one.item.id.encode()) % len(best)]


def _likeness(choice: str, one: ChoiceItem) -> float:
    """Number of words that a choice shares with the others, with repetition."""
    words = [Counter(_WORD.findall(each)) for each in one.choices]
    return sum((Counter(_WORD.findall(choice)) & other).total() for other in words)


class _FrequentAnswer:
    """Picks the choice that is most often right, for how often it is offered, in the questions of other scenes."""

    def __init__(self, items: Sequence[ChoiceItem]) -> None:
        self._offered: dict[str, Counter[str]] = {}
        self._right: dict[str, Counter[str]] = {}
        self._own: dict[tuple[str, str], tuple[Counter[str], Counter[str]]] = {}
        for one in items:
            own = self._own.setdefault((one.item.kind, one.item.case), (Counter(), Counter()))
            for offered, right in (
                (self._offered.setdefault(one.item.kind, Counter()), self._right.setdefault(one.item.kind, Counter())),
                own,
            ):
                offered.update(one.choices)
                right[one.choices[one.right]] += 1

    def pick(self, one: ChoiceItem) -> int:
        kind = one.item.kind
        offered, right = self._own[kind, one.item.case]

        def rate(choice: str) -> float:
            seen = self._offered[kind][choice] - offered[choice]
            hits = self._right[kind][choice] - right[choice]
            return (hits + 1 / len(one.choices)) / (seen + 1)

        return _extreme(one, rate)
