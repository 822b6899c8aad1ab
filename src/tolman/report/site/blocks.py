"""What stands on a page, one below the other. Each kind of block names the template that sets it."""

from dataclasses import dataclass
from typing import ClassVar

from tolman.report.site.cards import Cards
from tolman.report.site.figure import Figure
from tolman.report.table import Table


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
    """Lines to type, or files to take along, below a heading."""

    template: ClassVar[str] = "code.html"

    title: str
    text: str
    files: tuple[tuple[str, str], ...] = ()
    """Addresses within the site, and what is there."""


@dataclass(frozen=True)
class Shot:
    """A picture with words below it."""

    address: str
    """Within the site."""
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strip:
    """Pictures side by side, below a title."""

    title: str
    shots: tuple[Shot, ...]


@dataclass(frozen=True)
class Gallery:
    """Rows of pictures, some of them folded away."""

    template: ClassVar[str] = "gallery.html"

    name: str
    title: str
    caption: str
    strips: tuple[Strip, ...]
    more: tuple[Strip, ...] = ()


@dataclass(frozen=True)
class Failed:
    """Stands where a part of the page would, had it not failed."""

    template: ClassVar[str] = "failed.html"

    title: str
    reason: str


Block = Failed | Text | Terms | Code | Table | Figure | Cards | Gallery
