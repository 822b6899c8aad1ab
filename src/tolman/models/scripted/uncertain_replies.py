"""Replies of scripted agents in task conditions: to questions that may be left open, and with probabilities.

`ideal` answers where that pays in expectation. `always-answers` gives the same best answers to every question, and
`always-abstains` leaves every question open: between them lies what knowing one's own uncertainty is worth.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tolman.ask.abstention import CANNOT_TELL, threshold_in
from tolman.ask.odds import OddsSlot, format_odds, is_odds_request
from tolman.ask.settling import LETTERS, Look, looks_in
from tolman.ideal.look_gains import look_gains
from tolman.ideal.observer import GenerativeObserver, Observer, ObserverName
from tolman.ideal.question_content import BestAnswer, QuestionContent

ALWAYS_ANSWERS, ALWAYS_ABSTAINS = "always-answers", "always-abstains"
TEMPERED = "ideal-temperature-"
"""Before a number from 0.01 to 100: the ideal agent at that temperature."""
MOST_LISTED = 60
"""Most values of one list that an agent states, the most probable ones."""


_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,4})?", re.ASCII)


@dataclass(frozen=True)
class IdealSettings:
    """Which ideal observer an agent answers by, and how it treats its probabilities."""

    agent: str
    observer: ObserverName | None = None
    """By default `relations`, and in a task condition `generative`, which labels the questions there."""

    @property
    def temperature(self) -> float:
        """Probabilities are raised to the power 1 / temperature: above 1 the agent is less sure than it could be, below
        1 more. It is part of the agent's name, so that logs and caches tell such agents apart."""
        return _temperature(self.agent) or 1.0

    def tempered(self, chance: float) -> float:
        """A probability of being right at this temperature."""
        chance = min(max(chance, 0.0), 1.0)
        for_it, against = chance ** (1 / self.temperature), (1.0 - chance) ** (1 / self.temperature)
        return for_it / (for_it + against)

    def sharpened(self, odds: Mapping[str, float]) -> dict[str, float]:
        """Probabilities of several values at this temperature."""
        powers = {value: chance ** (1 / self.temperature) for value, chance in odds.items()}
        total, mass = sum(powers.values()), sum(odds.values())
        return {value: mass * power / total for value, power in powers.items()}


def is_ideal(agent: str) -> bool:
    """Whether an agent answers as an ideal observer does; such agents differ only in task conditions."""
    return agent in ("ideal", ALWAYS_ANSWERS, ALWAYS_ABSTAINS) or _temperature(agent) is not None


def _temperature(agent: str) -> float | None:
    number = agent.removeprefix(TEMPERED)
    if number == agent or not _NUMBER.fullmatch(number):
        return None
    return float(number) if 0.01 <= float(number) <= 100 else None


def in_condition(text: str) -> bool:
    """Whether a message asks a question in a task condition."""
    return threshold_in(text) is not None or is_odds_request(text) or looks_in(text) is not None


def look_reply(looks: Sequence[Look], content: QuestionContent, observer: Observer, how: IdealSettings) -> str:
    """The letter of the look with the highest expected gain; `always-answers` takes the first, whatever it is."""
    if how.agent == ALWAYS_ABSTAINS:
        return CANNOT_TELL
    gains = None
    if how.agent != ALWAYS_ANSWERS and isinstance(observer, GenerativeObserver):
        known = all(look.place in observer.scenes.cells for look in looks)
        gains = look_gains(content, observer.scenes.finer, looks) if known else None
    return LETTERS[max(range(len(looks)), key=lambda i: gains[i]) if gains else 0]


def reply_in_condition(text: str, best: BestAnswer, slots: Sequence[OddsSlot], how: IdealSettings) -> str | None:
    """The reply to a question in a task condition, given an ideal observer's best answer; None outside of any."""
    if slots and is_odds_request(text):
        return format_odds(_stated(slots, best, how))
    threshold = threshold_in(text)
    if threshold is None:
        return None
    if how.agent == ALWAYS_ANSWERS:
        return best.reply
    if how.agent == ALWAYS_ABSTAINS:
        return CANNOT_TELL
    return best.reply if how.tempered(best.expected) > threshold else CANNOT_TELL


def _stated(slots: Sequence[OddsSlot], best: BestAnswer, how: IdealSettings) -> dict[str, dict[str, float]]:
    """The probabilities that an agent states: the ideal ones at its temperature, all on one value, or all alike."""
    odds = best.cases.odds() if best.cases else {}
    return {slot.name: _slot_odds(slot, odds.get(slot.name, {}), how) for slot in slots}


def _slot_odds(slot: OddsSlot, odds: Mapping[str, float], how: IdealSettings) -> dict[str, float]:
    values = slot.values()
    if how.agent == ALWAYS_ABSTAINS or not odds:
        return {value: 1 / len(values) for value in values} if values else {NOWHERE: 0.0}
    ranked = sorted(odds, key=lambda value: -odds[value])
    if how.agent == ALWAYS_ANSWERS:
        return {ranked[0]: 1.0}
    return how.sharpened({value: odds[value] for value in ranked[:MOST_LISTED]})


NOWHERE = "(0, 0)"
"""A point with probability 0, which leaves all of it on points that are not listed."""
