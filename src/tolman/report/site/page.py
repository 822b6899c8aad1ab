"""A page with tabs. Without JavaScript it is one long page with links at its top."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.report.site.blocks import Block
from tolman.report.site.environment import environment
from tolman.report.site.figure import Figure, svg
from tolman.report.site.theme import CONFIG
from tolman.report.track import Track


@dataclass(frozen=True)
class Tab:
    """One part of a page, reached by its name behind a `#`."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """A whole page."""

    title: str
    about: str
    """One line below the title."""
    tabs: Sequence[Tab]
    cover: str = ""
    """Address of the page that leads to this one and to others, if there is one."""

    @property
    def figures(self) -> Iterator[Figure]:
        return (block for tab in self.tabs for block in tab.blocks if isinstance(block, Figure))


def write_figures(page: Page, out: Path, track: Track) -> None:
    """Save every figure of a page as a file of its own."""
    for figure in track(list(page.figures), "figures"):
        (out / figure.file).write_text(svg(figure), encoding="utf-8")


def write_page(page: Page, file: Path) -> None:
    """Write a page as HTML; its folder must hold the assets that `open_folder` puts there."""
    template = environment().get_template("page.html")
    file.write_text(template.render(page=page, config=CONFIG), encoding="utf-8")
