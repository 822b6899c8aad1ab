"""Replies of scripted agents in task conditions: to questions that may be left open.

`ideal` answers where that pays in expectation. `always-answers` gives the same best answers to every question, and
`always-abstains` leaves every question open: between them lies what knowing one's own uncertainty is worth.
"""

from dataclasses import dataclass

from tolman.ask.abstention import CANNOT_TELL, threshold_in
from tolman.ideal.observer import ObserverName
from tolman.ideal.question_content import BestAnswer

ALWAYS_ANSWERS, ALWAYS_ABSTAINS = "always-answers", "always-abstains"


@dataclass(frozen=True)
class IdealSettings:
    """Which ideal observer an agent answers by, and how it treats its probabilities."""

    agent: str
    observer: ObserverName | None = None
    """By default `relations`, and in a task condition `generative`, which labels the questions there."""
    temperature: float = 1.0
    """Probabilities are raised to the power 1 / temperature: above 1 the agent is less sure than it could be, below 1
    more."""

    def tempered(self, chance: float) -> float:
        """A probability of being right at this temperature."""
        chance = min(max(chance, 0.0), 1.0)
        for_it, against = chance ** (1 / self.temperature), (1.0 - chance) ** (1 / self.temperature)
        return for_it / (for_it + against)


def reply_in_condition(text: str, best: BestAnswer, how: IdealSettings) -> str | None:
    """The reply to a question in a task condition, given an ideal observer's best answer; None outside of any."""
    threshold = threshold_in(text)
    if threshold is None:
        return None
    if how.agent == ALWAYS_ANSWERS:
        return best.reply
    if how.agent == ALWAYS_ABSTAINS:
        return CANNOT_TELL
    return best.reply if how.tempered(best.expected) > threshold else CANNOT_TELL
