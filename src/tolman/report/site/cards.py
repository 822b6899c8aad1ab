"""Pictures with questions about them, and what was said: cards side by side, each with a plan seen from above."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Mark:
    """Something on a plan. Places are shares of its side in percent, from the left and from the top."""

    label: str
    x: float
    y: float
    strong: bool = False
    """Whether it is what the question is about."""
    under: bool = False
    """Whether its label stands below it."""

    @property
    def anchor(self) -> str:
        """Where its label goes so that it stays on the plan."""
        return "start" if self.x < 25 else "end" if self.x > 75 else "middle"


@dataclass(frozen=True)
class Plan:
    """A sketch of who is where: marks, and lines of sight between pairs of them."""

    marks: tuple[Mark, ...]
    sights: tuple[tuple[Mark, Mark], ...]
    about: str
    """The same in words, for who can't see it."""


@dataclass(frozen=True)
class Said:
    """One reply."""

    who: str
    said: str
    """What it was read as."""
    right: bool
    reply: str
    reasoning: str = ""


@dataclass(frozen=True)
class Asked:
    """One question about a picture."""

    question: str
    answer: str
    replies: tuple[Said, ...]


@dataclass(frozen=True)
class Card:
    """One picture."""

    title: str
    picture: str
    """Address within the site; empty where there is none."""
    plan: Plan
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Cards:
    """Some pictures, below a heading."""

    template: ClassVar[str] = "cards.html"

    title: str
    about: str
    cards: tuple[Card, ...]
