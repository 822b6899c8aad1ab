"""A page with tabs. Without JavaScript it is one long page with links at its top."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from tolman.report.finite import json_text
from tolman.report.site.attempt import LeftOut, of_most, tried
from tolman.report.site.blocks import Block, Failed
from tolman.report.site.environment import environment, script_json
from tolman.report.site.figure import Figure, svg
from tolman.report.site.place import FRONT, Place
from tolman.report.site.theme import CONFIG
from tolman.report.track import Track, silently

R = TypeVar("R")


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
    left_out: Sequence[LeftOut] = ()
    """Runs of which nothing is on the page, since nothing could be made of their data."""

    @property
    def figures(self) -> Iterator[Figure]:
        return (block for tab in self.tabs for block in tab.blocks if isinstance(block, Figure))

    @property
    def failures(self) -> Iterator[str]:
        """What is missing on the page, a line each."""
        yield from (f"{self.title}: nothing could be made of {one}" for one in self.left_out)
        failed = (block for tab in self.tabs for block in tab.blocks if isinstance(block, Failed))
        yield from (f"{self.title}, {block.title}: {block.reason}" for block in failed)


def write_numbers(
    file: Path,
    numbers: Callable[[Sequence[R]], Mapping[str, object]],
    of: Sequence[R],
    name: Callable[[R], str],
    tell: Callable[[str], None],
) -> None:
    """Write all numbers of some runs as JSON; what no number is, such as 0/0, is null there.

    Runs whose numbers can't be had are told of, and listed there as `left_out`.
    """
    found, left_out = of_most(numbers, of, name)
    for one in left_out:
        tell(f"{file.name}: {one}")
    missing = {"left_out": [str(one) for one in left_out]} if left_out else {}
    file.write_text(json_text({**(found or {}), **missing}) + "\n", encoding="utf-8")


def write_page(
    page: Page,
    out: Path,
    place: Place = FRONT,
    tell: Callable[[str], None] = lambda line: None,  # noqa: ARG005
    track: Track = silently,
) -> Path:
    """Write a page as HTML at its place, and each of its figures as SVG, into a folder that `whole_folder` gave.

    A figure that can't be drawn is replaced by a note; what is missing is told. Returns the page's file.
    """
    saved = {figure.name: _saved(figure, out) for figure in track(list(page.figures), "figures")}
    page = _noted(page, {name: found for name, found in saved.items() if isinstance(found, LeftOut)})
    for line in page.failures:
        tell(line)
    file = out / place.page
    text = environment().get_template("page.html").render(page=page, config=CONFIG)
    file.write_bytes(text.encode("utf-8", "replace"))
    return file


def write_note(file: Path, title: str, reason: str, back: str, assets: str) -> None:
    """Write a page that says why another could not be made; `back` and `assets` are addresses as seen from it."""
    page = environment().get_template("note.html").render(title=title, reason=reason, back=back, assets=assets)
    file.write_bytes(page.encode("utf-8", "replace"))


def _saved(figure: Figure, out: Path) -> LeftOut | None:
    drawn = tried(figure.title, lambda: (svg(figure), [script_json(panel.spec) for panel in figure.panels]))
    if isinstance(drawn, LeftOut):
        return drawn
    (out / figure.file).write_text(drawn[0], encoding="utf-8")
    return None


def _noted(page: Page, broken: Mapping[str, LeftOut]) -> Page:
    def noted(block: Block) -> Block:
        if isinstance(block, Figure) and block.name in broken:
            return Failed(block.title, f"This figure could not be drawn: {broken[block.name].reason}")
        return block

    return replace(page, tabs=[replace(tab, blocks=tuple(map(noted, tab.blocks))) for tab in page.tabs])
