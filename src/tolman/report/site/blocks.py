"""Blocks of a page, one below the other: text, terms, code, galleries, cards of questions. Each names its template."""

from dataclasses import dataclass
from typing import ClassVar

from tolman.report.site.figures import Figure
from tolman.report.table import Table


@dataclass(frozen=True)
class PlanMark:
    """Something on a plan. Positions are in percent of its side, from the left and from the top."""

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
class CardPlan:
    """A sketch of positions: marks, and lines of sight between pairs of them."""

    marks: tuple[PlanMark, ...]
    sights: tuple[tuple[PlanMark, PlanMark], ...]
    about: str
    """The same in words, for screen readers."""


@dataclass(frozen=True)
class CardAnswer:
    """One reply."""

    who: str
    said: str
    """The answer as parsed."""
    right: bool
    reply: str
    reasoning: str = ""


@dataclass(frozen=True)
class CardQuestion:
    """One question about a picture."""

    question: str
    answer: str
    replies: tuple[CardAnswer, ...]


@dataclass(frozen=True)
class Card:
    """One picture."""

    title: str
    picture: str
    """Address within the site; empty where there is none."""
    plan: CardPlan
    asked: tuple[CardQuestion, ...]


@dataclass(frozen=True)
class Cards:
    """Some pictures, below a heading."""

    template: ClassVar[str] = "cards.html"

    title: str
    about: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Text:
    """Paragraphs, with a heading if there is one."""

    template: ClassVar[str] = "text.html"

    paragraphs: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    template: ClassVar[str] = "terms.html"

    title: str
    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """Commands, or files to download, below a heading."""

    template: ClassVar[str] = "code.html"

    title: str
    text: str
    files: tuple[tuple[str, str], ...] = ()
    """Addresses within the site, and what is there."""


@dataclass(frozen=True)
class CaptionedPicture:
    """A picture with a caption."""

    address: str
    """Within the site."""
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strip:
    """Pictures side by side, below a title."""

    title: str
    shots: tuple[CaptionedPicture, ...]


@dataclass(frozen=True)
class Gallery:
    """Rows of pictures, some of them collapsed."""

    template: ClassVar[str] = "gallery.html"

    name: str
    title: str
    caption: str
    strips: tuple[Strip, ...]
    more: tuple[Strip, ...] = ()


@dataclass(frozen=True)
class Failed:
    """Replaces a part of the page that could not be made."""

    template: ClassVar[str] = "failed.html"

    title: str
    reason: str


Block = Failed | Text | Terms | Code | Table | Figure | Cards | Gallery
